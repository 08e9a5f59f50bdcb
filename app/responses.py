"""How endpoints answer: an object, a new object with its place, a list with its next page."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from pydantic import BaseModel, TypeAdapter
from quart import Response, request

from app.models.page_of_rows import PageRequest

_ANY_LIST: TypeAdapter[list[Any]] = TypeAdapter(list[Any])


def answered(body: BaseModel, *, exclude_none: bool = False) -> Response:
    """Return an object."""
    return json_response(body.model_dump_json(exclude_none=exclude_none).encode())


def answered_list(items: Sequence[BaseModel], *, exclude_none: bool = False) -> Response:
    """Return a whole list."""
    return json_response(_ANY_LIST.dump_json(list(items), exclude_none=exclude_none))


def created(body: BaseModel, location: str) -> Response:
    """Return a new object, and where it can be read again."""
    response = json_response(body.model_dump_json().encode(), status=201)
    response.headers["Location"] = location
    return response


def listed(items: Sequence[BaseModel], ids: Sequence[str], page: PageRequest) -> Response:
    """Return a list; where it may go on, the `Link` header says how."""
    response = json_response(_ANY_LIST.dump_json(list(items)))
    if page.limit is not None and len(ids) == page.limit:
        arguments = request.args.to_dict() | {"limit": str(page.limit), "after": ids[-1]}
        response.headers["Link"] = f'<{request.path}?{urlencode(arguments)}>; rel="next"'
    return response


def json_response(body: bytes, status: int = 200) -> Response:
    """Return JSON that is written already."""
    return Response(body, status=status, content_type="application/json")
