import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.database import libpq_url
from config.keepalives import KEEPALIVES
from indexing.thread_connections import ThreadConnections
from tests.postgres_over_tcp import postgres_over_tcp


@pytest.fixture
def connections(database_url: str) -> Iterator[ThreadConnections]:
    connections = ThreadConnections(libpq_url(database_url), 10)
    yield connections
    connections.close()


def test_search_is_given_a_connection_that_knows_vectors(connections: ThreadConnections) -> None:
    def search(connection: psycopg.Connection) -> list[float]:
        row = connection.execute("SELECT '[1,2]'::vector").fetchone()
        assert row is not None
        return [float(value) for value in row[0].to_list()]

    assert connections.run(search) == [1, 2]


def test_thread_keeps_its_connection(connections: ThreadConnections) -> None:
    assert connections.run(backend) == connections.run(backend)


def test_search_goes_on_when_its_connection_has_died(
    connections: ThreadConnections, database_url: str
) -> None:
    before = connections.run(backend)
    with psycopg.connect(libpq_url(database_url), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (before,))

    assert connections.run(backend) != before


def test_search_that_the_database_refuses_is_not_done_twice(
    connections: ThreadConnections,
) -> None:
    tries = []

    def search(connection: psycopg.Connection) -> None:
        tries.append(connection)
        connection.execute("SELECT * FROM nowhere")

    connections.run(backend)
    with pytest.raises(psycopg.errors.UndefinedTable):
        connections.run(search)

    assert len(tries) == 1


def test_server_on_another_host_that_goes_without_a_word_is_noticed() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="ke-test-", dir="/tmp") as folder,
        postgres_over_tcp(Path(folder)) as url,
    ):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        connections = ThreadConnections(url, 10)

        assert connections.run(keepalives) == [1, *KEEPALIVES.values()]
        assert connections.run(asked_by_the_server) == list(KEEPALIVES.values())
        connections.close()


def backend(connection: psycopg.Connection) -> int:
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    assert row is not None
    return int(row[0])


def keepalives(connection: psycopg.Connection) -> list[int]:
    """Return what the system does for the connection's socket, in the order of `KEEPALIVES`."""
    options = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_USER_TIMEOUT")
    with socket.socket(fileno=os.dup(connection.fileno())) as own:
        is_kept_alive = own.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        values = [own.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in options]
    return [is_kept_alive, *values]


def asked_by_the_server(connection: psycopg.Connection) -> list[int]:
    """Return what the server's system does for its end of the connection, in the same order."""
    asked = "SELECT setting::int FROM pg_settings WHERE name = %s"
    names = [name.replace("keepalives", "tcp_keepalives") for name in KEEPALIVES]
    rows = [connection.execute(asked, (name,)).fetchone() for name in names]
    return [row[0] for row in rows if row is not None]
