"""Reading one queued data source: from its stored file to its chunks and its outcome."""

import asyncio
import logging
import math
import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from sqlalchemy.exc import InterfaceError, OperationalError

from app.models.data_source import (
    DataSource,
    Outcome,
    Stage,
    finish,
    select_data_source_to_read,
    update_attempt,
    update_interrupted,
    update_progress,
)
from app.models.data_source_page import insert_pages, select_pages
from app.services import Services
from indexing.engine_index import Source
from indexing.ingestion import Ingested, ingest
from indexing.partition.formats import DocumentFormat
from indexing.partition.isolation import DocumentUnreadable, ReadLimits, read_isolated
from indexing.types import Page

_logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 4
"""A document whose reading was cut off this often is taken to be what cuts it off."""

AWAY = (OperationalError, InterfaceError, OSError)
"""What is raised when the database or the file store cannot be reached for the moment."""


class _Gone(Exception):
    """The data source was deleted while it was being read."""


async def read_data_source(services: Services, data_source_id: str) -> None:
    """Read a data source and give it its outcome.

    Safe to repeat at any point: chunks and outcome are written in one transaction, and a data
    source that has its outcome, or is gone, is left alone.

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
        await _store(services, data_source, await _read(services, data_source))
    except _Gone:
        _logger.info("%s was deleted while it was being read", data_source_id)
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


def copies_folder(work_dir: Path, worker_pid: int) -> Path:
    """Return where a worker keeps its copies; when it has died, nobody else has use for them."""
    return work_dir / f"worker-{worker_pid}"


async def _read(services: Services, data_source: DataSource) -> Ingested:
    settings = services.settings
    megabytes = math.ceil(data_source.size_bytes / 2**20)
    seconds = settings.read_timeout_seconds + settings.read_timeout_seconds_per_mb * megabytes
    limits = ReadLimits(
        wall_seconds=seconds, cpu_seconds=seconds, memory_bytes=settings.read_memory_mb * 2**20
    )

    async def checkpoint(share: float, first: int, pages: Sequence[Page]) -> None:
        async with services.database.transaction() as session:
            if not await update_progress(session, data_source.id, Stage.READING, share):
                raise _Gone
            await insert_pages(session, data_source.id, first, pages)

    async with services.database.transaction() as session:
        read_before = [page.to_page() for page in await select_pages(session, data_source.id)]
    copies = copies_folder(settings.work_dir, os.getpid())
    copies.mkdir(mode=0o700, parents=True, exist_ok=True)
    async with services.files.local_copy(data_source.blob_key, copies) as path:
        file_format = DocumentFormat(data_source.file_format)
        return await ingest(
            read_isolated(path, file_format, limits, skip_pages=len(read_before)),
            fallback_title=PurePath(data_source.file_name).stem,
            embedder=services.embedder,
            checkpoint=checkpoint,
            read_before=read_before,
        )


async def _store(services: Services, data_source: DataSource, ingested: Ingested) -> None:
    """Write the chunks and the outcome together; a search sees all of them or none."""
    source = Source(data_source.id, data_source.file_name, ingested.title)
    async with services.database.transaction() as session:
        await update_progress(session, data_source.id, Stage.STORING, 1.0)
    async with services.database.transaction() as session:
        waiting = await select_data_source_to_read(session, data_source.id)
        if waiting is None:
            raise _Gone
        connection = await session.connection()
        await services.indexes.insert(
            connection, data_source.knowledge_engine_id, source, ingested.passages
        )
        outcome, error = _outcome(ingested)
        finish(waiting, outcome, error, pages=ingested.page_count, chunks=len(ingested.passages))


async def _fail(services: Services, data_source_id: str, error: str) -> None:
    async with services.database.transaction() as session:
        waiting = await select_data_source_to_read(session, data_source_id)
        if waiting is not None:
            finish(waiting, Outcome.FAILED, error, pages=0, chunks=0)


async def _give_back(services: Services, data_source_id: str) -> None:
    """Take the attempt back: what ended it was not the document's fault."""
    async with services.database.transaction() as session:
        await update_interrupted(session, data_source_id)


def _outcome(ingested: Ingested) -> tuple[Outcome, str | None]:
    """Judge a document that was read to its end."""
    problems = "; ".join(ingested.warnings)
    if not ingested.passages:
        return Outcome.FAILED, problems or "the document holds no text, and none was seen in it"
    return (Outcome.PARTIAL, problems) if problems else (Outcome.OK, None)
