"""What workers do beside reading: they take up what others left behind, and sweep the store.

Every process may die at any instant. What a death can leave is found here: documents whose
worker is gone, documents without a job, and stored files without a data source.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from procrastinate.exceptions import ConnectorException
from sqlalchemy.exc import InterfaceError, OperationalError

from app.models.data_source import select_known_blob_keys, select_lost_data_sources
from app.services import Services

_logger = logging.getLogger(__name__)

TAKE_UP_SECONDS = 5.0
SWEEP_SECONDS = 3600.0

# A file is stored before its row; younger ones may still be on their way.
_SWEEP_AGE = timedelta(hours=1)
_SWEEP_BATCH = 1000


async def keep_up(services: Services) -> None:
    """Take up and sweep, again and again, until cancelled."""
    await asyncio.gather(
        _repeat(take_up, services, TAKE_UP_SECONDS), _repeat(sweep_files, services, SWEEP_SECONDS)
    )


async def take_up(services: Services) -> None:
    """Queue again the documents of dead workers, and those that have no job."""
    await services.queue.take_up_stalled()
    async with services.database.transaction() as session:
        for data_source_id in await select_lost_data_sources(session):
            _logger.warning("%s had no job; queued it", data_source_id)
            await services.queue.defer(session, data_source_id)


async def sweep_files(services: Services) -> None:
    """Delete stored files that belong to no data source."""
    keys = await services.files.keys_before(datetime.now(UTC) - _SWEEP_AGE)
    for start in range(0, len(keys), _SWEEP_BATCH):
        batch = keys[start : start + _SWEEP_BATCH]
        async with services.database.transaction() as session:
            known = await select_known_blob_keys(session, batch)
        orphans = [key for key in batch if key not in known]
        if orphans:
            _logger.warning("Deleting %d stored files without a data source", len(orphans))
            await services.files.delete(orphans)


async def _repeat(
    work: Callable[[Services], Awaitable[None]], services: Services, seconds: float
) -> None:
    while True:
        try:
            await work(services)
        except (OperationalError, InterfaceError, ConnectorException, OSError) as error:
            _logger.warning("Upkeep waits for the database: %s", error)
        await asyncio.sleep(seconds)
