"""Server-Sent Events: how an event is written, and what keeps a silent stream open."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from quart import Response

COMMENT = b": \n\n"
"""A line that clients pass over: it opens the stream at once, and shows that it lives."""

SILENCE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """An event; `data` is JSON text, which never holds a line end."""

    event: str
    data: str

    def encode(self) -> bytes:
        assert "\n" not in self.data
        assert "\r" not in self.data
        return f"event: {self.event}\ndata: {self.data}\n\n".encode()


def stream_response(events: AsyncIterator[ServerSentEvent]) -> Response:
    """Return the response that sends these events as they come.

    When the client goes away the server cancels the body, and with it `events`.
    """
    response = Response(
        with_comments(events, SILENCE_SECONDS),
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )
    response.timeout = None
    return response


async def with_comments(
    events: AsyncIterator[ServerSentEvent], silence_seconds: float
) -> AsyncIterator[bytes]:
    """Encode events; begin with a comment, and put one into every silence."""
    yield COMMENT
    iterator = aiter(events)
    pending = asyncio.ensure_future(_next(iterator))
    try:
        while True:
            done, _ = await asyncio.wait({pending}, timeout=silence_seconds)
            if not done:
                yield COMMENT
                continue
            event = pending.result()
            if event is None:
                return
            yield event.encode()
            pending = asyncio.ensure_future(_next(iterator))
    finally:
        # Reached as well when the client has gone: whoever makes the events must stop now.
        pending.cancel()
        await asyncio.wait({pending})


async def _next(iterator: AsyncIterator[ServerSentEvent]) -> ServerSentEvent | None:
    return await anext(iterator, None)
