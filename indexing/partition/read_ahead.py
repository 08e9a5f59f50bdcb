"""Read the next pages of a document while one takes long, on the processors that are free.

A text is read faster than its pages can be taken. A scan takes seconds a page, and one reader
keeps one processor busy: here others read the stretches that follow, and all pages still come in
their order. Each stretch is a reading of its own, with the limits of one.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager

from indexing.partition.isolation import DocumentHead
from indexing.types import Page

SLOW_SECONDS = 0.3
"""A page that takes this long was looked at; to begin a reading in its middle takes a tenth."""

SLOW_FROM_THE_START = 3
SLOW_IN_A_ROW = 6
"""As many slow pages are a scan. What several pages show (a logo) is looked at on one of them."""

STRETCH = 4
"""Pages that one reader reads."""

Items = AsyncGenerator[DocumentHead | Page, None]
Read = Callable[[slice], Items]
"""Reads the head of a document, and the pages at these positions."""

_going_on: set[object] = set()
"""The readings of this process, of all documents: each keeps a processor busy."""


async def read_ahead(read: Read, first: int, readers: int) -> Items:
    """Yield the head of a document and its pages from a position on, as `read` reads them.

    One reader always reads; further ones where fewer than `readers` read in this process. A
    document may change: from text to scanned pages, and back.

    Raises:
        DocumentUnreadable: a page ended its reading; those before it have been yielded.
    """
    reading = _ReadingAhead(read, first, readers)
    while not reading.is_over:
        async with aclosing(reading.read_on()) as items:
            async for item in items:
                yield item
        async with aclosing(reading.read_stretches()) as pages:
            async for page in pages:
                yield page


class _ReadingAhead:
    """How far a document is read, by one reader or several."""

    def __init__(self, read: Read, first: int, readers: int) -> None:
        self.is_over = False
        self._read = read
        self._position = first
        self._readers = readers
        self._page_count = 0

    async def read_on(self) -> Items:
        """Read page by page, to the end or until others can help."""
        read = slow_in_a_row = 0
        with _counted():
            async with aclosing(self._read(slice(self._position, None))) as items:
                async for item in items:
                    if isinstance(item, DocumentHead):
                        if not self._page_count:
                            self._page_count = item.page_count
                            yield item
                        continue
                    yield item
                    self._position += 1
                    read += 1
                    slow_in_a_row = slow_in_a_row + 1 if _is_slow(item) else 0
                    enough = SLOW_FROM_THE_START if slow_in_a_row == read else SLOW_IN_A_ROW
                    is_scan = slow_in_a_row >= enough
                    has_more = self._page_count - self._position > STRETCH
                    if is_scan and has_more and len(_going_on) < self._readers:
                        return
        self.is_over = True

    async def read_stretches(self) -> AsyncGenerator[Page, None]:
        """Read several stretches at once, to the end or until their pages are no longer slow."""
        starts = deque(range(self._position, 0 if self.is_over else self._page_count, STRETCH))
        ahead: deque[_Stretch] = deque()

        def begin() -> None:
            while starts and len(ahead) < 2 * self._readers:
                if ahead and len(_going_on) >= self._readers:
                    break
                start = starts.popleft()
                ahead.append(_Stretch(self._read(slice(start, start + STRETCH))))

        try:
            begin()
            while ahead:
                slow = 0
                while (page := await ahead[0].next_page()) is not None:
                    yield page
                    self._position += 1
                    slow += _is_slow(page)
                    begin()
                ahead.popleft()
                if slow < STRETCH / 2:
                    starts.clear()
                begin()
        finally:
            for stretch in ahead:
                stretch.task.cancel()
            await asyncio.gather(*(stretch.task for stretch in ahead), return_exceptions=True)
        self.is_over = self.is_over or self._position >= self._page_count


class _Stretch:
    """Some pages, read whether or not somebody takes them yet."""

    def __init__(self, items: Items) -> None:
        self._pages: asyncio.Queue[Page | None] = asyncio.Queue()
        self.task = asyncio.create_task(self._read(items))
        _going_on.add(self.task)
        self.task.add_done_callback(_going_on.discard)

    async def next_page(self) -> Page | None:
        """Return the next page, or None at the end; raises what ended the reading."""
        page = await self._pages.get()
        if page is None:
            await self.task
        return page

    async def _read(self, items: Items) -> None:
        try:
            async with aclosing(items):
                async for item in items:
                    if isinstance(item, Page):
                        self._pages.put_nowait(item)
        finally:
            self._pages.put_nowait(None)


def _is_slow(page: Page) -> bool:
    return page.seconds >= SLOW_SECONDS


@contextmanager
def _counted() -> Iterator[None]:
    reading = object()
    _going_on.add(reading)
    try:
        yield
    finally:
        _going_on.discard(reading)
