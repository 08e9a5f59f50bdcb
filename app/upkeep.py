"""What workers do beside reading: they take up and clear up what others left behind.

Every process may die at any instant. What a death can leave is found here: documents whose
worker is gone, documents without a job, and stored files that no data source claims.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from procrastinate.exceptions import ConnectorException
from sqlalchemy.exc import InterfaceError, OperationalError

from app.models.data_source import select_lost_data_sources
from app.models.unclaimed_file import delete_unclaimed, select_unclaimed
from app.services import Services

_logger = logging.getLogger(__name__)

TAKE_UP_SECONDS = 5.0
UNCLAIMED_SECONDS = 300.0

# An upload claims its file within seconds of storing it; this leaves the slowest store its time.
_UNCLAIMED_AGE = timedelta(hours=1)


async def keep_up(services: Services) -> None:
    """Take up and clear up, again and again, until cancelled."""
    await asyncio.gather(
        _repeat(take_up, services, TAKE_UP_SECONDS),
        _repeat(delete_unclaimed_files, services, UNCLAIMED_SECONDS),
    )


async def take_up(services: Services) -> None:
    """Queue again the documents of dead workers, and those that have no job."""
    await services.queue.take_up_stalled()
    async with services.database.transaction() as session:
        for data_source_id in await select_lost_data_sources(session):
            _logger.warning("%s had no job; queued it", data_source_id)
            await services.queue.defer(session, data_source_id)


async def delete_unclaimed_files(services: Services) -> None:
    """Delete the stored files that an upload or a deletion left when its process died."""
    async with services.database.transaction() as session:
        keys = await select_unclaimed(session, datetime.now(UTC) - _UNCLAIMED_AGE)
    if keys:
        _logger.warning("Deleting %d stored files that no data source claims", len(keys))
        await services.files.delete(keys)
        async with services.database.transaction() as session:
            await delete_unclaimed(session, keys)


async def _repeat(
    work: Callable[[Services], Awaitable[None]], services: Services, seconds: float
) -> None:
    while True:
        try:
            await work(services)
        except (OperationalError, InterfaceError, ConnectorException, OSError) as error:
            _logger.warning("Upkeep waits for the database: %s", error)
        await asyncio.sleep(seconds)
