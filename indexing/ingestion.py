"""From pages to passages with their vectors: cut the pages as they are read, and embed them."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from indexing.chunking import Chunker
from indexing.embedding import Embedder, Vectors
from indexing.engine_index import searched_text
from indexing.partition.isolation import DocumentHead
from indexing.types import NO_PAGE, Page, Passage

EMBEDDING_BATCH = 64
"""Passages that are embedded in one go: enough to sort by length, few enough to show progress."""

CHECKPOINT_SECONDS = 1.0
"""How often the pages read so far are handed over, so that no death costs more than this."""

Checkpoint = Callable[[float, int, Sequence[Page]], Awaitable[None]]
"""Is given the share of the document that is done, 0 to 1, and the pages read since the last time,
with the position of the first of them. It raises to give the reading up.
"""


@dataclass(frozen=True, slots=True)
class Ingested:
    """A document, ready to be stored."""

    title: str
    page_count: int
    passages: Sequence[tuple[Passage, Vectors]]
    warnings: Sequence[str]  # a sentence for each page that could not be read


async def ingest(
    document: AsyncGenerator[DocumentHead | Page, None],
    *,
    fallback_title: str,
    embedder: Embedder,
    checkpoint: Checkpoint,
    read_before: Sequence[Page] = (),
) -> Ingested:
    """Cut and embed a document as it is read; the next pages are read meanwhile.

    `read_before` are the pages that an earlier attempt has read; `document` goes on behind them.

    Raises:
        DocumentUnreadable: the file cannot be read, or not within its limits.
    """
    work = _Work(fallback_title, embedder, checkpoint)
    async with aclosing(document):
        async for item in document:
            match item:
                case DocumentHead():
                    work.title = item.title or fallback_title
                    work.page_count = item.page_count
                    for page in read_before:
                        await work.add(page, is_new=False)
                case Page():
                    await work.add(item)
    await work.embed_waiting()
    await work.hand_over()
    return Ingested(work.title, work.counted, work.done, work.warnings)


@dataclass(slots=True)
class _Work:
    """A document on its way through."""

    title: str
    embedder: Embedder
    checkpoint: Checkpoint
    page_count: int = 0
    pages_read: int = 0
    counted: int = 0  # pages, slides and sheets; not text of which no page is known
    handed_over_at: float = field(default_factory=time.monotonic)
    chunker: Chunker = field(default_factory=Chunker)
    new_pages: list[Page] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    waiting: list[Passage] = field(default_factory=list)
    done: list[tuple[Passage, Vectors]] = field(default_factory=list)

    async def add(self, page: Page, *, is_new: bool = True) -> None:
        """Take the next page in; embed when there is enough, hand over when it is time."""
        self.pages_read += 1
        self.counted += page.number != NO_PAGE or bool(page.label)
        if is_new:
            self.new_pages.append(page)
        self.waiting += self.chunker.chunk_page(page)
        if page.warning:
            self.warnings.append(page.warning)
        if len(self.waiting) >= EMBEDDING_BATCH:
            await self.embed_waiting()
        if time.monotonic() - self.handed_over_at >= CHECKPOINT_SECONDS:
            await self.hand_over()

    async def embed_waiting(self) -> None:
        """Embed the passages that wait."""
        texts = [searched_text(self.title, passage) for passage in self.waiting]
        vectors = await asyncio.to_thread(self.embedder.embed, texts)
        self.done.extend(zip(self.waiting, vectors, strict=True))
        self.waiting.clear()

    async def hand_over(self) -> None:
        """Tell how far the work is, and give the new pages away."""
        share = self.pages_read / max(self.page_count, self.pages_read, 1)
        first = self.pages_read - len(self.new_pages)
        await self.checkpoint(share, first, tuple(self.new_pages))
        self.new_pages.clear()
        self.handed_over_at = time.monotonic()
