"""What the forms of the console send, as the requests of the API."""

import json
from typing import Any

from app.request_body import parse_object
from config.errors import InvalidRequest


def parse_notes(text: str) -> dict[str, Any]:
    """Read notes, which are written as a JSON object; nothing is an empty one.

    Raises:
        InvalidRequest: it is none.
    """
    try:
        notes = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:  # Also a number of too many digits.
        raise InvalidRequest(f"The notes are no JSON: {error}") from error
    if not isinstance(notes, dict):
        raise InvalidRequest('The notes must be a JSON object, such as {"team": "legal"}.')
    return notes


def storable(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields as they are, once they are checked like those of a JSON body.

    Raises:
        MalformedBody: a text holds what cannot be stored.
    """
    return parse_object(json.dumps(fields))


def parse_name(text: str, longest: int) -> str:
    """Read a name that a person has typed.

    Raises:
        InvalidRequest: there is none, or it is too long.
    """
    name = text.strip()
    if not name:
        raise InvalidRequest("Give it a name.")
    if len(name) > longest:
        raise InvalidRequest(f"A name has at most {longest} characters.")
    return name
