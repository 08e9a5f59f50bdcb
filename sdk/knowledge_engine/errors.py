"""Every failure that the clients report.

* KnowledgeEngineError
  + MissingApiKey             no key was given, and KE_API_KEY is not set
  + ConnectionFailed          no answer came, or a stream broke and could not be resumed
  + ServiceError              the service answered with an error: `status_code`, `message`
    - InvalidRequest      400
      . DuplicateFile         the engine already has this file
      . EngineNotReady        the engine still reads its documents
    - Unauthorized        401
    - NotFound            404
    - UploadTooLarge      413
    - ServerError         5xx
      . ServiceUnavailable 503
  + StreamFailed              a stream ended with an `error` event
  + ReadingFailed             a document could not be read: `data_source`
  + ToolRunFailed             a tool run failed: `tool_run`
  + ResultMismatch            an extraction's result does not fit the pydantic model: `tool_run`
  + WaitTimeout               what was waited for did not come about in time (also a TimeoutError)
"""

from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from knowledge_engine.models import DataSource, ToolRun

_LONGEST_TEXT = 500


class KnowledgeEngineError(Exception):
    """Base of all errors of this package."""


class MissingApiKey(KnowledgeEngineError):
    """There is no key to call the service with."""

    def __init__(self) -> None:
        super().__init__("No API key: pass api_key, or set KE_API_KEY.")


class ConnectionFailed(KnowledgeEngineError):
    """The service could not be reached, or the connection broke."""


class ServiceError(KnowledgeEngineError):
    """The service answered with an error; `message` is its own."""

    def __init__(self, status_code: int, message: str) -> None:
        super().__init__(f"{status_code}: {message}")
        self.status_code = status_code
        self.message = message


class InvalidRequest(ServiceError):
    """The request cannot be carried out as it stands."""


class DuplicateFile(InvalidRequest):
    """The engine already holds a document of the same bytes."""


class EngineNotReady(InvalidRequest):
    """The engine still reads its documents; ask again later."""


class Unauthorized(ServiceError):
    """The key is missing, malformed, unknown or revoked."""


class NotFound(ServiceError):
    """There is no such thing, or it belongs to another account."""


class UploadTooLarge(ServiceError):
    """The upload is over the service's limit."""


class ServerError(ServiceError):
    """The service failed, also when it was asked again."""


class ServiceUnavailable(ServerError):
    """The service cannot serve now, and could not a little later."""


class StreamFailed(KnowledgeEngineError):
    """The service ended a stream with an error."""


class ReadingFailed(KnowledgeEngineError):
    """No text could be read from a document."""

    def __init__(self, data_source: "DataSource") -> None:
        super().__init__(f"{data_source.name}: {data_source.error or 'it could not be read'}")
        self.data_source = data_source


class ToolRunFailed(KnowledgeEngineError):
    """A tool run ended without a result."""

    def __init__(self, tool_run: "ToolRun") -> None:
        super().__init__(f"Tool run {tool_run.id} failed: {tool_run.error or 'no reason given'}")
        self.tool_run = tool_run


class ResultMismatch(KnowledgeEngineError):
    """What the documents hold does not fit the pydantic model that was to be filled."""

    def __init__(self, tool_run: "ToolRun", detail: str) -> None:
        super().__init__(detail)
        self.tool_run = tool_run


class WaitTimeout(KnowledgeEngineError, TimeoutError):
    """It takes longer than was allowed; it goes on in the service."""


_BY_STATUS: dict[int, type[ServiceError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    404: NotFound,
    413: UploadTooLarge,
    503: ServiceUnavailable,
}

# The specification tells these apart by their text only.
_BY_TEXT: dict[str, type[ServiceError]] = {
    "Duplicate file": DuplicateFile,
    "knowledge engine is not ready": EngineNotReady,
}


def error_of(response: httpx.Response) -> ServiceError:
    """Return the error that a response, read whole, stands for."""
    status_code, message = response.status_code, _message_of(response)
    kind = _BY_STATUS.get(status_code, ServerError if status_code >= 500 else ServiceError)
    if kind is InvalidRequest:
        kind = next((one for text, one in _BY_TEXT.items() if message.startswith(text)), kind)
    return kind(status_code, message)


def _message_of(response: httpx.Response) -> str:
    """Return `error` of the body; of a body that something in between has written, its text."""
    try:
        return str(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        return response.text[:_LONGEST_TEXT].strip() or response.reason_phrase
