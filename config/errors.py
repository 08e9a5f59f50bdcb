"""Every failure a client can see; `message` is exactly what it is told.

* ServiceError                     500
  + Unauthorized                   401  Unauthorized
  + NotFound                       404  <noun> not found
  + InvalidRequest                 400
    - ValidationFailed                  Key: '<Request>.<Field>' Error:Field validation for …
    - MalformedBody                     the parser's own message
    - InvalidId                         Invalid <noun> ID
    - ReferenceNotFound                 <noun> not found (an id inside a body)
    - NameTooLong                       Invalid <noun> name: exceeds maximum length of 50 characters
    - EngineNotReady                    knowledge engine is not ready, current status: <status>
    - EngineHasNoDataSources            knowledge engine has no active data sources
    - ModelNotSupported                 Model <model> not supported
    - ModelNotEnabled                   Model <model_name> is not enabled
    - DuplicateFile                     Duplicate file
    - UnreadableFile                    what is wrong with the file, and what to do
    - PageNotDrawn                      page <number> cannot be drawn: <reason>
    - InvalidIdempotencyKey             Idempotency-Key must be 1 to 255 printable characters
    - IdempotencyKeyReused              the Idempotency-Key was used for another request
    - DataSourceNotUsable               data source <id> cannot be used: <reason>
    - UrlNotUsable                      url cannot be used: <reason>
    - KeyOfNarrowScope                  this key has the scope <scope>, this takes one with <needed>
    - KeyOfOneEngine                    this key is for one knowledge engine, this takes one for all
  + UploadTooLarge                 413
  + UnsupportedContentType         415
  + RangeNotSatisfiable            416  (with Content-Range)
  + Unavailable                    503  (with Retry-After)
    - FileStoreAway                     the file store does not answer
  + AnswerFailed                   500  Failed to process query: <detail>
  + RetrievalFailed                500  Failed to retrieve documents: <detail>
  + WorkflowNotCreated             500  Failed to create workflow: <detail>
  + ExtractionFailed               500  Failed to extract fields: <detail>
    - RequestRefused                    (the model takes no request of this form)
    - PromptTooLong                     (the model's window is too small for it)
"""


class ServiceError(Exception):
    """Base of every error the service reports."""

    status_code = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unauthorized(ServiceError):
    """No key, a badly formed one, an unknown or a revoked one."""

    status_code = 401

    def __init__(self) -> None:
        super().__init__("Unauthorized")


class NotFound(ServiceError):
    """The id in the path names nothing that this account owns."""

    status_code = 404

    def __init__(self, noun: str) -> None:
        super().__init__(f"{noun} not found")


class InvalidRequest(ServiceError):
    """The request cannot be carried out as it stands."""

    status_code = 400


class ValidationFailed(InvalidRequest):
    """One or more fields break a rule; one line each."""


class MalformedBody(InvalidRequest):
    """The body is not JSON, or not a JSON object."""


class InvalidId(InvalidRequest):
    """The id is not of the form its kind of resource has."""

    def __init__(self, noun: str) -> None:
        super().__init__(f"Invalid {noun} ID")


class ReferenceNotFound(InvalidRequest):
    """An id inside a body names nothing that this account owns."""

    def __init__(self, noun: str) -> None:
        super().__init__(f"{noun} not found")


class NameTooLong(InvalidRequest):
    """A name has more than 50 characters."""

    def __init__(self, noun: str) -> None:
        super().__init__(f"Invalid {noun} name: exceeds maximum length of 50 characters")


class EngineNotReady(InvalidRequest):
    """The engine is still processing its data sources."""

    def __init__(self, status: str) -> None:
        super().__init__(f"knowledge engine is not ready, current status: {status}")


class EngineHasNoDataSources(InvalidRequest):
    """The engine holds nothing that could answer."""

    def __init__(self) -> None:
        super().__init__("knowledge engine has no active data sources")


class ModelNotSupported(InvalidRequest):
    """The value of `model` is none of the identifiers."""

    def __init__(self, model: str) -> None:
        super().__init__(f"Model {model} not supported")


class ModelNotEnabled(InvalidRequest):
    """The model has no credentials here, or the account has switched it off."""

    def __init__(self, display_name: str) -> None:
        super().__init__(f"Model {display_name} is not enabled")


class DuplicateFile(InvalidRequest):
    """The engine already holds these bytes."""

    def __init__(self) -> None:
        super().__init__("Duplicate file")


class UnreadableFile(InvalidRequest):
    """The file is empty, of no supported format, locked, or damaged beyond opening."""


class DataSourceNotUsable(InvalidRequest):
    """Nothing, or not what is asked for, can be extracted from a data source."""

    def __init__(self, data_source_id: str, reason: str) -> None:
        super().__init__(f"data source {data_source_id} cannot be used: {reason}")


class UrlNotUsable(InvalidRequest):
    """Nothing is sent to this address."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"url cannot be used: {reason}")


class InvalidIdempotencyKey(InvalidRequest):
    """The header is not of the form that it must have."""

    def __init__(self) -> None:
        super().__init__("Idempotency-Key must be 1 to 255 printable characters")


class IdempotencyKeyReused(InvalidRequest):
    """The key stands for a request with another address or body."""

    def __init__(self) -> None:
        super().__init__("the Idempotency-Key was used for another request")


class PageNotDrawn(InvalidRequest):
    """The page is there, but no picture of it can be made."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"page {number} cannot be drawn: {reason}")


class KeyOfNarrowScope(InvalidRequest):
    """The key may not do this, whatever it is done with."""

    def __init__(self, scope: str, needed: str) -> None:
        super().__init__(f"this key has the scope {scope}, this takes one with {needed}")


class KeyOfOneEngine(InvalidRequest):
    """The endpoint is about the account as a whole, and the key about one engine."""

    def __init__(self) -> None:
        super().__init__("this key is for one knowledge engine, this takes one for all")


class UploadTooLarge(ServiceError):
    """The request body is over the limit."""

    status_code = 413

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"the upload exceeds the limit of {limit_bytes / 2**20:g} MB")


class UnsupportedContentType(ServiceError):
    """The body is of another type than the endpoint reads."""

    status_code = 415

    def __init__(self, expected: str) -> None:
        super().__init__(f"Content-Type must be {expected}")


class RangeNotSatisfiable(ServiceError):
    """The part of a file that is asked for begins behind its end."""

    status_code = 416

    def __init__(self, size_bytes: int) -> None:
        super().__init__(f"the file has only {size_bytes} bytes")
        self.size_bytes = size_bytes


class Unavailable(ServiceError):
    """The service cannot serve this now; a retry may succeed."""

    status_code = 503


class FileStoreAway(Unavailable, OSError):
    """The storage does not answer, or refuses us; a client is told, and a worker tries again."""

    def __init__(self) -> None:
        super().__init__("the file store does not answer")


class AnswerFailed(ServiceError):
    """The answer could not be generated."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"Failed to process query: {detail}")


class RetrievalFailed(ServiceError):
    """The index could not be searched."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"Failed to retrieve documents: {detail}")


class WorkflowNotCreated(ServiceError):
    """The answer is there but could not be stored."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"Failed to create workflow: {detail}")


class ExtractionFailed(ServiceError):
    """The model could not be asked for fields, or its answers are of no use."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"Failed to extract fields: {detail}")


class RequestRefused(ExtractionFailed):
    """The provider rejects a request of this form; another form may be taken."""


class PromptTooLong(ExtractionFailed):
    """The prompt is longer than the model's window; a shorter one may be taken."""


class ServingFailed(Exception):
    """A command of `ke` cannot go on; the message is for the person at the terminal."""


class BackupFailed(Exception):
    """A backup cannot be written, or not be restored; the message is for who runs the service."""
