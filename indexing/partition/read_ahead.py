"""Read the next pages of a document while one takes long, on the processors that are free.

A text is read faster than its pages can be taken. A scan takes seconds a page, and one reader
keeps one processor busy: here others read the stretches that follow, and all pages still come in
their order. Each stretch is a reading of its own, with the limits of one.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager

from indexing.partition.formats import DocumentFormat
from indexing.partition.isolation import DocumentHead
from indexing.types import Page

SLOW_SECONDS = 0.3
"""A page that takes this long was looked at; to begin a reading in its middle takes a tenth."""

STRETCH = 6
"""Pages that one reader reads: what they have in common is looked at once in each."""

CAN_BEGIN_ANYWHERE = frozenset((DocumentFormat.PDF, DocumentFormat.TIFF))
"""Formats of which a page can be reached without reading, or converting, those before it."""

Items = AsyncGenerator[DocumentHead | Page, None]
Read = Callable[[slice], Items]
"""Reads the head of a document, and the pages at these positions."""

_going_on: set[object] = set()
"""The readings of this process, of all documents: each keeps a processor busy."""


async def read_ahead(read: Read, first: int, readers: int) -> Items:
    """Yield the head of a document and its pages from a position on, as `read` reads them.

    One reader always reads; further ones where fewer than `readers` read in this process.

    Raises:
        DocumentUnreadable: a page ended its reading; those before it have been yielded.
    """
    page_count = position = first
    with _counted():
        async with aclosing(read(slice(first, None))) as items:
            async for item in items:
                yield item
                if isinstance(item, DocumentHead):
                    page_count = item.page_count
                    continue
                position += 1
                is_slow = item.seconds >= SLOW_SECONDS
                if is_slow and page_count - position > STRETCH and len(_going_on) < readers:
                    break
            else:
                return
    async with aclosing(
        _in_stretches(read, range(position, page_count, STRETCH), readers)
    ) as pages:
        async for page in pages:
            yield page


async def _in_stretches(read: Read, firsts: range, readers: int) -> AsyncGenerator[Page, None]:
    starts = deque(firsts)
    ahead: deque[_Stretch] = deque()

    def begin() -> None:
        while starts and len(ahead) < 2 * readers and (not ahead or len(_going_on) < readers):
            start = starts.popleft()
            # The last is open: what a document says of its length need not be so.
            ahead.append(_Stretch(read(slice(start, start + STRETCH if starts else None))))

    try:
        begin()
        while ahead:
            while (page := await ahead[0].next_page()) is not None:
                yield page
                begin()
            ahead.popleft()
            begin()
    finally:
        for stretch in ahead:
            stretch.task.cancel()
        await asyncio.gather(*(stretch.task for stretch in ahead), return_exceptions=True)


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


@contextmanager
def _counted() -> Iterator[None]:
    reading = object()
    _going_on.add(reading)
    try:
        yield
    finally:
        _going_on.discard(reading)
