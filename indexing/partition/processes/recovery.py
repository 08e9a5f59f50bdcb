"""Read a document past the pages at which a reader fails, hangs or dies."""

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path

from indexing.partition.continuation import continued
from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.isolation import (
    DocumentHead,
    ReadLimits,
    TimeIsOver,
    read_isolated,
)
from indexing.partition.processes.read_ahead import read_ahead
from indexing.partition.processes.reader_process import Looks
from indexing.partition.reader import FIXED_PAGES, SHEETS, SKIPPERS, TEXT_LAYERS
from indexing.partition.unreadable import TOO_MUCH, DocumentUnreadable
from indexing.types import NO_PAGE, Block, Page

MAX_FAILURES = 100
"""Each costs a process or two; a document with more has nothing worth the time."""

TEXT_SECONDS = 10
"""The text of a page takes milliseconds."""


async def read_past_failures(
    path: Path,
    file_format: DocumentFormat,
    limits: ReadLimits,
    *,
    read_before: Sequence[Page] = (),
    with_figures: bool = False,
) -> AsyncGenerator[DocumentHead | Page, None]:
    """Yield what `read_isolated` yields; a page that ends its reader becomes one with a warning.

    Its text comes, if the file has one that can be read without looking at the page. Formats that
    cannot be opened at a page end there: the warning is then for all that follows. So does a
    document that does not know its pages, where no further one comes. The pages that
    an earlier reading has are left out, and the next is read as it stands behind them.

    Raises:
        DocumentUnreadable: the document cannot even be opened.
    """
    reading = _Reading(
        path, file_format, limits, with_figures, len(read_before), limits.wall_seconds
    )
    reading.before = next((page.blocks for page in reversed(read_before) if page.blocks), ())
    while not reading.is_over:
        try:
            async with aclosing(reading.read_on()) as items:
                async for item in items:
                    yield item
        except DocumentUnreadable as error:
            if reading.head is None:
                raise
            yield await reading.pass_over(error)


@dataclass(slots=True)
class _Reading:
    """How far a document is read."""

    path: Path
    file_format: DocumentFormat
    limits: ReadLimits
    with_figures: bool
    position: int  # of the next page
    seconds_left: float
    head: DocumentHead | None = None
    before: tuple[Block, ...] = ()  # of the last page that has any
    characters: int = 0
    failures: int = 0
    got_on: bool = False  # since the last failure
    is_over: bool = False

    async def read_on(self) -> AsyncGenerator[DocumentHead | Page, None]:
        """Yield the head once, and the pages from the position on."""
        asked = time.monotonic()
        try:
            async with aclosing(self._items()) as items:
                async for item in items:
                    self.seconds_left -= time.monotonic() - asked
                    if isinstance(item, Page):
                        if excess := self._count(item):
                            warning = f"{excess}; the rest was not read, split it"
                            yield Page(NO_PAGE, (), warning=warning)
                            break
                        yield self._in_place(item)
                    elif self.head is None:
                        self.head = item
                        yield item
                    asked = time.monotonic()
            self.is_over = True
        except DocumentUnreadable:
            self.seconds_left -= time.monotonic() - asked
            raise

    def _items(self) -> AsyncGenerator[DocumentHead | Page, None]:
        def read(
            pages: slice, at_once: int = self.limits.at_once
        ) -> AsyncGenerator[DocumentHead | Page, None]:
            return read_isolated(
                self.path,
                self.file_format,
                replace(self.limits, wall_seconds=max(self.seconds_left, 0), at_once=at_once),
                pages=pages,
                looks=Looks.FOR_FIGURES if self.with_figures else Looks.FOR_WORDS,
            )

        # Only who reads them all knows which figures were shown before.
        if self.file_format in FIXED_PAGES and not self.with_figures:
            return read_ahead(read, self.position, self.limits.readers)
        return read(slice(self.position, None))

    def _in_place(self, page: Page) -> Page:
        if self.file_format in FIXED_PAGES:
            page = continued(page, self.before)
            self.before = page.blocks or self.before
        return page

    def _count(self, page: Page) -> str:
        """Count a page in; say what the document has too much of, "" for nothing."""
        self.position += 1
        self.got_on = True
        blocks = sum(len(block.text) + len(block.header) for block in page.blocks)
        self.characters += blocks + len(page.label) + len(page.warning)
        if self.position > self.limits.pages:
            return f"the document has more than {self.limits.pages:,} pages"
        if self.characters > self.limits.characters:
            return f"the document has more than {self.limits.characters:,} letters"
        return ""

    async def pass_over(self, error: DocumentUnreadable) -> Page:
        """Return a page that stands for what cannot be read, and go on behind it if possible."""
        assert self.head is not None
        self.failures += 1
        self.position += 1
        if isinstance(error, TimeIsOver):
            # Ahead of who takes its pages, a reader may use time up that nobody has waited.
            self.seconds_left = 0
        got_on, self.got_on = self.got_on, False
        number, page_count = self.position, self.head.page_count
        # A document that does not know its pages may have a further one, if this attempt had one.
        may_go_on = number < page_count if page_count else got_on
        is_sheet = self.file_format in SHEETS
        noun, lost = "sheet" if is_sheet else "page", Page(NO_PAGE if is_sheet else number, ())
        self.is_over = (
            self.file_format not in SKIPPERS
            or self.seconds_left <= 0
            or self.failures == MAX_FAILURES
            or not may_go_on
        )
        reason = str(error)
        if self.seconds_left <= 0:
            reason = f"the document took longer than {self.limits.wall_seconds:g} s; {TOO_MUCH}"
        if number > page_count:
            what = "what follows" if self.is_over else "a part of it"
            return Page(NO_PAGE, (), warning=f"{what} cannot be read: {reason}")
        if self.is_over and number < page_count:
            warning = f"{noun}s {number} to {page_count} cannot be read: {reason}"
            return replace(lost, warning=warning)
        if (page := await self._text_alone(number)) is not None:
            return replace(page, warning=f"of page {number} only the text was read: {reason}")
        return replace(lost, warning=f"{noun} {number} cannot be read: {reason}")

    async def _text_alone(self, number: int) -> Page | None:
        """Return a page that ended its reader with the text that the file has of it, if any."""
        if self.file_format not in TEXT_LAYERS:
            return None
        limits = replace(self.limits, wall_seconds=TEXT_SECONDS)
        items = read_isolated(
            self.path,
            self.file_format,
            limits,
            pages=slice(number - 1, number),
            looks=Looks.NOT_AT_ALL,
        )
        asked = time.monotonic()
        try:
            async with aclosing(items):
                found = [item async for item in items if isinstance(item, Page) and item.blocks]
        except DocumentUnreadable:
            return None  # For what reason the page cannot be read was said already.
        finally:
            self.seconds_left -= time.monotonic() - asked
        return self._in_place(found[0]) if found else None
