import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import psycopg
import pytest
from sqlalchemy import create_engine, text

from app.data_dir_lock import DataDirInUse
from app.embedded_postgres import DatabaseNotRunning, EmbeddedPostgres, attach
from app.postgres_programs import DatabaseStartFailed
from app.server_account import choose_account
from tests.built_database import copy_built_database

START_AND_SLEEP = """
import sys, time
from pathlib import Path
from app.embedded_postgres import EmbeddedPostgres

server = EmbeddedPostgres.start(Path(sys.argv[1]))
print("started", flush=True)
time.sleep(60)
"""


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """A data directory with a stopped server; each test starts it anew."""
    with TemporaryDirectory(prefix="ke-test-", dir="/tmp") as name:
        copy_built_database(Path(name))
        yield Path(name)


@pytest.fixture
def new_dir() -> Iterator[Path]:
    with TemporaryDirectory(prefix="ke-test-", dir="/tmp") as name:
        yield Path(name)


def test_each_test_gets_an_empty_database_with_vectors(database_url: str) -> None:
    engine = create_engine(database_url)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT '[1,2]'::vector <=> '[2,1]'")).scalar_one() > 0
    engine.dispose()


def test_data_outlives_a_restart(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as server:
        write(server.dsn, "kept")

    with EmbeddedPostgres.start(data_dir) as server:
        assert read(server.dsn) == "kept"


def test_stopped_server_leaves_no_process(data_dir: Path) -> None:
    server = EmbeddedPostgres.start(data_dir)
    processes = [postmaster(data_dir), *postmaster(data_dir).children()]

    server.stop()
    server.stop()

    assert len(processes) > 1
    assert not any(process.is_running() for process in processes)


def test_killed_server_is_brought_back(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as server:
        write(server.dsn, "committed")
        kill(postmaster(data_dir))
        assert not server.is_alive()

        server.ensure_running()

        assert server.is_alive()
        assert read(server.dsn) == "committed"


def test_start_waits_for_processes_of_a_killed_server(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as server, closing(psycopg.connect(server.dsn)) as busy:
        busy.pgconn.send_query(b"SELECT count(*) FROM generate_series(1, 4000000)")
        backend = psutil.Process(busy.info.backend_pid)
        kill(postmaster(data_dir))
        assert backend.is_running()

        server.ensure_running()

        assert not backend.is_running() or backend.status() == psutil.STATUS_ZOMBIE


def test_server_of_a_killed_parent_is_taken_over(data_dir: Path) -> None:
    with another_process_starting(data_dir) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"started\n"
    orphan = postmaster(data_dir)

    with EmbeddedPostgres.start(data_dir) as server:
        assert postmaster(data_dir) == orphan
        assert read(server.dsn) is not None

    assert not orphan.is_running() or orphan.status() == psutil.STATUS_ZOMBIE


def test_first_start_cut_short_does_not_hinder_the_next(new_dir: Path) -> None:
    with another_process_starting(new_dir):
        wait_for(lambda: any(new_dir.glob("postgres.new-*/base")))

    with EmbeddedPostgres.start(new_dir) as server:
        write(server.dsn, "works")


@pytest.mark.parametrize("command", [["sleep", "60"], ["true"]], ids=["alive", "zombie"])
def test_pid_that_now_belongs_to_another_process_is_passed(
    data_dir: Path, command: list[str]
) -> None:
    file = data_dir / "postgres" / "postmaster.pid"
    account = choose_account(data_dir / "postgres")
    with EmbeddedPostgres.start(data_dir) as server:
        kill(postmaster(data_dir))
        with subprocess.Popen(command, user=account.uid if account else None) as other:
            _, *lines = file.read_text().splitlines()
            file.write_text("\n".join([str(other.pid), *lines]))
            lock_file = data_dir / "postgres" / ".s.PGSQL.5432.lock"
            lock_file.write_text("\n".join([str(other.pid), *lines]))

            server.ensure_running()

            assert psutil.pid_exists(other.pid)
            other.kill()


def test_second_start_is_refused(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir), pytest.raises(DataDirInUse):
        EmbeddedPostgres.start(data_dir)


def test_other_process_attaches_to_the_running_server(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as server:
        assert attach(data_dir) == server.dsn

    with pytest.raises(DatabaseNotRunning, match="Start `ke serve` on it first"):
        attach(data_dir)


def test_only_the_account_of_the_server_comes_to_its_socket(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir):
        assert (data_dir / "postgres" / ".s.PGSQL.5432").is_socket()
        assert (data_dir / "postgres").stat().st_mode & 0o777 == 0o700


def test_path_too_long_for_a_socket_works(new_dir: Path) -> None:
    deep = new_dir / "with, comma" / ("deep" * 25)

    with EmbeddedPostgres.start(deep) as server:
        socket_dir = Path(server.dsn.partition("host=")[2].partition("&")[0])
        write(attach(deep), "reached")

    assert not socket_dir.exists()

    socket_dir.mkdir(mode=0o755)
    with pytest.raises(DatabaseStartFailed, match="is not a private directory"):
        EmbeddedPostgres.start(deep)
    socket_dir.rmdir()


def test_failed_start_shows_the_log(data_dir: Path, new_dir: Path) -> None:
    shutil.copytree(data_dir, new_dir, dirs_exist_ok=True)
    (new_dir / "postgres" / "postgresql.auto.conf").write_text("no_such_setting = 1\n")

    with pytest.raises(DatabaseStartFailed, match="no_such_setting"):
        EmbeddedPostgres.start(new_dir)

    (new_dir / "postgres" / "postgresql.auto.conf").write_text("")
    EmbeddedPostgres.start(new_dir).stop()


@contextmanager
def another_process_starting(data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start the server from another process, which is killed at the end."""
    command = [sys.executable, "-c", START_AND_SLEEP, str(data_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def postmaster(data_dir: Path) -> psutil.Process:
    pid = (data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0]
    return psutil.Process(int(pid))


def kill(process: psutil.Process) -> None:
    os.kill(process.pid, signal.SIGKILL)
    wait_for(lambda: process.status() == psutil.STATUS_ZOMBIE)


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def write(dsn: str, content: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS note AS SELECT ''::text AS text")
        connection.execute("UPDATE note SET text = %s", [content])


def read(dsn: str) -> str | None:
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT text FROM note").fetchone()
    return row[0] if row else None
