import asyncio
from collections.abc import AsyncIterator

import pytest

from app.sse import COMMENT, ServerSentEvent, stream_response, with_comments

EVENT = ServerSentEvent("message", '"a"')


async def test_event_is_written_in_two_lines() -> None:
    assert EVENT.encode() == b'event: message\ndata: "a"\n\n'


@pytest.mark.parametrize("data", ["a\nb", "a\rb"])
def test_line_end_in_an_event_is_a_mistake_of_ours(data: str) -> None:
    with pytest.raises(AssertionError):
        ServerSentEvent("message", data).encode()


async def test_comment_comes_first_and_the_end_closes_the_stream() -> None:
    assert [part async for part in with_comments(_events(EVENT, EVENT), 10)] == [
        COMMENT,
        EVENT.encode(),
        EVENT.encode(),
    ]


async def test_every_silence_holds_a_comment() -> None:
    async def slow() -> AsyncIterator[ServerSentEvent]:
        await asyncio.sleep(0.1)
        yield EVENT
        await asyncio.sleep(0.1)
        yield EVENT

    parts = [part async for part in with_comments(slow(), 0.04)]

    assert parts[:3] == [COMMENT, COMMENT, COMMENT]
    first, second = [place for place, part in enumerate(parts) if part == EVENT.encode()]
    assert second - first >= 2
    assert parts[-1] == EVENT.encode()


async def test_failure_of_the_events_comes_through() -> None:
    async def failing() -> AsyncIterator[ServerSentEvent]:
        yield EVENT
        raise ValueError("broken")

    parts = with_comments(failing(), 10)

    assert [await anext(parts), await anext(parts)] == [COMMENT, EVENT.encode()]
    with pytest.raises(ValueError, match="broken"):
        await anext(parts)


async def test_closed_stream_stops_its_source() -> None:
    stopped = asyncio.Event()

    async def endless() -> AsyncIterator[ServerSentEvent]:
        try:
            yield EVENT
            await asyncio.Event().wait()
        finally:
            stopped.set()

    parts = with_comments(endless(), 0.01)
    assert [await anext(parts) for _ in range(3)] == [COMMENT, EVENT.encode(), COMMENT]
    await parts.aclose()  # type: ignore[attr-defined]  # a generator

    assert stopped.is_set()


def test_response_is_neither_stored_nor_held_back() -> None:
    response = stream_response(_events())

    assert response.content_type == "text/event-stream; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert response.timeout is None


async def _events(*events: ServerSentEvent) -> AsyncIterator[ServerSentEvent]:
    for event in events:
        yield event
