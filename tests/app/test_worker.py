"""Workers; what they do with a document is tested beside the reading."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psutil
import pytest

from app.jobs import READ, JobKind, JobQueue
from app.services import Services
from app.worker import work
from indexing import language
from tests.built_models import link_models
from tests.conftest import FILES
from tests.ke_process import (
    COMMAND,
    SECONDS,
    Service,
    environment,
    has_fork_server,
    new_data_dir,
    processes_of,
    serving,
    wait_for,
    words_of,
)
from tests.readers import has_order

AS_CHILD = [sys.executable, "-m", "app.worker"]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with new_data_dir() as data_dir, serving(data_dir) as service:
        yield service


@pytest.fixture
def own_worker(service: Service) -> Iterator[psutil.Process]:
    """The service's own worker, which stands still meanwhile."""
    worker = service.worker()
    assert worker is not None
    worker.suspend()
    yield worker
    worker.resume()


@pytest.mark.parametrize("deleted", ["data source", "engine"])
def test_reader_ends_with_its_document_even_amid_a_page(service: Service, deleted: str) -> None:
    engine = service.create_engine()
    data_source = service.upload(engine, FILES / "delivery-note-scan.pdf")
    reader = reader_standing_still(service)
    paths = {"data source": f"data-sources/{data_source}", "engine": f"knowledge-engines/{engine}"}

    service.client.delete(f"/api/v1/{paths[deleted]}").raise_for_status()

    wait_for(lambda: not reader.is_running(), seconds=15)
    wait_for(lambda: copies_in(service) == [])


def test_copy_of_a_killed_worker_goes_and_its_document_is_read_by_the_next(
    service: Service,
) -> None:
    worker = service.worker()
    assert worker is not None
    data_source = service.upload(service.create_engine(), FILES / "delivery-note-scan.pdf")
    reader = reader_standing_still(service)
    [copy] = [path for path in copies_in(service) if path.name == "file"]

    worker.kill()

    wait_for(lambda: not copy.exists())
    reader.kill()  # By itself it cannot see that its worker is gone while it stands still.
    assert service.outcome(data_source) == "ok"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has turns to ask for")
def test_worker_and_its_readers_let_what_answers_requests_go_first(service: Service) -> None:
    wait_for(lambda: has_fork_server(service.data_dir))
    worker = service.worker()
    assert worker is not None
    [fork_server] = [one for one in worker.children() if "forkserver" in " ".join(words_of(one))]

    policies = [os.sched_getscheduler(one) for one in (worker.pid, fork_server.pid)]

    assert policies == [os.SCHED_BATCH, os.SCHED_BATCH]
    assert os.sched_getscheduler(service.process.pid) == os.SCHED_OTHER


@pytest.mark.usefixtures("own_worker")
def test_worker_beside_a_service_reads_and_ends_when_told(service: Service) -> None:
    command = [*COMMAND, "worker", "--data-dir", str(service.data_dir)]
    with subprocess.Popen(command, env=environment({})) as worker:
        data_source = service.upload(service.create_engine(), FILES / "warehouse-lease.pdf")
        assert service.outcome(data_source) == "ok"

        worker.send_signal(signal.SIGTERM)

        assert worker.wait(SECONDS) == 0


async def test_worker_takes_documents_when_all_is_loaded(
    services: Services, database_url: str
) -> None:
    language._identifier.cache_clear()
    queue = services.queue = WatchedQueue(database_url)
    stop = asyncio.Event()

    working = asyncio.create_task(work(services, stop, asyncio.Event()))

    assert await asyncio.wait_for(queue.had_loaded, SECONDS)
    stop.set()
    await working


class WatchedQueue(JobQueue):
    """Tells whether the language model was loaded when the work on documents began."""

    def __init__(self, database_url: str) -> None:
        super().__init__(database_url)
        self.had_loaded = asyncio.get_running_loop().create_future()

    async def work(
        self, do: Callable[[str], Awaitable[None]], concurrency: int, kind: JobKind = READ
    ) -> None:
        if kind is READ:
            self.had_loaded.set_result(language._identifier.cache_info().currsize == 1)
        await asyncio.Event().wait()


def reader_standing_still(service: Service) -> psutil.Process:
    """Stop the process that reads a document, as a page would that takes for ever."""
    wait_for(lambda: len(readers_of(service)) == 1)
    [reader] = readers_of(service)
    reader.suspend()
    return reader


def readers_of(service: Service) -> list[psutil.Process]:
    """Return the processes below the worker that have a document, and do not just wait for one."""
    worker = service.worker()
    below = worker.children(recursive=True) if worker is not None else []
    return [process for process in below if has_order(process.pid)]


def copies_in(service: Service) -> list[Path]:
    return [path for path in (service.data_dir / "work").rglob("*") if path.is_file()]


def test_worker_that_a_service_started_ends_with_it(service: Service) -> None:
    """The worker knows by its standard input, here ours."""
    with new_data_dir() as data_dir:
        link_models(data_dir)
        worker = service.worker()
        assert worker is not None
        url = worker.environ()["KE_DATABASE_URL"]
        settings = environment({"KE_DATABASE_URL": url, "KE_DATA_DIR": str(data_dir)})
        with subprocess.Popen(AS_CHILD, env=settings, stdin=subprocess.PIPE) as child:
            wait_for(lambda: has_fork_server(data_dir))
            assert child.stdin is not None
            child.stdin.close()
            # On a busy machine it is still loading its libraries, and the alarm ends it.
            assert child.wait(SECONDS) in (0, -signal.SIGALRM)
        wait_for(lambda: processes_of(data_dir) == [])


@pytest.mark.parametrize(("end", "exit_code"), [(signal.SIGTERM, 0), (signal.SIGKILL, -9)])
def test_worker_that_ends_or_is_killed_leaves_nothing_outside_of_its_directory(
    end: signal.Signals, exit_code: int, service: Service
) -> None:
    with new_data_dir() as data_dir, tempfile.TemporaryDirectory(dir="/tmp") as temporary:
        link_models(data_dir)
        worker = service.worker()
        assert worker is not None
        url = worker.environ()["KE_DATABASE_URL"]
        settings = {"KE_DATABASE_URL": url, "KE_DATA_DIR": str(data_dir)}
        settings |= {"HOME": temporary, "TMPDIR": temporary}
        with subprocess.Popen(AS_CHILD, env=environment(settings), stdin=subprocess.PIPE) as child:
            wait_for(lambda: has_fork_server(data_dir))
            had = os.listdir(temporary)
            child.send_signal(end)

            assert child.wait(SECONDS) == exit_code
        assert had
        wait_for(lambda: os.listdir(temporary) == [])
