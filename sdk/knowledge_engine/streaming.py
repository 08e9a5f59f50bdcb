"""Streams that go on by themselves when their connection breaks, without any input or output."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Generic, TypeVar

import httpx

from knowledge_engine.calls import Call
from knowledge_engine.errors import StreamFailed
from knowledge_engine.retrying import Failure, Retries
from knowledge_engine.sse import ServerSentEvent, SseDecoder

Event = TypeVar("Event")

SILENCE_SECONDS = 30.0
"""How long a stream may say nothing; the service sends a comment every ten seconds."""

_RESUME = "Last-Event-ID"


class Stream(Generic[Event]):
    """Where a client stands in a stream: what to send next, and what has come.

    After a break it goes on at once, for the service waits for us but a moment, and if that fails
    after pauses. Whenever an event has come, the attempts are counted anew.
    """

    def __init__(
        self, call: Call[Any], read: Callable[[ServerSentEvent], Event], retries: Retries
    ) -> None:
        self._call = call
        self._read = read
        self._retries = retries
        self._attempt = 0
        self._decoder = SseDecoder()
        self.pause_seconds = 0.0
        self.is_over = False

    def next_call(self) -> Call[Any]:
        """Return the request to send now: the first, or one that goes on behind the last event."""
        self._attempt += 1
        self._decoder = SseDecoder()
        return self._call

    def open(self, response: httpx.Response) -> bool:
        """Tell whether events follow; if not, `pause_seconds` says when to try again.

        Raises:
            ServiceError: the response is an error that does not pass.
        """
        if not response.is_success:
            self._try_again(response)
        elif _RESUME not in self._call.headers:
            # With this a stream can be resumed that breaks before its first event.
            self._go_on_behind(response.headers.get(_RESUME, ""))
        return response.is_success

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Yield the events that are complete with these bytes of the response.

        Raises:
            StreamFailed: the stream has ended with an error.
            httpx.ReadError: the connection has, and the stream has not.
        """
        for event in self._decoder.feed(chunk):
            if event.event == "error":
                # One without an id is about this connection: the stream itself goes on.
                raise (StreamFailed if event.id else httpx.ReadError)(_text_of(event))
            self._attempt = 0
            self._go_on_behind(event.id)
            self.is_over = event.event == "done"
            yield self._read(event)

    def end(self) -> None:
        """Say that the response is over.

        Raises:
            httpx.ReadError: the stream is not.
        """
        if not self.is_over:
            raise httpx.ReadError("the stream ended early")

    def break_off(self, error: httpx.RequestError) -> None:
        """Note that the connection is broken; `pause_seconds` says when to try again.

        Raises:
            ConnectionFailed: the stream cannot be resumed, or that was tried often enough.
        """
        self._try_again(error)

    def _go_on_behind(self, event_id: str) -> None:
        if event_id:
            self._call = replace(self._call, headers={_RESUME: event_id}, is_repeatable=True)

    def _try_again(self, failure: Failure) -> None:
        if self._attempt == 0 and self._call.is_repeatable:
            self.pause_seconds = 0.0
            return
        self.pause_seconds = self._retries.pause_after(self._call, failure, self._attempt)


def _text_of(event: ServerSentEvent) -> str:
    """Return what an `error` event says; the specification leaves its form open."""
    try:
        data = json.loads(event.data)
    except ValueError:
        return event.data
    return str(data["error"]) if isinstance(data, dict) and "error" in data else str(data)
