"""A request as it is on the wire, sent to the application without a server between them."""

import asyncio
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from quart import Quart
from requests import PreparedRequest
from schemathesis import Response

SECONDS = 60


async def send(app: Quart, request: PreparedRequest) -> Response:
    """Return the response when all of it is there, streams too.

    Raises:
        TimeoutError: it does not end.
    """
    parts: list[MutableMapping[str, Any]] = []
    assert isinstance(request.body, str | bytes | None)
    body = _as_bytes(request.body)
    bodies = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        if not bodies:
            await asyncio.Event().wait()  # The client stays until it has everything.
        return bodies.pop()

    async def take(part: MutableMapping[str, Any]) -> None:
        parts.append(part)

    async with asyncio.timeout(SECONDS):
        await app(_scope(request, len(body)), receive, take)  # type: ignore[arg-type]  # plain dicts
    start, *rest = parts
    headers: dict[str, list[str]] = {}
    for name, value in start["headers"]:
        headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
    content = b"".join(part.get("body", b"") for part in rest)
    return Response(start["status"], headers, content, request, elapsed=0.0, verify=False)


def _scope(request: PreparedRequest, length: int) -> dict[str, Any]:
    target = urlsplit(request.url or "")
    headers = [
        (_as_bytes(name).lower(), _as_bytes(value)) for name, value in request.headers.items()
    ]
    if length and b"content-length" not in dict(headers):
        headers.append((b"content-length", str(length).encode()))
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote_to_bytes(target.path).decode("utf-8", "replace"),
        "raw_path": target.path.encode(),
        "query_string": target.query.encode(),
        "root_path": "",
        "headers": [(b"host", target.netloc.encode()), *headers],
        "client": ("127.0.0.1", 1),
        "server": (target.hostname, 80),
        "extensions": {},
    }


def _as_bytes(value: str | bytes | None) -> bytes:
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value or b""
