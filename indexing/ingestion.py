"""From pages to passages with their vectors: cut the pages as they are read, and embed them."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from indexing.chunking import Chunker
from indexing.embedding import Embedder, Vectors
from indexing.engine_index import searched_text
from indexing.partition.isolation import DocumentHead
from indexing.types import NO_PAGE, Page, Passage

EMBEDDING_BATCH = 64
"""Passages that are embedded in one go: enough to sort by length, few enough to show progress."""

Progress = Callable[[float], Awaitable[None]]
"""Is told the share of the document that is done, 0 to 1; raises to give the reading up."""


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
    progress: Progress,
) -> Ingested:
    """Cut and embed a document as it is read; the next pages are read meanwhile.

    Raises:
        DocumentUnreadable: the file cannot be read, or not within its limits.
    """
    title = fallback_title
    page_count = pages_read = 0
    warnings: list[str] = []
    waiting: list[Passage] = []
    done: list[tuple[Passage, Vectors]] = []
    chunker = Chunker()

    async def embed_waiting() -> None:
        texts = [searched_text(title, passage) for passage in waiting]
        vectors = await asyncio.to_thread(embedder.embed, texts)
        done.extend(zip(waiting, vectors, strict=True))
        waiting.clear()
        await progress(pages_read / max(page_count, pages_read, 1))

    async with aclosing(document):
        async for item in document:
            match item:
                case DocumentHead():
                    title = item.title or fallback_title
                    page_count = item.page_count
                case Page():
                    pages_read += is_counted(item)
                    waiting += chunker.chunk_page(item)
                    if item.warning:
                        warnings.append(item.warning)
                    if len(waiting) >= EMBEDDING_BATCH:
                        await embed_waiting()
    await embed_waiting()
    return Ingested(title, pages_read, done, warnings)


def is_counted(page: Page) -> bool:
    """Tell a page, slide or sheet from text of which no page is known."""
    return page.number != NO_PAGE or bool(page.label)
