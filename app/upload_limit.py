"""The limit on what a client may send, counted as it comes.

Quart compares the declared length only, which a client need not declare.
"""

import json
from typing import Any

from config.errors import UploadTooLarge


class _LimitPassed(Exception):
    """More bytes came than are allowed."""


class UploadLimit:
    """An ASGI application that ends a request whose body grows over the limit with 413."""

    def __init__(self, app: Any, file_bytes: int, form_bytes: int) -> None:
        """Allow a file of `file_bytes`, and `form_bytes` for the form around it."""
        self._app = app
        self._file_bytes = file_bytes
        self._limit_bytes = file_bytes + form_bytes

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        received = 0
        has_begun = False

        async def counted_receive() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._limit_bytes:
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
                await self._refuse(send)

    async def _refuse(self, send: Any) -> None:
        error = UploadTooLarge(self._file_bytes)
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": error.status_code, "headers": headers})
        body = json.dumps({"error": error.message}).encode()
        await send({"type": "http.response.body", "body": body})
