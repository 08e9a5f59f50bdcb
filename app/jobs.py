"""The queues of documents to read and of fields to extract: procrastinate, on our PostgreSQL."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import procrastinate
import psycopg
from procrastinate.exceptions import ConnectorException
from procrastinate.job_context import JobContext
from procrastinate.jobs import DeleteJobCondition
from procrastinate.manager import JobManager
from procrastinate.worker import Worker
from psycopg.conninfo import make_conninfo
from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from app.database import libpq_url
from app.origins import continued, current_origin
from app.turns import ENGINE, next_priority
from config.keepalives import ASK_CLIENT, KEEPALIVES

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of work, with a queue of its own: so none waits behind another's."""

    queue: str
    task: str
    argument: str  # the name under which the stored jobs have the id of what to work on
    short_queue: str = ""  # of what is done soon: where several are worked on, one is of these
    lets_pass: bool = False  # another row for each that does not get on


READ = JobKind(
    "read", "read_data_source", "data_source_id", short_queue="read-short", lets_pass=True
)
EXTRACT = JobKind("extract", "extract_fields", "tool_run_id")

HEARTBEAT_SECONDS = 3.0
"""How often a worker says that it lives."""

STALLED_SECONDS = 12.0
"""After this long without a heartbeat a worker counts as dead, and its work is taken up."""

PATIENCE_SECONDS = 30.0
"""After this long without getting on, a row in work lets one of those that wait pass."""

_AWAY_SECONDS = 1.0
_LOOK_SECONDS = 1.0


class JobQueue:
    """Rows wait here until a worker works on them; a job is written with its row, or not."""

    def __init__(self, database_url: str) -> None:
        self._app = procrastinate.App(
            connector=procrastinate.PsycopgConnector(
                conninfo=make_conninfo(libpq_url(database_url), **KEEPALIVES),
                min_size=1,
                max_size=5,
                configure=_let_server_ask,
            )
        )
        self._ends = _PatientJobManager(self._app.connector)
        self._got_on: dict[str, float] = {}  # when each row in work last did

    async def defer(
        self,
        session: AsyncSession,
        row_id: str,
        engine_id: str,
        kind: JobKind = READ,
        *,
        is_short: bool = False,
    ) -> None:
        """Queue a row, in the session's own transaction, behind those of its engine."""
        connection = await (await session.connection()).get_raw_connection()
        job = self._app.configure_task(
            kind.task,
            queue=kind.short_queue if is_short else kind.queue,
            priority=await next_priority(session, kind.task, engine_id),
            connection=connection.driver_connection,
        )
        row = {kind.argument: row_id, ENGINE: engine_id}
        await job.defer_async(**row, **_stored_origin())

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Hold the connections that a worker needs; `defer` does without."""
        async with self._app.open_async():
            yield

    async def work(
        self,
        do: Callable[[str], Awaitable[None]],
        concurrency: int,
        kind: JobKind = READ,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """Work on what is queued, on several rows at once, until cancelled.

        A database that is away is waited for. Of a kind that lets others pass, one more is taken up
        for each that has not got on for so long, until there are twice as many: a few bad files, on
        which a program works to its deadline, hold nobody up.
        """
        self._app.task(name=kind.task, queue=kind.queue, retry=_RETRY)(
            _job(self._watched(do), kind)
        )
        self._app.job_manager = self._ends
        all_queues = [queue for queue in (kind.queue, kind.short_queue) if queue]
        places = concurrency
        async with asyncio.TaskGroup() as group:
            if kind.short_queue and concurrency > 1:
                places -= 1
                group.create_task(self._keep_working([kind.short_queue], 1))
            group.create_task(self._keep_working(all_queues, places))
            if kind.lets_pass:
                group.create_task(self._let_pass(all_queues, concurrency, patience_seconds))

    def note_progress(self, row_id: str) -> None:
        """Say that the work on a row gets on."""
        if row_id in self._got_on:
            self._got_on[row_id] = time.monotonic()

    def _watched(self, do: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
        async def watched(row_id: str) -> None:
            self._got_on[row_id] = time.monotonic()
            try:
                await do(row_id)
            finally:
                self._got_on.pop(row_id, None)

        return watched

    async def _let_pass(self, queues: Sequence[str], most: int, patience_seconds: float) -> None:
        """Look, again and again, for rows that do not get on, and take up others for them."""
        passing: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as group:
            while True:
                await asyncio.sleep(min(_LOOK_SECONDS, patience_seconds))
                now = time.monotonic()
                silent = sum(now - since > patience_seconds for since in self._got_on.values())
                if len(passing) < min(silent, most):
                    one = group.create_task(self._work_on_one(queues))
                    passing.add(one)
                    one.add_done_callback(passing.discard)

    async def _work_on_one(self, queues: Sequence[str]) -> None:
        """Take up one row, if one waits."""
        options = {"wait": False, "listen_notify": False, "worker_middleware": [_stop_behind]}
        try:
            await self._run_worker(queues, 1, **options)
        except ConnectorException as error:
            _logger.warning("The queue lost the database: %s", error.__cause__ or error)

    async def _keep_working(self, queues: Sequence[str], concurrency: int) -> None:
        while True:
            try:
                await self._run_worker(queues, concurrency)
            except ConnectorException as error:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    # It could not take its leave of the database; that hinders no end.
                    raise asyncio.CancelledError from error
                _logger.warning("The queue waits for the database: %s", error.__cause__ or error)
            await asyncio.sleep(_AWAY_SECONDS)

    async def _run_worker(self, queues: Sequence[str], concurrency: int, **options: Any) -> None:
        """Work until cancelled, or until the database does not take a heartbeat."""
        await self._app.run_worker_async(
            queues=queues,
            concurrency=concurrency,
            delete_jobs=DeleteJobCondition.ALWAYS,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=STALLED_SECONDS,
            fetch_job_polling_interval=2.0,
            shutdown_graceful_timeout=0.2,
            install_signal_handlers=False,
            **options,
        )

    def leave(self) -> None:
        """Wait no longer for a database that is away: the process ends, others take up its jobs."""
        self._ends.patient = False

    async def take_up_stalled(self) -> int:
        """Queue again what dead workers were working on; return how many rows that is."""
        manager = JobManager(self._app.connector)
        count = 0
        for job in await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS):
            await manager.retry_job(job)
            _logger.warning("Took up job %s of a worker that has died", job.id)
            count += 1
        return count


class _PatientJobManager(JobManager):
    """Tells the database how a job has ended until it takes it.

    Its worker lives, so nobody takes up a job of which the end was not written down.
    """

    patient = True

    async def finish_job(self, *args: Any, **options: Any) -> None:
        await self._until_taken(super().finish_job, *args, **options)

    async def retry_job(self, *args: Any, **options: Any) -> None:
        await self._until_taken(super().retry_job, *args, **options)

    async def _until_taken(
        self, end: Callable[..., Awaitable[None]], *args: Any, **options: Any
    ) -> None:
        while True:
            try:
                return await end(*args, **options)
            except ConnectorException as error:
                if isinstance(error.__cause__, psycopg.errors.RaiseException):
                    # This worker was cut off and taken for dead, and others have done its job.
                    return _logger.warning("Others have ended a job: %s", error.__cause__)
                away = isinstance(error.__cause__, psycopg.OperationalError)
                if not (away and self.patient):
                    raise
                _logger.warning("The end of a job waits for the database: %s", error.__cause__)
            await asyncio.sleep(_AWAY_SECONDS)


async def _let_server_ask(connection: psycopg.AsyncConnection) -> None:
    await connection.execute(ASK_CLIENT, KEEPALIVES)
    await connection.commit()  # It would be undone with its transaction.


async def count_workers(session: AsyncSession) -> int:
    """Return how many workers of the queues have said lately that they live."""
    statement = text(
        "select count(*) from procrastinate_workers"
        " where last_heartbeat > now() - make_interval(secs => :seconds)"
    )
    counted = await (await session.connection()).execute(statement, {"seconds": STALLED_SECONDS})
    return int(counted.scalar_one())


# The work itself ends in an outcome; what is retried here is trouble around it, as when the
# database was away for a moment. After the last try the upkeep queues the row anew.
_RETRY = procrastinate.RetryStrategy(max_attempts=8, exponential_wait=2)


async def _stop_behind(
    go_on: Callable[[], Awaitable[Any]], context: JobContext, worker: Worker
) -> Any:
    """Let a worker take no further row after this one."""
    try:
        return await go_on()
    finally:
        worker.stop()  # type: ignore[no-untyped-call]


def _stored_origin() -> dict[str, Any]:
    """Return what a job carries besides its row: where it comes from, if that is known."""
    origin = current_origin()
    return {"origin": origin} if origin else {}


def _job(do: Callable[[str], Awaitable[None]], kind: JobKind) -> Callable[..., Awaitable[None]]:
    """Let the function take what the stored jobs carry; those of before have no origin."""

    async def job(*, origin: Mapping[str, str] | None = None, **arguments: str) -> None:
        row_id = arguments[kind.argument]
        with continued(origin or {}, kind.task, {f"knowledge_engine.{kind.argument}": row_id}):
            await do(row_id)

    return job
