"""Each request has an id, which its answer, its records in the log and its jobs carry.

It is the one that the client or a proxy sends, so that one id is to be found in all their logs.
"""

import re
import secrets
from typing import Any

from config.logs import request_id

_HEADER = b"x-request-id"
_WELL_FORMED = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,128}")


class RequestIds:
    """An ASGI application that gives each request its id.

    It is the `X-Request-ID` that it came with, or a new one where that is missing or malformed.
    """

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == _HEADER), b"")
        own = given if _WELL_FORMED.fullmatch(given) else secrets.token_hex(16).encode()

        async def send_with_id(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (_HEADER, own)]}
            await send(message)

        token = request_id.set(own.decode())
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            request_id.reset(token)
