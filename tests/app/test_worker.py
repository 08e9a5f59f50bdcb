"""Workers as processes of their own; what they do with a document is tested beside the reading."""

import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

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
)

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


@pytest.mark.usefixtures("own_worker")
def test_worker_beside_a_service_reads_and_ends_when_told(service: Service) -> None:
    command = [*COMMAND, "worker", "--data-dir", str(service.data_dir)]
    with subprocess.Popen(command, env=environment({})) as worker:
        data_source = service.upload(service.create_engine(), FILES / "warehouse-lease.pdf")
        assert service.outcome(data_source) == "ok"

        worker.send_signal(signal.SIGTERM)

        assert worker.wait(SECONDS) == 0


def test_worker_that_a_service_started_ends_with_it(service: Service) -> None:
    """The worker knows by its standard input, here ours."""
    with new_data_dir() as data_dir:
        worker = service.worker()
        assert worker is not None
        url = worker.environ()["KE_DATABASE_URL"]
        settings = environment({"KE_DATABASE_URL": url, "KE_DATA_DIR": str(data_dir)})
        with subprocess.Popen(AS_CHILD, env=settings, stdin=subprocess.PIPE) as child:
            wait_for(lambda: has_fork_server(data_dir))
            assert child.stdin is not None
            child.stdin.close()
            assert child.wait(SECONDS) == 0
        wait_for(lambda: processes_of(data_dir) == [])
