"""Connections to one server, one for each thread, made when it is first needed."""

import threading
from collections.abc import Callable
from typing import TypeVar

import psycopg
from pgvector.psycopg import register_vector
from psycopg.conninfo import make_conninfo

from config.keepalives import ASK_CLIENT, KEEPALIVES

EF_SEARCH = 200
"""How many candidates a search of the HNSW graph keeps: for 50 of them to be the nearest ones."""

T = TypeVar("T")


class ThreadConnections:
    """A connection for each thread that searches; made again when its server has gone."""

    def __init__(self, url: str, connect_seconds: int) -> None:
        self._address = make_conninfo(url, **KEEPALIVES)
        self._connect_seconds = connect_seconds
        self._own = threading.local()
        self._open: list[psycopg.Connection] = []

    def run(self, search: Callable[[psycopg.Connection], T]) -> T:
        """Return what a search finds; it only reads, so it may be done twice.

        Raises:
            psycopg.Error: the server is away, or refuses the search.
        """
        connection: psycopg.Connection | None = getattr(self._own, "connection", None)
        if connection is not None:
            try:
                return search(connection)
            except psycopg.OperationalError:
                # A connection that died while it had nothing to do shows so only now.
                if not connection.closed:
                    raise
                self._own.connection = None
                self._open.remove(connection)
        return search(self._connect())

    def close(self) -> None:
        """Give the connections back; no thread may use one any more."""
        for connection in self._open:
            connection.close()

    def _connect(self) -> psycopg.Connection:
        connection = psycopg.connect(
            self._address,
            autocommit=True,
            prepare_threshold=0,
            connect_timeout=self._connect_seconds,
            application_name="knowledge-engine",
        )
        connection.execute(ASK_CLIENT, KEEPALIVES)
        register_vector(connection)
        connection.execute(f"SET hnsw.ef_search = {EF_SEARCH}")
        self._own.connection = connection
        self._open.append(connection)
        return connection
