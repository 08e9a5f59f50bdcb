"""Connections that only search, each with a thread of its own.

Every question waits for its search. Psycopg's plain connections take half the processor time of
asynchronous ones below SQLAlchemy, and a thread per search leaves the event loop free meanwhile.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import psycopg

from indexing.replica import Replica, ReplicaBehind
from indexing.thread_connections import ThreadConnections

CONNECT_SECONDS = 10

T = TypeVar("T")


class SearchConnections:
    """As many searches at once as there are threads; others wait in line."""

    def __init__(self, url: str, count: int, replica_url: str = "") -> None:
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="search")
        # Of its own, or searches could wait for parts that no thread is left for.
        self._beside = ThreadPoolExecutor(count, thread_name_prefix="search-beside")
        self._primary = ThreadConnections(url, CONNECT_SECONDS)
        self._replica = Replica(replica_url) if replica_url else None

    async def run(self, search: Callable[[psycopg.Connection], T]) -> T:
        """Return what a search finds; it only reads, so it may be done twice.

        Raises:
            psycopg.Error: the database is away, or refuses the search.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._run, search)

    def begin_beside(self, part: Callable[[psycopg.Connection], T]) -> Future[T]:
        """Begin a part of a search on a connection of its own; a search may wait for it."""
        return self._beside.submit(self._run, part)

    async def close(self) -> None:
        """Let the searches end, and give the connections back."""
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._beside.shutdown)
        self._primary.close()
        if self._replica is not None:
            self._replica.close()

    def _run(self, search: Callable[[psycopg.Connection], T]) -> T:
        if self._replica is not None:
            with suppress(ReplicaBehind):
                return self._replica.run(search, self._primary)
        return self._primary.run(search)
