import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.doctor.findings import Level
from app.doctor.replica import check_replica
from app.embedded_postgres import EmbeddedPostgres
from config.settings import Settings
from tests.ke_process import wait_for
from tests.postgres_replica import replica_of

NOWHERE = "postgresql://127.0.0.1:1/nowhere"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, str]]:
    """A primary and its replica."""
    with tempfile.TemporaryDirectory(prefix="ke-test-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        with EmbeddedPostgres.start(Path(folder) / "data") as primary:
            dsn = primary.dsn.replace("/knowledge_engine?", "/postgres?")
            with replica_of(dsn, Path(folder)) as replica_dsn:
                yield dsn, replica_dsn


def test_replica_that_follows_is_well(servers: tuple[str, str]) -> None:
    wait_for(lambda: found_at(servers[1])[0] is Level.OK)


def test_server_that_takes_changes_itself_is_a_problem(servers: tuple[str, str]) -> None:
    assert found_at(servers[0])[0] is Level.PROBLEM


def test_replica_that_its_primary_no_longer_feeds_is_told(servers: tuple[str, str]) -> None:
    with psycopg.connect(servers[1], autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
        connection.execute("SELECT pg_reload_conf()")

    wait_for(lambda: found_at(servers[1])[0] is Level.WARNING)
    assert "receives nothing" in found_at(servers[1])[1]


def test_replica_that_is_away_is_a_warning_for_the_primary_serves() -> None:
    level, text = found_at(NOWHERE)

    assert (level, text.startswith("cannot be reached: ")) == (Level.WARNING, True)


def test_address_that_is_none_is_a_problem() -> None:
    assert found_at("nonsense")[0] is Level.PROBLEM


def test_installation_without_a_replica_is_not_told_of_any() -> None:
    assert not list(check_replica(Settings()))


def found_at(url: str) -> tuple[Level, str]:
    (found,) = check_replica(Settings(database_read_url=url))
    return found.level, found.text
