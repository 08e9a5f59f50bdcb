"""The queue of documents to read: procrastinate, on the service's own PostgreSQL."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import procrastinate
from procrastinate.jobs import DeleteJobCondition
from sqlmodel.ext.asyncio.session import AsyncSession

from app.database import libpq_url

_logger = logging.getLogger(__name__)

_TASK = "read_data_source"
_QUEUE = "read"

HEARTBEAT_SECONDS = 3.0
"""How often a worker says that it lives."""

STALLED_SECONDS = 12.0
"""After this long without a heartbeat a worker counts as dead, and its documents are taken up."""


class JobQueue:
    """Documents wait here until a worker reads them; a job is written with its row, or not."""

    def __init__(self, database_url: str) -> None:
        self._app = procrastinate.App(
            connector=procrastinate.PsycopgConnector(
                conninfo=libpq_url(database_url), min_size=1, max_size=4
            )
        )

    async def defer(self, session: AsyncSession, data_source_id: str) -> None:
        """Queue a data source, in the session's own transaction."""
        connection = await (await session.connection()).get_raw_connection()
        job = self._app.configure_task(_TASK, queue=_QUEUE, connection=connection.driver_connection)
        await job.defer_async(data_source_id=data_source_id)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Hold the connections that a worker needs; `defer` does without."""
        async with self._app.open_async():
            yield

    async def work(self, read: Callable[[str], Awaitable[None]], concurrency: int) -> None:
        """Read queued documents, several at once, until cancelled."""
        self._app.task(name=_TASK, queue=_QUEUE, retry=_RETRY)(_with_argument(read))
        await self._app.run_worker_async(
            queues=[_QUEUE],
            concurrency=concurrency,
            delete_jobs=DeleteJobCondition.ALWAYS,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=STALLED_SECONDS,
            fetch_job_polling_interval=2.0,
            shutdown_graceful_timeout=0.2,
            install_signal_handlers=False,
        )

    async def take_up_stalled(self) -> int:
        """Queue again what dead workers were reading; return how many documents that is."""
        manager = self._app.job_manager
        count = 0
        for job in await manager.get_stalled_jobs(
            queue=_QUEUE, seconds_since_heartbeat=STALLED_SECONDS
        ):
            await manager.retry_job(job)
            _logger.warning("Took up job %s of a worker that has died", job.id)
            count += 1
        return count


# The reading itself ends in an outcome; what is retried here is trouble around it, as when the
# database was away for a moment. After the last try the upkeep queues the document anew.
_RETRY = procrastinate.RetryStrategy(max_attempts=8, exponential_wait=2)


def _with_argument(read: Callable[[str], Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Give the function the keyword that the stored jobs carry."""

    async def read_data_source(data_source_id: str) -> None:
        await read(data_source_id)

    return read_data_source
