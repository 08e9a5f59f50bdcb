"""The processes of `ke serve`: how they start and end, and what outlives whose death."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.embedded_postgres import EmbeddedPostgres
from app.postgres_programs import find_postmaster
from app.server import keep_postgres, pause_after
from tests.built_models import link_models
from tests.conftest import FILES
from tests.ke_process import (
    Service,
    has_fork_server,
    ke,
    new_data_dir,
    processes_of,
    serving,
    start_serving,
    wait_for,
    words_of,
)
from tests.postgres_over_tcp import free_port, postgres_over_tcp

LEASE = FILES / "warehouse-lease.pdf"


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    with new_data_dir() as path:
        yield path


@pytest.fixture(scope="module")
def key(data_dir: Path) -> str:
    """The key that the first start on the directory prints; SIGTERM ends that start."""
    with serving(data_dir) as service:
        wait_for(lambda: has_fork_server(data_dir))
        assert service.worker() in processes_of(data_dir)
        assert service.stop(signal.SIGTERM) == 0
        wait_for(lambda: processes_of(data_dir) == [])
        return service.key


@pytest.fixture(scope="module")
def unread(data_dir: Path, key: str) -> str:
    """The id of a document that the second start took just before it was killed."""
    with serving(data_dir, key=key) as service:
        worker = service.worker()
        data_source = service.upload(service.create_engine(), LEASE)
        service.stop(signal.SIGKILL)
        assert worker is not None
        worker.wait(10)
        return data_source


@pytest.fixture(scope="module")
def service(data_dir: Path, key: str, unread: str) -> Iterator[Service]:
    """The third start on the same directory; Ctrl-C ends it."""
    with serving(data_dir, key=key) as service:
        yield service
        assert service.stop(signal.SIGINT) == 0
        wait_for(lambda: processes_of(data_dir) == [])


@pytest.fixture(scope="module")
def engine(service: Service) -> str:
    return service.create_engine()


def test_document_is_read_and_found(service: Service, engine: str) -> None:
    data_source = service.upload(engine, LEASE)

    assert service.outcome(data_source) == "ok"

    path = f"/api/v1/knowledge-engines/{engine}/retrieve"
    chunks = service.client.post(path, json={"query": "end of the lease"}).json()["chunks"]
    assert chunks[0]["filename"] == LEASE.name


def test_key_is_printed_by_the_first_start_only(service: Service, key: str) -> None:
    assert len(key) > 34
    assert service.key == ""
    assert service.get("/knowledge-engines") is not None


def test_killed_service_takes_its_worker_along_and_loses_no_document(
    service: Service, unread: str
) -> None:
    assert service.outcome(unread) == "ok"


def test_second_service_on_the_directory_is_refused(service: Service) -> None:
    second = ke("serve", "--data-dir", service.data_dir, "--port", "0")

    assert second.returncode == 1
    assert f"in use by process {service.process.pid}" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert service.get("/knowledge-engines") is not None


def test_port_in_use_is_said_before_anything_is_started(service: Service, tmp_path: Path) -> None:
    port = str(service.client.base_url.port)

    refused = ke("serve", "--data-dir", tmp_path / "new", "--port", port)

    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Cannot listen at 127.0.0.1:{port}: Address already in use.")
    assert len(refused.stderr.splitlines()) == 1
    assert not (tmp_path / "new").exists()


def test_killed_worker_is_replaced(service: Service) -> None:
    killed = service.worker()
    assert killed is not None

    killed.kill()

    wait_for(lambda: service.worker() not in (None, killed))


@pytest.mark.parametrize(
    ("lived", "pauses"),
    [
        pytest.param([1, 1, 1, 1], [1, 3, 7, 7], id="longer each time that it dies young"),
        pytest.param([1, 1, 1, 60, 1], [1, 3, 7, 1, 3], id="short again once it lived for long"),
    ],
)
def test_next_worker_waits(lived: list[float], pauses: list[float]) -> None:
    pause = 0.0
    waited = [pause := pause_after(seconds, pause) for seconds in lived]

    assert waited == pauses


async def test_database_that_does_not_come_back_at_once_is_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with new_data_dir() as data_dir, EmbeddedPostgres.start(data_dir) as postgres:
        configuration = data_dir / "postgres" / "postgresql.conf"
        sound = configuration.read_bytes()
        keeping = asyncio.create_task(keep_postgres(postgres))

        configuration.write_bytes(sound + b"no_such_setting = 1\n")
        kill_server(data_dir)
        await asyncio.to_thread(wait_for, lambda: "did not come up" in caplog.text)
        configuration.write_bytes(sound)

        await asyncio.to_thread(wait_for, postgres.is_alive)
        keeping.cancel()
        await asyncio.wait([keeping])
        assert keeping.cancelled()


def test_of_two_starts_at_once_one_is_refused_and_the_other_can_be_stopped() -> None:
    with new_data_dir() as data_dir:
        link_models(data_dir)
        logs = {free_port(): data_dir.parent / name for name in ("first", "second")}
        starts = [start_serving(data_dir, port, log) for port, log in logs.items()]
        wait_for(lambda: any(one.poll() is not None for one in starts))

        refused, served = sorted(starts, key=lambda one: one.poll() is None)
        assert refused.wait() == 1
        assert any("in use by process" in log.read_text() for log in logs.values())
        assert served.poll() is None

        served.terminate()  # While it is still making its database.
        served.wait(30)
        wait_for(lambda: processes_of(data_dir) == [])


def test_first_start_builds_the_model_while_it_makes_the_database() -> None:
    with new_data_dir() as data_dir:
        process = start_serving(data_dir, free_port(), data_dir.parent / "log")

        wait_for(lambda: {"indexing.minilm", "initdb"} <= names_of_programs(data_dir))

        process.terminate()
        process.wait(30)
        wait_for(lambda: processes_of(data_dir) == [])


def test_database_of_ones_own_serves_reads_and_takes_keys() -> None:
    with TemporaryDirectory(prefix="ke-test-", dir="/tmp") as folder:
        directory, data_dir = Path(folder), Path(folder) / "data"
        with (
            postgres_over_tcp(directory) as url,
            serving(data_dir, KE_DATABASE_URL=url) as service,
        ):
            data_source = service.upload(service.create_engine(), LEASE)
            assert service.outcome(data_source) == "ok"

            made = ke("keys", "create", "--name", "own", KE_DATABASE_URL=url)
            service.client.auth = (made.stdout.strip(), "")
            assert service.get(f"/data-sources/{data_source}")["outcome"] == "ok"
            assert not (data_dir / "postgres").exists()
            assert service.stop() == 0


def names_of_programs(data_dir: Path) -> set[str]:
    """Return the words of the commands that work on a data directory, paths by their last name."""
    return {Path(word).name for one in processes_of(data_dir) for word in words_of(one)}


def kill_server(data_dir: Path) -> None:
    postmaster = find_postmaster(data_dir / "postgres")
    assert postmaster is not None
    os.kill(postmaster.pid, signal.SIGKILL)
