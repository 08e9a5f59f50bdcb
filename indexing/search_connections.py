"""Connections that only search, each with a thread of its own.

Every question waits for its search. Psycopg's plain connections take half the processor time of
asynchronous ones below SQLAlchemy, and a thread per search leaves the event loop free meanwhile.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import psycopg
from pgvector.psycopg import register_vector

EF_SEARCH = 200
"""How many candidates a search of the HNSW graph keeps: for 50 of them to be the nearest ones."""

CONNECT_SECONDS = 10

T = TypeVar("T")


class SearchConnections:
    """As many searches at once as there are threads; others wait in line.

    A connection is made when its thread first needs it, and again when its server has gone.
    """

    def __init__(self, url: str, count: int) -> None:
        self._url = url
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="search")
        self._own = threading.local()
        self._open: list[psycopg.Connection] = []

    async def run(self, search: Callable[[psycopg.Connection], T]) -> T:
        """Return what a search finds; it only reads, so it may be done twice.

        Raises:
            psycopg.Error: the database is away, or refuses the search.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._run, search)

    async def close(self) -> None:
        """Let the searches end, and give the connections back."""
        await asyncio.to_thread(self._threads.shutdown)
        for connection in self._open:
            connection.close()

    def _run(self, search: Callable[[psycopg.Connection], T]) -> T:
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

    def _connect(self) -> psycopg.Connection:
        connection = psycopg.connect(
            self._url,
            autocommit=True,
            prepare_threshold=0,
            connect_timeout=CONNECT_SECONDS,
            application_name="knowledge-engine",
        )
        register_vector(connection)
        connection.execute(f"SET hnsw.ef_search = {EF_SEARCH}")
        self._own.connection = connection
        self._open.append(connection)
        return connection
