"""What /openapi.json says of the endpoints beyond what stands at their views."""

from collections.abc import Iterator
from typing import Any

from quart_schema.openapi import OpenAPIProvider
from quart_schema.typing import Model
from quart_schema.validation import DataSource
from werkzeug.routing import BaseConverter, Rule

from app import ids
from app.auth import OPEN_ENDPOINTS
from app.idempotency import HEADER, LONGEST_KEY
from app.schemas import ErrorResponse
from app.schemas_chat import ChatErrorResponse

_EVENTS = "text/event-stream"
_JSON = "application/json"
_NULL = {"type": "null"}

# Endpoint → status → media type and description, of what is no object of the API.
_OTHER_MEDIA = {
    "chat_completions.create_chat_completion": {200: (_EVENTS, "With `stream`: its chunks.")},
    "files.download": {200: ("*/*", "The file."), 206: ("*/*", "The part that was asked for.")},
    "health.healthz": {200: (_JSON, "The process lives.")},
    "health.metrics": {200: ("text/plain", "The counters.")},
    "health.readyz": {200: (_JSON, "The service can serve.")},
    "page_images.get_page_image": {200: ("image/png", "The picture.")},
    "queries.query": {200: (_EVENTS, "`message`s, then `done` or `error`.")},
    "tool_runs.create_tool_run": {200: (_EVENTS, "With `stream_response`: its events.")},
}

_ID_PARAMETERS = {
    "data_source_id": ids.DATA_SOURCE,
    "delivery_id": ids.WEBHOOK_DELIVERY,
    "engine_id": ids.KNOWLEDGE_ENGINE,
    "receipt_id": ids.DELETION_RECEIPT,
    "run_id": ids.TOOL_RUN,
    "webhook_id": ids.WEBHOOK,
    "workflow_id": ids.WORKFLOW,
}

_ERRORS = {
    400: "The request cannot be carried out as it stands.",
    401: "There is no key, or none that is valid.",
    404: "What it is about is not there.",
    413: "The body is too large.",
    415: "The body is of another type than this endpoint reads.",
    503: "The service cannot serve this now; `Retry-After` says when to try again.",
}


_IDEMPOTENCY_KEY = {
    "name": HEADER,
    "in": "header",
    "description": "Requests with the same key and body are carried out once, and answered alike.",
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
}


class ApiDescription(OpenAPIProvider):
    """Adds errors and the header that endpoints have in common, the form of ids, other media."""

    def build_paths(self, rule: Rule) -> tuple[dict[str, Any], dict[str, Any]]:
        """Describe the endpoint of a rule."""
        paths, components = super().build_paths(rule)
        is_chat = rule.endpoint.startswith("chat_completions.")
        error, error_components = self.build_response_object(
            ChatErrorResponse if is_chat else ErrorResponse, None
        )
        for operations in paths.values():
            for method, operation in operations.items():
                if method == "post":
                    operation.setdefault("parameters", []).append(_IDEMPOTENCY_KEY)
                if rule.endpoint in OPEN_ENDPOINTS:
                    operation["security"] = []
                for status in _common_errors(rule, operation):
                    described = error | {"description": _ERRORS[status]}
                    operation["responses"].setdefault(status, described)
                _add_other_media(operation["responses"], rule.endpoint)
                if "requestBody" in operation:
                    operation["requestBody"]["required"] = True
        return paths, components | error_components

    def build_request_body(
        self, model: type[Model], source: DataSource
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Describe a body; a field of JSON that is null counts as left out."""
        body, components = super().build_request_body(model, source)
        if source is DataSource.JSON:
            schema = body["content"][_JSON]["schema"]
            schema["properties"] = {
                name: field if name in schema.get("required", ()) else _with_null(field)
                for name, field in schema["properties"].items()
            }
        return body, components

    def build_querystring_parameters(
        self, model: type[Model]
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Describe what may stand behind the `?` of an address."""
        parameters, components = super().build_querystring_parameters(model)
        for parameter in parameters:
            parameter["schema"] = _without_null(parameter["schema"])
        return parameters, components

    def build_path_parameter(self, name: str, converter: BaseConverter) -> dict[str, Any]:
        """Describe a part of a path."""
        parameter = super().build_path_parameter(name, converter)
        if name in _ID_PARAMETERS:
            parameter["schema"]["pattern"] = ids.id_pattern(_ID_PARAMETERS[name])
        return parameter


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field that may be null as well."""
    kinds = schema.get("anyOf", [schema])
    return schema if _NULL in kinds else {"anyOf": [*kinds, _NULL]}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter that may be left out, but which cannot be null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != _NULL]
    return kinds[0] if len(kinds) == 1 else schema


def _common_errors(rule: Rule, operation: dict[str, Any]) -> Iterator[int]:
    yield 503
    if rule.endpoint not in OPEN_ENDPOINTS:
        yield from (400, 401)
    # A POST, too: what a request with an Idempotency-Key has made may be gone when it is repeated.
    if rule.arguments or "POST" in (rule.methods or ()):
        yield 404
    if "requestBody" in operation:
        yield from (413, 415)


def _add_other_media(responses: dict[int, Any], endpoint: str) -> None:
    for status, (media_type, description) in _OTHER_MEDIA.get(endpoint, {}).items():
        response = responses.setdefault(status, {"description": description, "content": {}})
        response["content"][media_type] = {}
