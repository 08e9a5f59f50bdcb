"""From pages to passages: cut the pages as they are read, and embed meanwhile what is cut."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from indexing.chunking import Chunker
from indexing.embedding import EmbedderAway, Vectors
from indexing.embedding_line import EMBEDDING_BATCH, EmbeddingLine
from indexing.headers import document_name
from indexing.partition.processes.isolation import DocumentHead
from indexing.types import NO_PAGE, Page, Passage

CHECKPOINT_SECONDS = 1.0
"""How often the pages read so far are handed over, so that no death costs more than this."""

PASSAGES_AT_A_TIME = 100
"""Of a page, which may be a text of any length: others want to go on meanwhile."""

Checkpoint = Callable[[float, int, Sequence[Page]], Awaitable[None]]
"""Is given the share of the pages that are read, 0 to 1, and the pages read since the last time,
with the position of the first of them. It raises to give the reading up.
"""


@dataclass(frozen=True, slots=True)
class Ingested:
    """A document that was read, ready to be stored."""

    name: str  # of the document, by which it is searched too
    page_count: int
    passages: Sequence[tuple[Passage, Vectors | None]]  # with the vectors that are known already


async def ingest(
    document: AsyncGenerator[DocumentHead | Page, None],
    *,
    file_name: str,
    line: EmbeddingLine,
    checkpoint: Checkpoint,
    read_before: Sequence[Page] = (),
) -> Ingested:
    """Cut a document as it is read, and embed what there is time for until its last page.

    A text is read a hundred times faster than it is embedded, so most of its passages come without
    a vector: they can be found by their words at once. Of a scan most come with theirs, unless
    other documents stand in line.

    `read_before` are the pages that an earlier attempt has read; `document` goes on behind them.

    Raises:
        DocumentUnreadable: the file cannot be opened.
    """
    work = _Work(line, checkpoint)
    name = ""
    try:
        async with aclosing(document):
            async for item in document:
                match item:
                    case DocumentHead():
                        name = document_name(item.title, file_name)
                        work.page_count = item.page_count
                        for page in read_before:
                            await work.add(page, is_new=False)
                    case Page():
                        await work.add(item)
        await work.hand_over()
        vectors = await work.vectors()
    except BaseException:
        work.give_up()
        raise
    passages = [(passage, vectors.get(passage.position)) for passage in work.passages]
    # Where the reading broke off, one entry stands for all pages that follow.
    return Ingested(name, max(work.page_count, work.counted), passages)


@dataclass(slots=True)
class _Work:
    """A document on its way through."""

    line: EmbeddingLine
    checkpoint: Checkpoint
    page_count: int = 0
    pages_read: int = 0
    counted: int = 0  # pages, slides and sheets; not text of which no page is known
    handed_over_at: float = field(default_factory=time.monotonic)
    chunker: Chunker = field(default_factory=Chunker)
    new_pages: list[Page] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    embedded: int = 0  # passages, the first of all; those of the batch in work among them
    batches: list["asyncio.Task[Vectors]"] = field(default_factory=list)

    async def add(self, page: Page, *, is_new: bool = True) -> None:
        """Take the next page in; embed when there is enough, hand over when it is time."""
        self.pages_read += 1
        self.counted += page.number != NO_PAGE or bool(page.label)
        if is_new:
            self.new_pages.append(page)
        for number, passage in enumerate(self.chunker.chunk_page(page), start=1):
            self.passages.append(passage)
            if number % PASSAGES_AT_A_TIME == 0:
                await asyncio.sleep(0)
        self.embed_next()
        if time.monotonic() - self.handed_over_at >= CHECKPOINT_SECONDS:
            await self.hand_over()

    def embed_next(self) -> None:
        """Begin with the next batch when there is a whole one, and nothing stands before it."""
        if not self.line.is_free or (self.batches and not self.batches[-1].done()):
            return
        batch = self.passages[self.embedded : self.embedded + EMBEDDING_BATCH]
        if len(batch) == EMBEDDING_BATCH:
            texts = [(passage.place, passage.content) for passage in batch]
            self.batches.append(asyncio.create_task(self.line.embed(texts)))
            self.embedded += EMBEDDING_BATCH

    async def vectors(self) -> dict[int, Vectors]:
        """Return the vectors there are, by the positions of their passages.

        Those that a service did not give come later: the words need not wait for it.
        """
        vectors: dict[int, Vectors] = {}
        for number, batch in enumerate(self.batches):
            with suppress(EmbedderAway):
                vectors |= enumerate(await batch, start=number * EMBEDDING_BATCH)
        return vectors

    def give_up(self) -> None:
        """Wait no longer for the batch in work; its thread ends by itself."""
        for batch in self.batches:
            batch.cancel()

    async def hand_over(self) -> None:
        """Tell how far the work is, and give the new pages away."""
        # Of a document that does not know its pages one more is always to come.
        share = self.pages_read / max(self.page_count or self.pages_read + 1, self.pages_read)
        first = self.pages_read - len(self.new_pages)
        await self.checkpoint(share, first, tuple(self.new_pages))
        self.new_pages.clear()
        self.handed_over_at = time.monotonic()
