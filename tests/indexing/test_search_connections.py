import asyncio
import threading
from collections.abc import AsyncIterator

import psycopg
import pytest

from app.database import libpq_url
from indexing.search_connections import SearchConnections


@pytest.fixture
async def connections(database_url: str) -> AsyncIterator[SearchConnections]:
    connections = SearchConnections(libpq_url(database_url), 2)
    yield connections
    await connections.close()


async def test_searches_use_the_same_connections_again(connections: SearchConnections) -> None:
    used = {await connections.run(backend) for _ in range(10)}

    assert len(used) <= 2


async def test_no_more_searches_run_at_once_than_there_are_threads(
    connections: SearchConnections,
) -> None:
    running = threading.Semaphore(2)

    def search(connection: psycopg.Connection) -> bool:
        is_free = running.acquire(blocking=False)
        connection.execute("SELECT pg_sleep(0.01)")
        running.release()
        return is_free

    assert all(await asyncio.gather(*(connections.run(search) for _ in range(8))))


async def test_part_of_a_search_is_done_beside_it(connections: SearchConnections) -> None:
    def search(connection: psycopg.Connection) -> tuple[int, int]:
        part = connections.begin_beside(backend)
        return backend(connection), part.result(timeout=10)

    both = await asyncio.gather(*(connections.run(search) for _ in range(8)))

    assert all(own != beside for own, beside in both)
    assert len({one for pair in both for one in pair}) <= 4


async def test_closed_connections_are_gone(database_url: str) -> None:
    connections = SearchConnections(libpq_url(database_url), 2)
    pid = await connections.run(backend)

    await connections.close()

    with psycopg.connect(libpq_url(database_url), autocommit=True) as other:
        other.execute("SELECT pg_sleep(0.05)")
        alive = other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", (pid,)).fetchone()
    assert alive is None


def backend(connection: psycopg.Connection) -> int:
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    assert row is not None
    return int(row[0])
