"""Reading what a client sent, with the documented text for everything that can be wrong with it."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from quart import request
from werkzeug.datastructures import FileStorage

from app.models.page_of_rows import PageRequest
from app.schemas import NAME_LENGTH, RequestBody
from config.errors import (
    MalformedBody,
    NameTooLong,
    ServiceError,
    UnsupportedContentType,
    ValidationFailed,
)

Body = TypeVar("Body", bound=RequestBody)

MAX_PAGE = 1000
"""The longest list that one request can ask for."""

MAX_DEPTH = 100
"""How deep the objects and lists of a body may be nested."""

# The nouns of the requests whose `name` has a text of its own when it is too long.
_NAMED = {
    "KnowledgeEngineRequest": "knowledge engine",
    "KnowledgeEngineUpdate": "knowledge engine",
    "WorkflowRequest": "workflow",
    "QueryRequest": "workflow",
}

# pydantic's kind of error → the rule that the message names.
_RULES = {
    "missing": "required",
    "string_too_short": "required",
    "too_short": "required",
    "string_too_long": "max",
    "too_long": "max",
    "less_than_equal": "max",
    "greater_than_equal": "min",
    "literal_error": "oneof",
    "enum": "oneof",
    "unique": "unique",
    "excluded_unless": "excluded_unless",
}


async def parse_json(kind: type[Body]) -> Body:
    """Read the request's JSON body.

    Raises:
        UnsupportedContentType: it is declared as something else than JSON.
        MalformedBody: it is not JSON, or not an object.
        ValidationFailed, NameTooLong: a field breaks a rule.
    """
    if not request.is_json:
        raise UnsupportedContentType("application/json")
    return validate(kind, parse_object(await request.get_data()))


def parse_object(raw: str | bytes) -> dict[str, Any]:
    """Parse a JSON object.

    Raises:
        MalformedBody: with the parser's own message.
    """
    value = _parse(raw)
    if not isinstance(value, dict):
        raise MalformedBody(f"expected a JSON object, not {_json_type(value)}")
    return value


def parse_array(raw: str | bytes) -> list[dict[str, Any]]:
    """Parse a JSON array of objects; raises as `parse_object` does."""
    value = _parse(raw)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise MalformedBody("expected a JSON array of objects")
    return value


def validate(kind: type[Body], value: Mapping[str, Any]) -> Body:
    """Check an object against a request; a field that is null counts as left out."""
    given = {name: field for name, field in value.items() if field is not None}
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise _as_service_error(kind.__name__, error.errors()) from error


def parse_page(*, newest_first: bool = False) -> PageRequest:
    """Read `limit` and `after` from the query string."""
    raw = request.args.get("limit")
    if raw is not None and not re.fullmatch(r"[0-9]{1,6}", raw):
        raise ValidationFailed(_message("ListRequest", "Limit", "type"))
    limit = None if raw is None else int(raw)
    if limit == 0:
        raise ValidationFailed(_message("ListRequest", "Limit", "min"))
    after = request.args.get("after") or None
    if after is not None and not re.fullmatch(r"\w+", after, re.ASCII):
        raise ValidationFailed(_message("ListRequest", "After", "type"))
    return PageRequest(
        limit=None if limit is None else min(limit, MAX_PAGE),
        after=after,
        newest_first=newest_first,
    )


def form_data(form: Mapping[str, str], files: Mapping[str, FileStorage]) -> str | bytes:
    """Return the `data` part of a form, sent as a field or as a file.

    Raises:
        ValidationFailed: there is none.
    """
    raw = form.get("data") or (files["data"].read() if "data" in files else b"")
    if not raw:
        raise missing_field("DataSourceRequest", "Data")
    return raw


def missing_field(request_name: str, field: str) -> ValidationFailed:
    """Return the error of a part that is not there."""
    return ValidationFailed(_message(request_name, field, "required"))


def _parse(raw: str | bytes) -> Any:
    try:
        value = json.loads(raw, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise MalformedBody(str(error)) from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise MalformedBody(f"not a JSON text: {error}") from error
    _refuse_unstorable(value)
    return value


def _as_service_error(request_name: str, problems: list[ErrorDetails]) -> ServiceError:
    lines = []
    for problem in problems:
        field = _go_path(problem["loc"])
        rule = _RULES.get(problem["type"], "type")
        if field == "Name" and rule == "max" and request_name in _NAMED:
            assert problem["ctx"]["max_length"] == NAME_LENGTH
            return NameTooLong(_NAMED[request_name])
        lines.append(_message(request_name, field, rule))
    return ValidationFailed("\n".join(lines))


def _message(request_name: str, field: str, rule: str) -> str:
    name = request_name.replace("Update", "Request")
    leaf = re.sub(r"\[\d+\]$", "", field.rpartition(".")[2])
    return f"Key: '{name}.{field}' Error:Field validation for '{leaf}' failed on the '{rule}' tag"


def _go_path(location: tuple[int | str, ...]) -> str:
    """Write a place in the body as `Tool.Fields[0].FieldName`."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            words = part.split("_")
            name = "".join("ID" if word == "id" else word.capitalize() for word in words)
            path += f".{name}" if path else name
    return path


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _refuse_unstorable(value: Any, depth: int = 0) -> None:
    """Refuse what cannot be stored, or not be written out again.

    That is text that neither UTF-8 nor PostgreSQL can hold (lone surrogates and NUL), numbers that
    became infinite, and what is nested deeper than pydantic writes.
    """
    if depth > MAX_DEPTH:
        raise MalformedBody(f"the JSON is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for item in value:
            _refuse_unstorable(item, depth + 1)
    elif isinstance(value, float) and math.isinf(value):
        raise MalformedBody("a number is too large")
    elif isinstance(value, str) and re.search("[\x00\ud800-\udfff]", value):
        raise MalformedBody("a text holds a character that cannot be stored (NUL or half a pair)")


def _json_type(value: object) -> str:
    names = {
        dict: "an object",
        list: "an array",
        str: "a string",
        bool: "a boolean",
        type(None): "null",
    }
    return names.get(type(value), "a number")
