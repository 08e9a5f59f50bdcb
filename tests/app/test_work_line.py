import asyncio
from contextlib import AsyncExitStack

import pytest

from app.work_line import (
    PAGES_AT_WORK,
    PAGES_IN_LINE,
    RUNS_IN_LINE,
    WorkLine,
    drawing_line,
    extraction_line,
)
from config.errors import Unavailable


async def test_searches_go_on_in_the_order_they_came() -> None:
    line = WorkLine(at_work=2)
    begun: list[int] = []
    most_at_work = at_work = 0

    async def search(number: int) -> None:
        nonlocal at_work, most_at_work
        async with line.turn():
            begun.append(number)
            at_work += 1
            most_at_work = max(most_at_work, at_work)
            await asyncio.sleep(0)
            at_work -= 1

    await asyncio.gather(*(search(number) for number in range(10)))

    assert begun == list(range(10))
    assert most_at_work == 2


async def test_search_beyond_the_line_is_refused_at_once() -> None:
    line = WorkLine(at_work=1, longest_line=1)
    async with line.turn():
        waiting = asyncio.create_task(take(line))
        await asyncio.sleep(0)

        with pytest.raises(Unavailable) as refusal:
            await take(line)

    await waiting
    await take(line)
    assert refusal.value.message == "too many searches at once"


async def test_search_whose_turn_does_not_come_is_refused() -> None:
    line = WorkLine(at_work=1, patience_seconds=0)

    async with line.turn():
        with pytest.raises(Unavailable):
            await take(line)

    await take(line)


async def test_search_that_fails_gives_its_turn_back() -> None:
    line = WorkLine(at_work=1, longest_line=0)

    with pytest.raises(ZeroDivisionError):
        async with line.turn():
            raise ZeroDivisionError

    await take(line)


async def test_search_that_goes_away_leaves_the_line() -> None:
    line = WorkLine(at_work=1, longest_line=1)
    async with line.turn():
        waiting = asyncio.create_task(take(line))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])

        line.refuse_when_full()

    await take(line)


async def test_page_beyond_the_line_is_refused_in_its_own_words() -> None:
    line = drawing_line()
    async with AsyncExitStack() as at_work:
        for _ in range(PAGES_AT_WORK):
            await at_work.enter_async_context(line.turn())
        waiting = [asyncio.create_task(take(line)) for _ in range(PAGES_IN_LINE)]
        await asyncio.sleep(0)

        with pytest.raises(Unavailable, match="too many pages are being drawn at once"):
            line.refuse_when_full()

    await asyncio.gather(*waiting)


async def test_tool_run_waits_as_long_as_those_before_it_take() -> None:
    line = extraction_line(at_work=1)
    async with line.turn():
        waiting = [asyncio.create_task(take(line)) for _ in range(RUNS_IN_LINE)]
        await asyncio.sleep(0)

        with pytest.raises(Unavailable, match="too many tool runs at once"):
            line.refuse_when_full()

    await asyncio.gather(*waiting)


async def take(line: WorkLine) -> None:
    async with line.turn():
        pass
