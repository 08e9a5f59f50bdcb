import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import psycopg
import pytest

from app.postgres_programs import DatabaseStartFailed, initialise_cluster, is_running
from tests.postgres_over_tcp import postgres_over_tcp


@pytest.fixture
def directory() -> Iterator[Path]:
    with TemporaryDirectory(prefix="ke-test-", dir="/tmp") as name:
        yield Path(name)


def test_server_of_ones_own_asks_for_a_password(directory: Path) -> None:
    with postgres_over_tcp(directory) as url:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE EXTENSION vector")

        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(url.replace("p%40ss", "wrong"))


def test_failed_initialisation_says_why(directory: Path) -> None:
    cluster = directory / "missing"

    with pytest.raises(DatabaseStartFailed, match="unrecognized option"):
        initialise_cluster(cluster, directory / "log", None, "--no-such-option")


def test_zombie_does_not_count_as_running() -> None:
    with subprocess.Popen(["true"]) as child:
        process = psutil.Process(child.pid)
        while process.status() != psutil.STATUS_ZOMBIE:
            pass

        assert not is_running(process)

    assert not is_running(process)
