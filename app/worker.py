"""The worker process: it reads queued documents, and works on queued tool runs."""

import asyncio
import importlib
import logging
import multiprocessing.util
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from app.database import sqlalchemy_url
from app.extracting import work_on
from app.jobs import EXTRACT
from app.loading import loading
from app.reading import read_data_source
from app.scheduling import take_longer_turns
from app.services import Services, open_services
from app.tracing import start_tracing
from app.upkeep import keep_up
from config.logs import configure_logs
from config.settings import (
    Settings,
    exports_traces,
    load_settings,
    prepare_library_environment,
)
from indexing.language import load_identifier
from indexing.memory import keep_no_large_pieces
from indexing.partition.processes.isolation import prepare_readers

_logger = logging.getLogger(__name__)

_ORPHAN_SECONDS = 3
_LAST_SPANS_SECONDS = 2
_END_SECONDS = 10


async def run_worker(settings: Settings, database_url: str, stop: asyncio.Event) -> None:
    """Work until `stop` is set; what is half done then is gone on with later."""
    take_longer_turns()  # Before there are threads and readers, which have them from here.
    keep_no_large_pieces()
    hangup = hangups()
    stop_tracing = start_tracing() if exports_traces() else None
    services = await asyncio.to_thread(open_services, settings, database_url)
    try:
        await work(services, stop, hangup)
    finally:
        if stop_tracing is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.to_thread(stop_tracing), _LAST_SPANS_SECONDS)


async def work(services: Services, stop: asyncio.Event, hangup: asyncio.Event) -> None:
    """Work with these services until `stop` is set, and close them."""

    async def read(data_source_id: str) -> None:
        await read_data_source(services, data_source_id)

    async def extract(run_id: str) -> None:
        await work_on(services, run_id)

    async def read_documents() -> None:
        # First of all: where many start at once, a worker that loads this amid a document gives no
        # sign of life for so long that another takes the document for one of the dead.
        await asyncio.to_thread(_load)
        await services.queue.work(read, settings.worker_concurrency)

    settings = services.settings
    services.in_background(prepare_readers())
    services.in_background(services.indexes.warm_up())
    async with services.queue.opened():
        tasks = [
            asyncio.create_task(read_documents()),
            asyncio.create_task(
                services.queue.work(extract, settings.extraction_concurrency, EXTRACT)
            ),
            asyncio.create_task(keep_up(services)),
            asyncio.create_task(reload_at(hangup, services.reload_models)),
        ]
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([*tasks, stopped], return_when=asyncio.FIRST_COMPLETED)
        services.queue.leave()
        for task in (*tasks, stopped):
            task.cancel()
        # Where it comes while a queue waits for its first connection, a cancellation may be lost in
        # a library, and the queue begins to work. What is left then ends with the process.
        ended, _ = await asyncio.wait(tasks, timeout=_END_SECONDS)
    # What is still being loaded is of no use any more, and takes seconds on a busy machine.
    for one in services.background:
        one.cancel()
    await services.close()
    for task in ended:
        if not task.cancelled() and (error := task.exception()):
            raise error


def _load() -> None:
    """Load what storing a document takes (blocking, some seconds)."""
    with loading():
        importlib.import_module("indexing.vector_store")
        load_identifier()


def stop_on_signals() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def hangups() -> asyncio.Event:
    """Return an event that SIGHUP sets, which then no longer ends the process."""
    hangup = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hangup.set)
    return hangup


async def reload_at(hangup: asyncio.Event, reload: Callable[[], None]) -> None:
    """Reload at every SIGHUP, also at one that came before there was anything to reload."""
    while True:
        await hangup.wait()
        hangup.clear()
        reload()


def _end_as_orphan(stop: asyncio.Event) -> None:
    """Stop, by the kernel's alarm if need be: the next `ke serve` may be starting already."""
    asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
    signal.alarm(_ORPHAN_SECONDS)
    stop.set()


async def _run_as_child() -> None:
    """Work for the `ke serve` that started this process, and end with it."""
    settings = load_settings()
    configure_logs(settings.log_level, settings.log_format)
    stop = stop_on_signals()
    # The parent holds the other end of standard input: it closes when the parent dies, however.
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _end_as_orphan, stop)
    await run_worker(settings, sqlalchemy_url(settings.database_url), stop)
    # Python would wait for its threads, which may just be loading libraries: many seconds on a
    # busy machine, for nothing. What it would delete then is the folder of the readers' socket.
    shutil.rmtree(multiprocessing.util.get_temp_dir(), ignore_errors=True)
    logging.shutdown()
    os._exit(0)


if __name__ == "__main__":
    prepare_library_environment()
    asyncio.run(_run_as_child())
