"""The limit on what a client may send, counted as it comes.

Quart compares the declared length only, which a client need not declare; and only where files are
sent there is a reason for a large body.
"""

import json
import re
from typing import Any

from config.errors import UploadTooLarge

BODY_BYTES = 4 << 20
"""The longest body of a request that brings no file."""

SIGN_IN_BYTES = 256 << 10
"""The longest body of a request of which nobody knows yet whose it is, and that is read."""

_UPLOADS = re.compile(r"/api/v1/data-sources(/batch)?|/engines/\w+/documents", re.ASCII)
_SIGN_IN = ("/sign-in", "/welcome")


def is_upload(path: str) -> bool:
    """Tell whether files are sent to this path."""
    return _UPLOADS.fullmatch(path) is not None


class _LimitPassed(Exception):
    """More bytes came than are allowed."""


class UploadLimit:
    """An ASGI application that ends a request whose body grows over the limit with 413."""

    def __init__(self, app: Any, file_bytes: int, form_bytes: int) -> None:
        """Allow a file of `file_bytes`, and `form_bytes` for the form around it."""
        self._app = app
        self._file_bytes = file_bytes
        self._form_bytes = form_bytes

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        limit_bytes, form_bytes = self._limits(scope)
        received = 0
        has_begun = False

        async def counted_receive() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit_bytes + form_bytes:
                raise _LimitPassed
            return message

        async def noticed_send(message: Any) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, counted_receive, noticed_send)
        except _LimitPassed:
            if not has_begun:
                await _refuse(send, limit_bytes)

    def _limits(self, scope: Any) -> tuple[int, int]:
        """Return how much a request may bring, and how much of a form around that."""
        if scope["path"] in _SIGN_IN:
            return SIGN_IN_BYTES, 0
        # A file comes in a form: JSON would take many times its size in memory.
        is_form = dict(scope["headers"]).get(b"content-type", b"").startswith(b"multipart/")
        if is_form and is_upload(scope["path"]):
            return self._file_bytes, self._form_bytes
        return BODY_BYTES, 0


async def _refuse(send: Any, limit_bytes: int) -> None:
    error = UploadTooLarge(limit_bytes)
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": error.status_code, "headers": headers})
    body = json.dumps({"error": error.message}).encode()
    await send({"type": "http.response.body", "body": body})
