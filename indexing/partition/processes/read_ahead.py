"""Read the next pages of a document on the processors that are free, and yield them in order.

One reader keeps one processor busy. Where others have nothing to do, further readers take the
stretches that follow, and where none is left, a half of one that is being read: of a scan, whose
pages take seconds each, and of a text so long that this saves more than a reader costs. Each
stretch is a reading of its own, with the limits of one.
"""

import asyncio
import math
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from statistics import fmean

from indexing.partition.processes.isolation import DocumentHead
from indexing.partition.processes.reader_process import MANY_PAGES, PAGES_AT_ONCE
from indexing.types import Page, ReadBy

SLOW_SECONDS = 0.3
"""A page that takes this long was looked at; to begin a reading in its middle takes a tenth."""

LOOKED_BACK = 6
SLOW_FROM_THE_START = 3
"""As many slow pages are a scan. What several pages show (a logo) is looked at on one of them."""

SLOW_STRETCH = 4
LONGEST_STRETCH = 64
"""Pages that one reader reads of a scan, and of a text: they wait in memory, and a death costs
them.
"""

WORTH_SECONDS = 0.02
"""A text that takes this long is worth a reader. One that has read others begins within a fifth of
it; a new one takes most of it, and no more than it saves.
"""

Items = AsyncGenerator[DocumentHead | Page, None]
Read = Callable[[slice, int], Items]
"""Reads the head of a document, and the pages at these positions, so many of them in step."""

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
    try:
        async with aclosing(reading.items()) as items:
            async for item in items:
                yield item
    finally:
        await reading.end()


class _ReadingAhead:
    """How far a document is read, and the stretches that are being read of it, in their order."""

    def __init__(self, read: Read, first: int, readers: int) -> None:
        self._read = read
        self._readers = readers
        self._position = first  # of the next page that is yielded
        self._page_count = 0
        self._last_pages: deque[Page] = deque(maxlen=LOOKED_BACK)
        self._stretches: deque[_Stretch] = deque()
        self._is_over = False
        self._begin(0, first, None)

    async def items(self) -> Items:
        """Yield the head and the pages; begin further stretches where they help."""
        while self._stretches:
            stretch = self._stretches[0]
            while (item := await stretch.next_item()) is not None:
                if isinstance(item, Page):
                    self._position += 1
                    self._last_pages.append(item)
                    self._begin_further()
                    yield item
                elif not self._page_count:
                    self._page_count = item.page_count
                    yield item
                if self._position == stretch.end:
                    break
            if self._position != stretch.end:
                return  # That was the end of the document.
            await stretch.task
            self._stretches.popleft()
            if not self._stretches and self._position < self._page_count:
                self._begin(0, self._position, None)

    async def end(self) -> None:
        """End all readers."""
        self._is_over = True
        for stretch in self._stretches:
            stretch.task.cancel()
        await asyncio.gather(*(one.task for one in self._stretches), return_exceptions=True)

    def _begin_further(self) -> None:
        """Give readers that are free something to do: with each page, and each reader that ends."""
        if self._is_over or not self._stretches:
            return
        while len(_going_on) < self._readers and len(self._stretches) < 2 * self._readers:
            fewest, most = self._lengths()
            last = self._stretches[-1]
            if not most:
                return
            if last.end is not None and last.end < self._page_count:
                start, end = last.end, min(last.end + most, self._page_count)
                self._begin(len(self._stretches), start, end)
                continue
            # All is given out, so a free reader takes a half of what another one has left.
            longest = max(self._stretches, key=self._count_unread)
            half = self._count_unread(longest) // 2
            if half < fewest:
                return
            end = longest.end or min(self._page_count, longest.position + 2 * most)
            longest.end = end - min(half, most)
            self._begin(self._stretches.index(longest) + 1, longest.end, end)

    def _begin(self, place: int, start: int, end: int | None) -> None:
        """Begin a stretch that comes at this place among the others."""
        # What is read in step nobody else can take.
        at_once = 1 if len(_going_on) + 1 < self._readers else PAGES_AT_ONCE
        stretch = _Stretch(self._read, start, end, at_once)
        self._stretches.insert(place, stretch)
        stretch.task.add_done_callback(lambda _: self._begin_further())

    def _count_unread(self, stretch: "_Stretch") -> int:
        """Return how many pages of a stretch are left, but for those that are read in step."""
        end = stretch.position if stretch.task.done() else stretch.end or self._page_count
        in_step = stretch.at_once if stretch.at_once > 1 else 0
        return max(end - stretch.position - in_step, 0)

    def _lengths(self) -> tuple[int, int]:
        """Return how many pages are worth a reader, and how many it may take; 0 for none."""
        pages = self._last_pages
        slow = sum(page.seconds >= SLOW_SECONDS for page in pages)
        are_helped = len(self._stretches) > 1
        if slow and len(pages) < SLOW_FROM_THE_START:
            return 0, 0
        if slow == len(pages) or (are_helped and 2 * slow >= len(pages)):
            return 1, SLOW_STRETCH
        # Nor could the passages of so many be embedded as fast as one reads.
        if slow or self._page_count > MANY_PAGES:
            return 0, 0
        seconds = fmean(page.seconds for page in pages)
        is_plain = all(page.read_by is ReadBy.TEXT for page in pages)
        if not is_plain or seconds * LONGEST_STRETCH < WORTH_SECONDS:
            return 0, 0
        return math.ceil(WORTH_SECONDS / seconds), LONGEST_STRETCH


class _Stretch:
    """The pages from a position to another, read whether or not somebody takes them yet.

    `end` may be brought forward while they are read; None is that of the document.
    """

    def __init__(self, read: Read, start: int, end: int | None, at_once: int) -> None:
        self.position = start  # of the next page that is read
        self.end = end
        self.at_once = at_once
        self._items: asyncio.Queue[DocumentHead | Page | None] = asyncio.Queue()
        self._room = asyncio.Semaphore(LONGEST_STRETCH)
        self.task = asyncio.create_task(self._read(read(slice(start, end), at_once)))
        _going_on.add(self.task)
        self.task.add_done_callback(_going_on.discard)

    async def next_item(self) -> DocumentHead | Page | None:
        """Return the head, then page by page, and None behind the last.

        Raises:
            DocumentUnreadable: the next page ended the reading.
        """
        item = await self._items.get()
        self._room.release()
        if item is None:
            await self.task
        return item

    async def _read(self, items: Items) -> None:
        try:
            async with aclosing(items):
                async for item in items:
                    await self._room.acquire()
                    self._items.put_nowait(item)
                    self.position += isinstance(item, Page)
                    if self.position == self.end:
                        break
        finally:
            self._items.put_nowait(None)
