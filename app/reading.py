"""Reading one queued data source: from its stored file to its chunks, vectors and outcome."""

import asyncio
import logging
import math
import os
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.data_source import (
    DataSource,
    Outcome,
    finish,
    is_waiting,
    note_embedded,
    select_data_source_to_read,
    store,
    update_attempt,
    update_interrupted,
    update_progress,
)
from app.models.data_source_page import insert_pages, select_pages, select_warnings
from app.services import Services
from app.tracing import span
from config.settings import Settings
from indexing.engine_index import Source, VectorsMissing
from indexing.figures import described
from indexing.ingestion import Ingested, ingest
from indexing.memory import give_back
from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.isolation import ReadLimits
from indexing.partition.processes.recovery import read_past_failures
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Page

_logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 4
"""A document whose reading was cut off this often, with nothing new, is the one that does it."""

READING_SHARE = 0.5
"""Of the progress; the rest is embedding. A text is read at once, a scan embedded at once."""

PAGE_SHARE = 0.25
"""Of the time for a document that one page may take: a page that hangs does not cost them all."""

EMBEDDED_AT_ONCE = 512
"""Chunks that are fetched to be embedded; their vectors are stored batch by batch."""

MAX_TOLD_WARNINGS = 10
WATCH_SECONDS = 2.0
"""How long a reading goes on, at the most, after its data source was deleted."""

AWAY = (OperationalError, InterfaceError, OSError)
"""What is raised when the database or the file store cannot be reached for the moment."""


class _Gone(Exception):
    """The data source was deleted, or got its outcome elsewhere, while it was being read."""


async def read_data_source(services: Services, data_source_id: str) -> None:
    """Read a data source and give it its outcome.

    Safe to repeat at any point: it goes on behind the pages that are stored, all chunks are
    written in one transaction, those with a vector are not embedded again, and a data source that
    has its outcome, or is gone, is left alone.

    Raises:
        OperationalError, InterfaceError, OSError: the database or the file store is away; the
            queue tries again.
    """
    async with services.database.transaction() as session:
        data_source = await update_attempt(session, data_source_id)
    if data_source is None:
        return
    if data_source.attempts > MAX_ATTEMPTS:
        await _fail(
            services,
            data_source_id,
            f"the reading was cut off {MAX_ATTEMPTS} times; delete the data source and upload it "
            "again, or split the document",
        )
        return
    try:
        work = _work_on(services, data_source)
        await _while_it_is_wanted(services, data_source_id, work)
        # With its outcome it counts as wanted no more, and this would be ended with the watch.
        with span("merge"):
            await services.indexes.merge_segments(data_source.knowledge_engine_id)
    except _Gone:
        _logger.info("%s was deleted meanwhile, or is read by now", data_source_id)
    except DocumentUnreadable as error:
        await _fail(services, data_source_id, str(error))
    except FileNotFoundError:
        await _fail(services, data_source_id, "the stored file is gone; upload the document again")
    except (asyncio.CancelledError, *AWAY) as error:
        # The worker is being stopped, or must wait: that is not the document's fault.
        _logger.warning("Reading %s is put off: %r", data_source_id, error)
        await _give_back(services, data_source_id)
        raise
    except Exception:  # The document's guard: whatever it was, the user must see an outcome.
        _logger.exception("Reading %s failed", data_source_id)
        await _fail(
            services, data_source_id, "an error in the service stopped the reading; see its log"
        )


async def _while_it_is_wanted(
    services: Services, data_source_id: str, work: Coroutine[Any, Any, None]
) -> None:
    """Do the work, but end it soon after the data source was deleted.

    Raises:
        _Gone: it was deleted; and whatever the work raises.
    """
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait([task], timeout=WATCH_SECONDS))[0]:
            async with services.database.transaction() as session:
                if not await is_waiting(session, data_source_id) and not task.done():
                    raise _Gone
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _work_on(services: Services, data_source: DataSource) -> None:
    """Read, store, embed; what an attempt before this one has done stays done."""
    try:
        await _go_on_with(services, data_source)
    except VectorsMissing:
        engine_id = data_source.knowledge_engine_id
        async with services.database.transaction() as session:
            await services.indexes.add_vectors(await session.connection(), engine_id)
        await _work_on(services, data_source)


async def _go_on_with(services: Services, data_source: DataSource) -> None:
    if not data_source.chunk_count:
        if not await _read_and_store(services, data_source):
            return
        await asyncio.to_thread(give_back)
    with span("embed"):
        await _embed(services, data_source.id)


async def _read_and_store(services: Services, data_source: DataSource) -> bool:
    """Read and store; return whether there are chunks.

    Nobody holds the passages then, for they are embedded from the database.
    """
    with span("partition"):
        ingested = await _read(services, data_source)
    with span("store"):
        return await _store(services, data_source, ingested)


def read_limits(settings: Settings, size_bytes: int) -> ReadLimits:
    """Return what reading a document of this size may take."""
    megabytes = math.ceil(size_bytes / 2**20)
    seconds = settings.read_timeout_seconds + settings.read_timeout_seconds_per_mb * megabytes
    return ReadLimits(
        wall_seconds=seconds,
        page_seconds=seconds * PAGE_SHARE,
        cpu_seconds=seconds,
        memory_bytes=settings.read_memory_mb * 2**20,
        readers=min(settings.worker_concurrency, os.cpu_count() or 1),
    )


async def _read(services: Services, data_source: DataSource) -> Ingested:
    settings = services.settings
    limits = replace(
        read_limits(settings, data_source.size_bytes), owner=data_source.knowledge_engine_id
    )

    async def checkpoint(share: float, first: int, pages: Sequence[Page]) -> None:
        async with services.database.transaction() as session:
            if not await update_progress(
                session, data_source.id, share * READING_SHARE, is_new=bool(pages)
            ):
                raise _Gone
            await insert_pages(session, data_source.id, first, pages)
        if pages:
            services.queue.note_progress(data_source.id)

    read_before = await _pages_read_before(services, data_source)
    async with services.files.local_copy(data_source.blob_key, settings.work_dir) as path:
        file_format = DocumentFormat(data_source.file_format)
        with_figures = bool(settings.vision_model)
        document = read_past_failures(
            path, file_format, limits, read_before=read_before, with_figures=with_figures
        )
        if with_figures:
            document = described(document, services.gateway.describe)
        return await ingest(
            document,
            file_name=data_source.file_name,
            line=services.embedding_line,
            checkpoint=checkpoint,
            read_before=read_before,
        )


async def _pages_read_before(services: Services, data_source: DataSource) -> list[Page]:
    if not data_source.progress:
        return []  # It grows with the first page, in the same transaction.
    async with services.database.transaction() as session:
        return [page.to_page() for page in await select_pages(session, data_source.id)]


async def _store(services: Services, data_source: DataSource, ingested: Ingested) -> bool:
    """Write all chunks at once: from here on they are found by their words.

    Return whether there are any; a document without has its outcome then.
    """
    source = Source(data_source.id, data_source.file_name, ingested.name)
    packed = await services.indexes.pack(source, ingested.passages)
    async with _wanted(services, data_source.id) as (session, waiting):
        if waiting.chunk_count:
            # This worker was silent for so long that another one took the document up, and has
            # stored it.
            return True
        if not ingested.passages:
            problems = await select_warnings(session, data_source.id)
            nothing = "the document holds no text, and none was seen in it"
            await finish(session, waiting, Outcome.FAILED, _summary(problems) or nothing)
            return False
        await services.indexes.insert(
            await session.connection(), waiting.knowledge_engine_id, packed
        )
        embedded = sum(vector is not None for _, vector in ingested.passages)
        store(
            waiting,
            pages=ingested.page_count,
            chunks=len(ingested.passages),
            progress=READING_SHARE + (1 - READING_SHARE) * embedded / len(ingested.passages),
        )
        return True


async def _embed(services: Services, data_source_id: str) -> None:
    """Give the chunks their vectors, batch by batch, and the data source its outcome."""
    async with _wanted(services, data_source_id) as (session, waiting):
        texts = await _unembedded_or_finish(services, session, waiting)
    while texts:
        left = len(texts)
        async with aclosing(services.embedding_line.embed_all(texts)) as batches:
            async for chunk_ids, vectors in batches:
                left -= len(chunk_ids)
                services.queue.note_progress(data_source_id)
                async with _wanted(services, data_source_id) as (session, waiting):
                    await services.indexes.update_vectors(
                        await session.connection(), waiting.knowledge_engine_id, chunk_ids, vectors
                    )
                    note_embedded(waiting, len(chunk_ids), share=1 - READING_SHARE)
                    if not left:
                        texts = await _unembedded_or_finish(services, session, waiting)


@asynccontextmanager
async def _wanted(
    services: Services, data_source_id: str
) -> AsyncIterator[tuple[AsyncSession, DataSource]]:
    """Yield a transaction that holds the data source, which waits for the end of its reading.

    While it is there, so is the engine's index.

    Raises:
        _Gone: it is deleted, or read by now.
    """
    async with services.database.transaction() as session:
        waiting = await select_data_source_to_read(session, data_source_id)
        if waiting is None:
            raise _Gone
        yield session, waiting


async def _unembedded_or_finish(
    services: Services, session: AsyncSession, waiting: DataSource
) -> dict[str, tuple[str, str]]:
    """Return chunks without a vector; where none is left, give the data source its outcome."""
    texts = await services.indexes.select_unembedded(
        await session.connection(), waiting.knowledge_engine_id, waiting.id, EMBEDDED_AT_ONCE
    )
    if not texts:
        problems = await select_warnings(session, waiting.id)
        outcome = Outcome.PARTIAL if problems else Outcome.OK
        await finish(session, waiting, outcome, _summary(problems) or None)
    return texts


async def _fail(services: Services, data_source_id: str, error: str) -> None:
    """Give the data source its outcome, and take back what was stored of it."""
    async with services.database.transaction() as session:
        waiting = await select_data_source_to_read(session, data_source_id)
        if waiting is not None:
            if waiting.chunk_count:
                await services.indexes.delete(
                    await session.connection(), waiting.knowledge_engine_id, waiting.id
                )
            await finish(session, waiting, Outcome.FAILED, error)


async def _give_back(services: Services, data_source_id: str) -> None:
    """Take the attempt back: what ended it was not the document's fault."""
    async with services.database.transaction() as session:
        await update_interrupted(session, data_source_id)


def _summary(problems: Sequence[str]) -> str:
    """Return the problems in a sentence that stays readable when there are hundreds."""
    counted = list(Counter(problems).items())
    first, others = counted[:MAX_TOLD_WARNINGS], counted[MAX_TOLD_WARNINGS:]
    told = "; ".join(text if count == 1 else f"{text} ({count} times)" for text, count in first)
    further = sum(count for _, count in others)
    return f"{told}; and {further} more, see the list of pages" if further else told
