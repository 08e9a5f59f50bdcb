"""Searches on a streaming replica, and that they never show less than the primary would."""

import asyncio
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest

from app.embedded_postgres import EmbeddedPostgres
from indexing.replica import Position, current_position, has_replayed
from indexing.search_connections import SearchConnections
from tests.ke_process import wait_for
from tests.postgres_replica import replica_of

NOWHERE = "postgresql://127.0.0.1:1/nowhere"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, str]]:
    """A primary and its replica, which follows within milliseconds."""
    with tempfile.TemporaryDirectory(prefix="ke-test-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        with EmbeddedPostgres.start(Path(folder) / "data") as primary:
            dsn = primary.dsn.replace("/knowledge_engine?", "/postgres?")
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute("CREATE EXTENSION vector")
                connection.execute("CREATE TABLE stored (id int)")
            with replica_of(dsn, Path(folder)) as replica_dsn:
                yield dsn, replica_dsn


@pytest.fixture
async def connections(servers: tuple[str, str]) -> AsyncIterator[SearchConnections]:
    connections = SearchConnections(servers[0], 2, servers[1])
    yield connections
    await connections.close()


@pytest.fixture
def held_back(servers: tuple[str, str]) -> Iterator[None]:
    """The replica receives what is changed, but does not replay it, as one under load."""
    with psycopg.connect(servers[1], autocommit=True) as connection:
        connection.execute("SELECT pg_wal_replay_pause()")
        wait_for(lambda: pause_state(connection) == "paused")
        yield
        connection.execute("SELECT pg_wal_replay_resume()")


async def test_replica_searches_when_it_has_replayed_everything(
    servers: tuple[str, str], connections: SearchConnections
) -> None:
    # It has still to replay what the last test has changed, and nothing tells when it has.
    while not await connections.run(is_replica):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


@pytest.mark.usefixtures("held_back")
async def test_what_was_just_stored_is_found_though_the_replica_has_it_not(
    servers: tuple[str, str], connections: SearchConnections
) -> None:
    with psycopg.connect(servers[0], autocommit=True) as primary:
        primary.execute("INSERT INTO stored VALUES (7)")

    assert await connections.run(count_stored) == 1
    assert not await connections.run(is_replica)


async def test_replica_that_is_away_is_left_alone_for_a_while(
    servers: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    connections = SearchConnections(servers[0], 1, NOWHERE)

    found = [await connections.run(is_replica) for _ in range(3)]

    assert found == [False, False, False]
    assert [one.message for one in caplog.records] == [
        "The replica does not answer: OperationalError"
    ]
    await connections.close()


async def test_search_that_the_replica_cancels_is_answered_by_the_primary(
    servers: tuple[str, str], connections: SearchConnections
) -> None:
    asked = threading.Event()

    def search(connection: psycopg.Connection) -> bool:
        if is_replica(connection):
            asked.set()
            raise psycopg.errors.SerializationFailure
        return True

    while not asked.is_set():
        assert await connections.run(search)


async def test_search_that_is_refused_fails_as_it_would_on_the_primary(
    servers: tuple[str, str], connections: SearchConnections
) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        await connections.run(lambda connection: connection.execute("SELECT * FROM nowhere"))


def test_server_of_another_history_counts_as_behind(servers: tuple[str, str]) -> None:
    with psycopg.connect(servers[0]) as primary, psycopg.connect(servers[1]) as follower:
        beginning = Position(current_position(primary).timeline, "0/0")

        assert has_replayed(follower, beginning)
        assert not has_replayed(follower, Position(beginning.timeline + 1, "0/0"))
        assert not has_replayed(primary, beginning)


def is_replica(connection: psycopg.Connection) -> bool:
    row = connection.execute("SELECT pg_is_in_recovery()").fetchone()
    assert row is not None
    return bool(row[0])


def count_stored(connection: psycopg.Connection) -> int:
    row = connection.execute("SELECT count(*) FROM stored").fetchone()
    assert row is not None
    return int(row[0])


def pause_state(connection: psycopg.Connection) -> str:
    row = connection.execute("SELECT pg_get_wal_replay_pause_state()").fetchone()
    assert row is not None
    return str(row[0])
