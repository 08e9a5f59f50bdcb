"""`ke serve`: the API and, unless told otherwise, a worker and the embedded PostgreSQL."""

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil
import psycopg

from app.api_keys import issue_api_key, key_hint
from app.application import create_app
from app.audit import Actor, record
from app.console.welcome import new_sign_in_address
from app.data_dir_lock import acquire
from app.database import lock_first_account, migrate, sqlalchemy_url
from app.embedded_postgres import EmbeddedPostgres
from app.http_server import http_server
from app.key_commands import running_database
from app.models.account import insert_account, select_first_account
from app.models.audit_entry import Action, ActorKind
from app.postgres_programs import DatabaseStartFailed
from app.services import Services, open_services
from app.tracing import start_tracing
from app.worker import hangups, reload_at, stop_on_signals
from config.errors import ServingFailed
from config.settings import Settings, exports_traces
from indexing.lexical_upgrade import upgrade_tables
from indexing.memory import keep_no_large_pieces
from indexing.minilm import ensure_model

_logger = logging.getLogger(__name__)

Say = Callable[[str], None]

_WATCH_SECONDS = 1.0
_WORKER_STOP_SECONDS = 15.0
# A dead worker's documents are to be taken up within 30 s, of which the next one's start is a part.
_LONGEST_WORKER_PAUSE_SECONDS = 7.0
_STEADY_WORKER_SECONDS = 30.0
_REQUESTS_STOP_SECONDS = 10.0

# What a request makes is gone at its end, without the collector, which would come by several times
# in each: a thirtieth of the time of a search.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one `ke serve` listens, and what it works with."""

    ip_address: str
    database_url: str
    postgres: EmbeddedPostgres | None
    has_worker: bool


@contextmanager
def own_database(settings: Settings) -> Iterator[tuple[str, EmbeddedPostgres | None]]:
    """Yield the database's address, and the embedded server where there is one.

    Raises:
        DataDirInUse: another process serves from this data directory.
    """
    if settings.database_url:
        with acquire(settings.data_dir):
            yield sqlalchemy_url(settings.database_url), None
    else:
        with EmbeddedPostgres.start(settings.data_dir) as postgres:
            yield postgres.sqlalchemy_url, postgres


@contextmanager
def joined_database(settings: Settings) -> Iterator[tuple[str, None]]:
    """Yield the address of a database that runs without us; the data directory is not claimed.

    Raises:
        DatabaseNotRunning: none is set, and no `ke serve` runs on the data directory.
    """
    yield running_database(settings), None


def serve(settings: Settings, say: Say, *, api_only: bool = False) -> None:
    """Serve until SIGTERM or Ctrl-C; nothing that was started here is left behind.

    With `api_only`, join a database that runs, as `ke worker` does, and leave reading to workers.

    Raises:
        ServingFailed: the address cannot be listened at, or the data directory not be used.
        DataDirInUse, DatabaseNotRunning: as said above.
    """
    # Until the loop takes the signals, SIGTERM too must leave by way of the clean-up.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Looked at first, for it is what most often is amiss, and costs nothing yet.
    ip_address = _free_address(settings)
    _make_data_dir(settings)
    database = joined_database(settings) if api_only else own_database(settings)
    with ThreadPoolExecutor(1, "model") as beside:
        # At a first start it takes as long as to make the database. Who loads the model waits for
        # it; should this fail, it is tried again there, and told.
        beside.submit(ensure_model, settings.models_dir)
        with database as (database_url, postgres):
            migrate(database_url)
            place = _Place(ip_address, database_url, postgres, has_worker=not api_only)
            asyncio.run(_serve(settings, place, say))


def _make_data_dir(settings: Settings) -> None:
    try:
        settings.data_dir.mkdir(mode=0o711, parents=True, exist_ok=True)
    except OSError as error:
        raise ServingFailed(f"Cannot use {settings.data_dir}: {error.strerror}") from error


def _free_address(settings: Settings) -> str:
    """Return the IP address to listen at, having made sure that the port is free there."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return str(address[0])
    except OSError as error:
        raise ServingFailed(
            f"Cannot listen at {settings.host}:{settings.port}: {error.strerror}. "
            "Choose another address with --host or --port."
        ) from error


async def _serve(settings: Settings, place: _Place, say: Say) -> None:
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    keep_no_large_pieces()
    if exports_traces():
        start_tracing()
    stop, hangup = stop_on_signals(), hangups()
    services = await asyncio.to_thread(open_services, settings, place.database_url)
    address = settings.address
    await upgrade_tables(services.database.engine)
    await _first_key(services, address, say)
    server = http_server(create_app(services), place.ip_address, settings.port)
    workers: list[Process] = []

    def reload() -> None:
        services.reload_models()
        for worker in workers:
            # One that has just died needs no signal: the next one reads the file anyway.
            with suppress(ProcessLookupError):
                worker.send_signal(signal.SIGHUP)

    tasks = [
        asyncio.create_task(server.serve()),
        asyncio.create_task(reload_at(hangup, reload)),
        asyncio.create_task(keep_postgres(place.postgres)),
    ]
    if place.has_worker:
        tasks.append(asyncio.create_task(_keep_worker(settings, place.database_url, workers)))
    services.in_background(services.indexes.warm_up())
    say(f"Knowledge Engine listens at {address} (API reference: {address}/docs)")
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait([*tasks, stopped], return_when=asyncio.FIRST_COMPLETED)
    say("Stopping …")
    server.stop()
    await asyncio.wait(tasks[:1], timeout=_REQUESTS_STOP_SECONDS)
    for task in (*tasks, stopped):
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    await services.close()
    for result in results:
        if isinstance(result, Exception):
            raise result


async def _first_key(services: Services, address: str, say: Say) -> None:
    """Make the first account of a new database; show its key and its way in this once."""
    async with services.database.transaction() as session:
        await lock_first_account(session)
        if await select_first_account(session) is not None:
            return
        account = await insert_account(session, "default")
        assert account.id is not None
        key = await issue_api_key(session, account, "first key")
        by = Actor(account.id, ActorKind.COMMAND_LINE)
        await record(session, Action.KEY_CREATED, key_hint(key), by=by)
        console = await new_sign_in_address(session, account, address)
    say(f"Your API key, shown only this once: {key}")
    say(f"Console, signs you in once: {console}")


async def _keep_worker(settings: Settings, database_url: str, workers: list[Process]) -> None:
    """Keep one worker process running, and it alone in `workers`; end it when cancelled."""
    pause = 0.0
    while True:
        began = time.monotonic()
        worker = await _start_worker(settings, database_url)
        workers[:] = [worker]
        try:
            code = await worker.wait()
        finally:
            await _stop_worker(worker)
        pause = pause_after(time.monotonic() - began, pause)
        _logger.error("The worker ended with code %s; starting another in %.0f s", code, pause)
        await asyncio.sleep(pause)


def pause_after(lived_seconds: float, pause: float) -> float:
    """Return how long to wait before the next worker: longer each time, if they die young."""
    if lived_seconds > _STEADY_WORKER_SECONDS:
        pause = 0.0  # Its start was sound, so there is no need to hold back.
    return min(pause * 2 + 1, _LONGEST_WORKER_PAUSE_SECONDS)


async def _start_worker(settings: Settings, database_url: str) -> Process:
    environment = os.environ | {
        "KE_DATABASE_URL": database_url,
        "KE_DATA_DIR": str(settings.data_dir.resolve()),
    }
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # A folder named app where the service was started must not be taken for ours.
        "-m",
        "app.worker",
        stdin=asyncio.subprocess.PIPE,  # Closes when we die; the worker then ends as well.
        env=environment,
        start_new_session=True,  # Ctrl-C is for us; we tell the worker.
    )


async def _stop_worker(worker: Process) -> None:
    if worker.returncode is not None:
        return
    worker.terminate()
    try:
        await asyncio.wait_for(worker.wait(), _WORKER_STOP_SECONDS)
    except TimeoutError:
        worker.kill()
        await worker.wait()


async def keep_postgres(postgres: EmbeddedPostgres | None) -> None:
    """Bring the embedded server back when it has died, also when it dies while it comes up."""
    while True:
        await asyncio.sleep(_WATCH_SECONDS)
        if postgres is not None and not postgres.is_alive():
            _logger.error("The embedded PostgreSQL is gone; starting it again")
            try:
                await asyncio.to_thread(postgres.ensure_running)
            except (DatabaseStartFailed, psycopg.OperationalError, psutil.Error) as error:
                _logger.error("The embedded PostgreSQL did not come up: %s", error)
