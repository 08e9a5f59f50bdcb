"""Server-Sent Events: how an event is written, and how a stream gets to its client."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

from quart import Response

COMMENT = b": \n\n"
"""A line that clients pass over: it opens the stream at once, and shows that it lives."""

SILENCE_SECONDS = 10.0

OUTBOX_BYTES = 1 << 18
"""How much may wait for one client: some thousand words."""


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """An event; `data` is JSON text, which never holds a line end."""

    event: str
    data: str

    @property
    def is_last(self) -> bool:
        """Whether the stream ends with it."""
        return self.event != "message"

    def encode(self, event_id: str = "") -> bytes:
        """Return the event as it is sent; an event without an id cannot be gone on from."""
        assert "\n" not in self.data
        assert "\r" not in self.data
        id_line = f"id: {event_id}\n" if event_id else ""
        return f"{id_line}event: {self.event}\ndata: {self.data}\n\n".encode()


def error_event(message: str) -> ServerSentEvent:
    """Return the event that ends a stream with a failure."""
    return ServerSentEvent("error", json.dumps({"error": message}))


class Outbox:
    """What is on its way to one client, between the task that makes it and the response.

    It holds little: who makes more than the client takes has to wait.
    """

    def __init__(
        self, most_bytes: int = OUTBOX_BYTES, silence_seconds: float = SILENCE_SECONDS
    ) -> None:
        self._most_bytes = most_bytes
        self._silence_seconds = silence_seconds
        self._blocks: list[bytes] = []
        self._size = 0
        self._is_closed = False
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._reader: asyncio.Future[None] | None = None  # while it waits
        self._spoke_at = 0.0

    @property
    def is_full(self) -> bool:
        """Whether who puts something in has to wait."""
        return not self._has_room.is_set()

    async def put(self, block: bytes) -> None:
        """Send this, and wait while too much is on its way; when closed, do nothing."""
        if self._is_closed:
            return
        self._blocks.append(block)
        self._size += len(block)
        self._wake_reader()
        if self._size >= self._most_bytes:
            self._has_room.clear()
            await self._has_room.wait()
        else:
            # The response sends this before the next is made, which may take a millisecond.
            await asyncio.sleep(0)

    def close(self) -> None:
        """Take nothing more; what is in it is still sent."""
        self._is_closed = True
        self._has_room.set()
        self._wake_reader()

    async def blocks(self) -> AsyncIterator[bytes]:
        """Yield what was put in, as it comes; a comment first, and one into every silence."""
        loop = asyncio.get_running_loop()
        yield COMMENT
        self._spoke_at = loop.time()
        # One timer for the stream: one for each token would cost more than the token.
        watch = loop.create_task(self._comment_on_silence())
        try:
            while self._blocks or not self._is_closed:
                if self._blocks:
                    together = b"".join(self._blocks)
                    self._blocks.clear()
                    self._size = 0
                    self._has_room.set()
                    self._spoke_at = loop.time()
                    yield together
                else:
                    self._reader = loop.create_future()
                    await self._reader
        finally:
            watch.cancel()

    async def _comment_on_silence(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            seconds_left = self._spoke_at + self._silence_seconds - loop.time()
            if seconds_left > 0:
                await asyncio.sleep(seconds_left)
            else:
                if not self._blocks:
                    self._blocks.append(COMMENT)
                    self._wake_reader()
                await asyncio.sleep(self._silence_seconds)

    def _wake_reader(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


def stream_response(body: AsyncIterator[bytes]) -> Response:
    """Return the response that sends these bytes as they come.

    When the client goes away the server closes `body`.
    """
    response = Response(
        body,
        content_type="text/event-stream; charset=utf-8",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )
    response.timeout = None
    return response
