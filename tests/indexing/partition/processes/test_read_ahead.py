import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from indexing.partition.processes.isolation import DocumentHead
from indexing.partition.processes.read_ahead import (
    LONGEST_STRETCH,
    SLOW_SECONDS,
    SLOW_STRETCH,
    WORTH_SECONDS,
    read_ahead,
)
from indexing.partition.processes.reader_process import PAGES_AT_ONCE
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Page, ReadBy


@dataclass
class Book:
    """A document whose every page says how long it took, and the readings of it."""

    page_count: int
    fast: Collection[int] = ()
    fast_seconds: float = WORTH_SECONDS / 10
    read_by: ReadBy = ReadBy.TEXT
    unreadable: Collection[int] = ()
    lasting: Collection[int] = ()
    begun: list[slice] = field(default_factory=list)
    in_step: list[int] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    async def read(
        self, positions: slice, in_step: int
    ) -> AsyncGenerator[DocumentHead | Page, None]:
        self.begun.append(positions)
        self.in_step.append(in_step)
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            yield DocumentHead("Book", self.page_count)
            for position in range(*positions.indices(self.page_count)):
                lasts = position + 1 in self.lasting
                await asyncio.sleep(0.02 if lasts else 0.001 * (1 + position % 3))
                if position + 1 in self.unreadable:
                    raise DocumentUnreadable(f"page {position + 1}")
                seconds = self.fast_seconds if position + 1 in self.fast else SLOW_SECONDS
                yield Page(position + 1, (), read_by=self.read_by, seconds=seconds)
        finally:
            self.at_once -= 1


async def numbers(book: Book, first: int = 0, readers: int = 3) -> list[int]:
    head, *pages = [item async for item in read_ahead(book.read, first, readers)]
    assert head == DocumentHead("Book", book.page_count)
    return [page.number for page in pages if isinstance(page, Page)]


async def test_long_text_is_read_by_all_readers_in_stretches() -> None:
    book = Book(500, fast=range(1, 501))

    assert await numbers(book) == list(range(1, 501))
    assert book.most_at_once == 3
    lengths = [one.stop - one.start for one in book.begun if one.stop is not None]
    assert max(lengths) == LONGEST_STRETCH
    assert min(lengths) >= 10  # What such pages must be to be worth a reader.


async def test_short_text_is_read_by_halves_from_its_second_page_on() -> None:
    book = Book(43, fast=range(1, 44))

    assert await numbers(book, readers=2) == list(range(1, 44))
    assert book.begun[:2] == [slice(0, None), slice(22, 43)]


async def test_pages_that_another_reader_may_take_are_not_read_in_step() -> None:
    book = Book(43, fast=range(1, 44))

    await numbers(book, readers=2)

    assert book.in_step[:2] == [1, PAGES_AT_ONCE]


async def test_pages_that_are_read_in_step_are_taken_by_nobody_else() -> None:
    other = Book(4, fast=range(1, 5))
    book = Book(24, fast=range(1, 25))

    await asyncio.gather(numbers(other, readers=2), numbers(book, readers=2))

    assert book.in_step == [PAGES_AT_ONCE]


async def test_reader_that_has_done_takes_a_half_of_what_another_has_left() -> None:
    book = Book(63, fast=range(1, 64), lasting=range(4, 32))

    assert await numbers(book, readers=2) == list(range(1, 64))
    _, half, *further = book.begun
    assert half == slice(32, 63)
    assert further
    assert all(4 <= one.start < one.stop <= 32 for one in further)


async def test_scan_is_shared_to_its_last_page() -> None:
    book = Book(8, lasting=[5])

    assert await numbers(book, readers=2) == list(range(1, 9))
    assert book.begun == [slice(0, None), slice(6, 8), slice(5, 6)]


async def test_nothing_is_taken_from_a_reader_that_failed() -> None:
    book = Book(43, fast=range(1, 44), lasting=range(4, 43), unreadable=[30])

    with pytest.raises(DocumentUnreadable, match="page 30"):
        await numbers(book, readers=2)
    assert not any(one.start >= 30 for one in book.begun)


@pytest.mark.parametrize(
    "book",
    [
        pytest.param(Book(20, fast=range(1, 21)), id="too short"),
        pytest.param(Book(501, fast=range(1, 502)), id="too long"),
        pytest.param(Book(100, fast=range(1, 101), fast_seconds=0.0001), id="too fast"),
        pytest.param(Book(100, fast=range(1, 101), read_by=ReadBy.MIXED), id="with a logo"),
    ],
)
async def test_text_that_is_not_worth_it_is_read_by_one_reader(book: Book) -> None:
    assert await numbers(book) == list(range(1, book.page_count + 1))
    assert book.begun == [slice(0, None)]


async def test_picture_here_and_there_is_no_scan() -> None:
    fast = [number for number in range(1, 101) if number % 9 < 4]
    book = Book(100, fast, fast_seconds=0.0001)

    assert await numbers(book) == list(range(1, 101))
    assert book.begun == [slice(0, None)]


async def test_text_behind_a_scan_is_read_by_one_reader_again() -> None:
    book = Book(300, fast=range(40, 201), fast_seconds=0.0001)

    assert await numbers(book) == list(range(1, 301))
    in_text = [one for one in book.begun if 39 <= one.start < 200]
    back = max(in_text, key=lambda one: one.start)
    assert back.stop is None
    assert back.start <= 40 + 8 * SLOW_STRETCH


@pytest.mark.parametrize("page_count", [1, SLOW_STRETCH, SLOW_STRETCH + 2, 5 * SLOW_STRETCH, 100])
@pytest.mark.parametrize("first", [0, 1, SLOW_STRETCH])
async def test_slow_pages_come_once_and_in_their_order(page_count: int, first: int) -> None:
    book = Book(page_count)

    assert await numbers(book, first) == list(range(first + 1, page_count + 1))
    assert book.at_once == 0


async def test_every_reader_reads_slow_pages() -> None:
    book = Book(100)

    await numbers(book, readers=3)

    assert book.most_at_once == 3


async def test_one_reader_reads_from_the_first_page_to_the_last() -> None:
    book = Book(100)

    await numbers(book, readers=1)

    assert book.begun == [slice(0, None)]


async def test_all_documents_share_the_readers() -> None:
    library = Book(60)

    read = await asyncio.gather(*(numbers(library, readers=3) for _ in range(3)))

    assert read == [list(range(1, 61))] * 3
    assert library.most_at_once <= 5  # Each goes on, whatever the others do.


async def test_page_that_ends_its_reader_comes_after_those_before_it() -> None:
    book = Book(60, unreadable=[20])
    came = []

    async def take_all() -> None:
        async for item in read_ahead(book.read, 0, 3):
            came.append(item)

    with pytest.raises(DocumentUnreadable, match="page 20"):
        await take_all()
    assert [page.number for page in came[1:] if isinstance(page, Page)] == list(range(1, 20))
    assert book.at_once == 0


@pytest.mark.parametrize("taken", [0, 1, 2, 10, 30])
async def test_caller_that_stops_ends_all_readers(taken: int) -> None:
    book = Book(60)

    async with aclosing(read_ahead(book.read, 0, 3)) as items:
        async for number in _counted(items):
            if number == taken:
                break

    assert book.at_once == 0
    assert await numbers(book) == list(range(1, 61))


async def test_not_many_pages_wait_to_be_taken() -> None:
    book = Book(1_000)

    async with aclosing(read_ahead(book.read, 0, 3)) as items:
        async for number in _counted(items):
            if number == 10:
                await asyncio.sleep(0.5)
                break

    assert 10 + SLOW_STRETCH < max(one.stop or 0 for one in book.begun) < 10 + 8 * SLOW_STRETCH


async def _counted(items: AsyncGenerator[DocumentHead | Page, None]) -> AsyncGenerator[int, None]:
    number = 0
    async for _ in items:
        yield number
        number += 1
