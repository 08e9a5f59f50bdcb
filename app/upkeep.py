"""What workers do beside reading: they take up and clear up what others left behind.

Every process may die at any instant. What a death can leave is found here: documents and tool
runs whose worker is gone, or that have no job, tool runs that a client waited for, copies of
documents that were worked on, and stored files that no data source claims. Streams that can no
longer be resumed, requests whose keys have expired, and old entries of the audit log, go as well.
Vectors in Milvus that a deletion could not reach are deleted, and receipts of deletions that are
pending are completed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from procrastinate.exceptions import ConnectorException
from sqlalchemy.exc import InterfaceError, OperationalError, ProgrammingError

from app.jobs import EXTRACT
from app.milvus import discard_vectors
from app.models.audit_entry import delete_old_audit_entries
from app.models.data_source import select_large_engines, select_lost_data_sources
from app.models.idempotent_request import delete_expired_requests
from app.models.stream import delete_old_streams
from app.models.tool_run import fail_silent_runs, select_lost_tool_runs
from app.models.unclaimed_file import delete_unclaimed, select_unclaimed
from app.receipts import complete_pending_receipts
from app.services import Services
from app.webhooks.delivering import deliver_due, forget_old
from app.work_folder import delete_folders_of_the_dead
from indexing.hybrid_search import LARGE_ENGINE_CHUNKS

_logger = logging.getLogger(__name__)

TAKE_UP_SECONDS = 5.0
UNCLAIMED_SECONDS = 300.0
GRAPH_SECONDS = 30.0
STREAM_SECONDS = 30.0
REQUEST_SECONDS = 300.0
DELIVERY_SECONDS = 1.0
FORGET_SECONDS = 3600.0
AUDIT_SECONDS = 3600.0
RECEIPT_SECONDS = 30.0
VECTOR_SECONDS = 30.0

RUN_DEAD_AFTER = timedelta(seconds=15)
"""A process says twice a second that the runs that clients wait for live."""

RUN_DIED = "the service stopped while it was extracting"

# An upload claims its file within seconds of storing it; this leaves the slowest store its time.
_UNCLAIMED_AGE = timedelta(hours=1)


async def keep_up(services: Services) -> None:
    """Take up and clear up, again and again, until cancelled."""
    await asyncio.gather(
        _repeat(take_up, services, TAKE_UP_SECONDS),
        _repeat(fail_runs_of_the_dead, services, TAKE_UP_SECONDS),
        _repeat(delete_copies, services, TAKE_UP_SECONDS),
        _repeat(build_graphs, services, GRAPH_SECONDS),
        _repeat(delete_unclaimed_files, services, UNCLAIMED_SECONDS),
        _repeat(delete_streams, services, STREAM_SECONDS),
        _repeat(delete_requests, services, REQUEST_SECONDS),
        _repeat(deliver_due, services, DELIVERY_SECONDS),
        _repeat(forget_old, services, FORGET_SECONDS),
        _repeat(delete_audit_entries, services, AUDIT_SECONDS),
        _repeat(discard_vectors, services, VECTOR_SECONDS),
        _repeat(complete_pending_receipts, services, RECEIPT_SECONDS),
    )


async def take_up(services: Services) -> None:
    """Queue again what dead workers were working on, and what has no job."""
    await services.queue.take_up_stalled()
    async with services.database.transaction() as session:
        for run_id, engine_id in await select_lost_tool_runs(session):
            _logger.warning("%s had no job; queued it", run_id)
            await services.queue.defer(session, run_id, engine_id, EXTRACT)
        for data_source_id, engine_id in await select_lost_data_sources(session):
            _logger.warning("%s had no job; queued it", data_source_id)
            await services.queue.defer(session, data_source_id, engine_id)


async def fail_runs_of_the_dead(services: Services) -> None:
    """Fail the tool runs that a client waited for whose process has died."""
    async with services.database.transaction() as session:
        for run_id in await fail_silent_runs(session, RUN_DEAD_AFTER, RUN_DIED):
            _logger.warning("%s was ended: its process has died", run_id)


async def build_graphs(services: Services) -> None:
    """Give the engines that have grown large what makes searches of them fast."""
    async with services.database.reading() as session:
        engine_ids = await select_large_engines(session, LARGE_ENGINE_CHUNKS)
    for engine_id in engine_ids:
        try:
            if await services.indexes.build_graph(engine_id):
                _logger.info("Built the graph of %s", engine_id)
        except ProgrammingError as error:
            # Most likely the engine was deleted meanwhile.
            _logger.warning("The graph of %s was not built: %s", engine_id, error)


async def delete_copies(services: Services) -> None:
    """Delete the copies of documents that a process was working on when it died."""
    count = await asyncio.to_thread(delete_folders_of_the_dead, services.settings.work_dir)
    if count:
        _logger.warning("Deleted %d copies of documents that a dead process left", count)


async def delete_unclaimed_files(services: Services) -> None:
    """Delete the stored files that an upload or a deletion left when its process died."""
    async with services.database.transaction() as session:
        keys = await select_unclaimed(session, datetime.now(UTC) - _UNCLAIMED_AGE)
    if keys:
        _logger.warning("Deleting %d stored files that no data source claims", len(keys))
        await services.files.delete(keys)
        async with services.database.transaction() as session:
            await delete_unclaimed(session, keys)


async def delete_streams(services: Services) -> None:
    """Delete the streams that were kept for as long as they can be resumed."""
    async with services.database.transaction() as session:
        await delete_old_streams(session)


async def delete_audit_entries(services: Services) -> None:
    """Delete the entries of the audit log that are older than they are to be kept."""
    before = datetime.now(UTC) - timedelta(days=services.settings.audit_log_days)
    async with services.database.transaction() as session:
        await delete_old_audit_entries(session, before)


async def delete_requests(services: Services) -> None:
    """Delete what is kept of requests with an Idempotency-Key, once it was kept for its time."""
    async with services.database.transaction() as session:
        await delete_expired_requests(session)


async def _repeat(
    work: Callable[[Services], Awaitable[None]], services: Services, seconds: float
) -> None:
    while True:
        try:
            await work(services)
        except (OperationalError, InterfaceError, ConnectorException, OSError) as error:
            _logger.warning("Upkeep waits for the database, the file store or Milvus: %s", error)
        await asyncio.sleep(seconds)
