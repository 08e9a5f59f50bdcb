"""Requests and what their answers mean, without any input or output.

A `Call` is one request. A `Flow` is a generator of the calls that a longer task needs one after the
other; it is sent the result of each. Both clients carry out both, so only they differ.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import IO, Any, Generic, TypeAlias, TypeVar
from urllib.parse import parse_qs, quote, urlsplit
from uuid import uuid4

import httpx
from pydantic import TypeAdapter

Result = TypeVar("Result")

Json: TypeAlias = Mapping[str, Any]
FileParts: TypeAlias = list[tuple[str, tuple[str, IO[bytes]]]]
"""The files of a form: the name of the part, the name of the file, its content."""

_API = "/api/v1"


@dataclass(frozen=True, slots=True)
class Call(Generic[Result]):
    """One request, and how its answer is read.

    `is_repeatable` says that carrying it out twice is the same as carrying it out once. Of another
    call the service knows by `key` whether it has carried it out already.
    """

    method: str
    path: str
    read: Callable[[httpx.Response], Result]
    is_repeatable: bool = True
    params: Mapping[str, str | int] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Json | None = None
    form: Mapping[str, str] | None = None
    files: FileParts | None = None
    key: str = field(default_factory=lambda: uuid4().hex)


@dataclass(frozen=True, slots=True)
class Step:
    """The next call of a flow, and how long to wait before it."""

    call: Call[Any]
    pause_seconds: float = 0.0


Flow: TypeAlias = Generator[Step, Any, Result]


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Result]):
    """A part of a list, and the id after which the next part begins, or ""."""

    items: list[Result]
    after: str


def step(call: Call[Result], pause_seconds: float = 0.0) -> Flow[Result]:
    """Have one call carried out, as part of a flow."""
    result: Result = yield Step(call, pause_seconds)
    return result


def path(*parts: str) -> str:
    """Return the path below the API; an id that is no id cannot lead elsewhere."""
    return "/".join([_API, *(quote(part, safe="") for part in parts)])


def reading(kind: type[Result]) -> Callable[[httpx.Response], Result]:
    """Return what reads an object, or a list of objects, of this kind."""
    return lambda response: TypeAdapter(kind).validate_json(response.content)


def listing(
    kind: type[Result], list_path: str, page_size: int, filters: Mapping[str, Any] | None = None
) -> Call[ListPage[Result]]:
    """Return the call for the first part of a list."""
    params = {**(filters or {}), "limit": page_size}

    def read(response: httpx.Response) -> ListPage[Result]:
        items = TypeAdapter(list[kind]).validate_json(response.content)  # type: ignore[valid-type]  # known at run time
        # Of the address only this: one of another host would be sent the key.
        query = parse_qs(urlsplit(response.links.get("next", {}).get("url", "")).query)
        return ListPage(items, query.get("after", [""])[0])

    return Call("GET", list_path, read, params=params)


def going_on(call: Call[ListPage[Result]], after: str) -> Call[ListPage[Result]]:
    """Return the call for the part of a list that begins after an id."""
    return replace(call, params=dict(call.params) | {"after": after})
