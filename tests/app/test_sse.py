import asyncio
from collections.abc import AsyncIterator

import pytest

from app.sse import COMMENT, Outbox, ServerSentEvent, error_event, stream_response

EVENT = ServerSentEvent("message", '"a"')


def test_event_is_written_in_three_lines() -> None:
    assert EVENT.encode("strm_1-2") == b'id: strm_1-2\nevent: message\ndata: "a"\n\n'


def test_event_without_an_id_is_written_in_two() -> None:
    assert EVENT.encode() == b'event: message\ndata: "a"\n\n'


def test_error_is_a_last_event() -> None:
    error = error_event("broken")

    assert (error.event, error.data, error.is_last) == ("error", '{"error": "broken"}', True)
    assert not EVENT.is_last


@pytest.mark.parametrize("data", ["a\nb", "a\rb"])
def test_line_end_in_an_event_is_a_mistake_of_ours(data: str) -> None:
    with pytest.raises(AssertionError):
        ServerSentEvent("message", data).encode()


async def test_comment_comes_first_and_closing_is_the_end() -> None:
    outbox = Outbox()

    making = asyncio.create_task(fill(outbox, b"1", b"2", b"3"))

    assert [block async for block in outbox.blocks()] == [COMMENT, b"1", b"2", b"3"]
    assert making.done()


async def test_what_waits_is_sent_together() -> None:
    outbox = Outbox()
    await fill(outbox, b"1", b"2")

    assert [block async for block in outbox.blocks()] == [COMMENT, b"12"]


async def test_every_silence_holds_a_comment() -> None:
    outbox = Outbox(silence_seconds=0.04)

    async def make() -> None:
        for block in (b"1", b"2"):
            await asyncio.sleep(0.15)
            await outbox.put(block)
        outbox.close()

    making = asyncio.create_task(make())
    sent = b"".join([block async for block in outbox.blocks()])
    await making

    before, between = sent.removesuffix(b"2").split(b"1")
    assert before.startswith(3 * COMMENT)
    assert COMMENT in between
    assert set(sent.split(COMMENT)) <= {b"", b"1", b"2"}


async def test_who_makes_more_than_is_taken_waits() -> None:
    outbox = Outbox(most_bytes=3)
    making = asyncio.create_task(fill(outbox, *[b"x"] * 10))
    blocks = outbox.blocks()
    await anext(blocks)

    await asyncio.wait([making], timeout=0.05)
    has_waited = outbox.is_full and not making.done()
    rest = [block async for block in blocks]

    assert has_waited
    assert max(map(len, rest)) <= 3
    assert b"".join(rest) == b"x" * 10


async def test_nobody_waits_for_an_outbox_that_is_closed() -> None:
    outbox = Outbox(most_bytes=1)
    making = asyncio.create_task(fill(outbox, b"1", b"2"))
    await asyncio.sleep(0)

    outbox.close()
    await asyncio.wait_for(making, 1)

    assert [block async for block in outbox.blocks()] == [COMMENT, b"1"]


async def test_silence_behind_a_block_that_nobody_takes_adds_nothing() -> None:
    outbox = Outbox(silence_seconds=0.01)
    blocks = outbox.blocks()
    await anext(blocks)
    pending = asyncio.ensure_future(anext(blocks))
    await outbox.put(b"1")
    await pending
    await outbox.put(b"2")

    await asyncio.sleep(0.05)

    assert await anext(blocks) == b"2"


def test_response_is_neither_stored_nor_held_back() -> None:
    response = stream_response(nothing())

    assert response.content_type == "text/event-stream; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert response.timeout is None


async def fill(outbox: Outbox, *blocks: bytes) -> None:
    for block in blocks:
        await outbox.put(block)
    outbox.close()


async def nothing() -> AsyncIterator[bytes]:
    yield COMMENT
