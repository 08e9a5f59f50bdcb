"""Readers that are forked before they are needed, from a process that has all libraries loaded.

To fork one, and to have it write to memory for the first time, costs as much as some pages of text.
So who has read a short text reads the next one of the same owner too.
"""

import asyncio
import atexit
import contextlib
import functools
import logging
import multiprocessing
import multiprocessing.connection
import multiprocessing.forkserver
import multiprocessing.resource_tracker
import socket
import sys
import time
import types
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess

from indexing.partition.processes.allocator import jemalloc, preloaded
from indexing.partition.processes.file_ban import ban_files
from indexing.partition.processes.reader_process import CPU_GRACE_SECONDS, read_documents
from indexing.partition.processes.socket_ban import ban_sockets
from indexing.partition.reader import READERS

MAX_DOCUMENTS = 100
"""As many one reader reads: what its libraries may leave in it does not add up for ever. Texts of
annual reports leave nothing, and a new reader costs as much as ten of their pages.
"""

MAX_KEPT = 4
KEPT_SECONDS = 2.0
"""How many readers wait for the next document of their owners, and how long: each has memory.

As many as a worker reads documents at once, or those that are ended would be missed a moment later.
"""

_logger = logging.getLogger(__name__)

# What a reader keeps where the system has no bans, by the bit that says so.
_KEPT = {1: "the network", 2: "all files of this account"}


@dataclass(eq=False, slots=True)
class Reader:
    """A process that reads documents, and the socket by which it is told and tells.

    No other process holds our end of the socket, so the reader sees it close when we die.
    """

    process: ForkServerProcess
    connection: socket.socket
    owner: str = ""  # of all that it has read
    documents: int = 0  # that it has read to their end
    kept_since: float = 0.0


class ReadyReaders:
    """One reader that waits for its document, always the next behind it, and some with an owner.

    A fork of a process that has so much loaded takes longer than reading many a document.
    """

    def __init__(self) -> None:
        self._waiting: deque[Future[Reader]] = deque()
        self._kept: list[Reader] = []

    async def prepare(self) -> None:
        """Start the first reader, and what it is forked from: some seconds."""
        self._start_next()
        await asyncio.to_thread(self._waiting[0].result)

    async def take(self) -> Reader:
        """Return a reader for one document; the next is started meanwhile.

        Raises:
            OSError: the system starts no more processes.
        """
        while True:
            reader = await self._take_first()
            if not _is_readable(reader):
                return reader
            self.end(reader)

    def take_kept(self, owner: str) -> Reader | None:
        """Return a reader that has read for this owner, and for nobody else; None if none waits."""
        self._end_unneeded()
        # The last one first: where fewer suffice, the others end.
        for reader in [one for one in reversed(self._kept) if one.owner == owner]:
            self._kept.remove(reader)
            if not _is_readable(reader):
                return reader
            self.end(reader)
        return None

    def keep(self, reader: Reader, owner: str) -> None:
        """Let a reader that has sent all of a document wait for the owner's next one."""
        reader.owner, reader.kept_since = owner, time.monotonic()
        reader.documents += 1
        if reader.documents == MAX_DOCUMENTS:
            self.end(reader)
            return
        self._kept.append(reader)
        self._end_unneeded()
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._end_unneeded)

    async def exit_code(self, reader: Reader) -> int | None:
        """Return how a reader ended that says no more; None if it does not end."""

        def wait() -> int | None:
            reader.process.join(timeout=CPU_GRACE_SECONDS)
            return reader.process.exitcode

        return await asyncio.wrap_future(_thread().submit(wait))

    def end(self, reader: Reader) -> None:
        """End a reader, whatever it does; nobody waits until its memory is given back."""
        reader.connection.close()
        reader.process.kill()
        _thread().submit(_forget, reader.process)

    def close(self) -> None:
        """Let the readers go that wait: they end when their sockets close."""
        while self._kept:
            self._kept.pop().connection.close()
        while self._waiting:
            waiting = self._waiting.popleft()
            if waiting.exception() is None:
                waiting.result().connection.close()

    def _end_unneeded(self) -> None:
        """End the readers that have waited for long enough, and the oldest of too many."""
        longest = time.monotonic() - KEPT_SECONDS
        while self._kept and (len(self._kept) > MAX_KEPT or self._kept[0].kept_since <= longest):
            self.end(self._kept.pop(0))

    async def _take_first(self) -> Reader:
        self._start_next()
        first = self._waiting.popleft()
        self._start_next()
        try:
            return await asyncio.to_thread(first.result)
        except asyncio.CancelledError:
            self._waiting.append(first)
            raise

    def _start_next(self) -> None:
        if not self._waiting:
            self._waiting.append(_thread().submit(_start))


@functools.cache
def _thread() -> ThreadPoolExecutor:
    """Return the thread that starts readers, and waits for those that end.

    It is the only one, because multiprocessing looks after all children whenever one is started.
    """
    return ThreadPoolExecutor(1, "ready-readers")


@functools.cache
def ready_readers() -> ReadyReaders:
    """Return the readers of this process; those that wait at its end are let go."""
    readers = ReadyReaders()
    atexit.register(readers.close)
    return readers


def _start() -> Reader:
    _start_fork_server()
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            return Reader(_forked(read_documents, theirs), ours)
        except BaseException:
            ours.close()
            raise


def _is_readable(reader: Reader) -> bool:
    """Tell whether a reader that waits can be read from, and so is dead: it has nothing to say."""
    return bool(multiprocessing.connection.wait([reader.connection], timeout=0))


def _forget(process: ForkServerProcess) -> None:
    process.join()
    process.close()


@functools.cache
def _start_fork_server() -> None:
    """Start the process that readers are forked from, and wait until its imports are done."""
    modules = sorted({module for module, _ in READERS.values()})
    first, last = (
        "indexing.partition.processes.preloading",
        "indexing.partition.processes.preloaded",
    )
    own = [f"indexing.partition.processes.{name}" for name in ("socket_folder", "reader_process")]
    multiprocessing.set_forkserver_preload([first, *own, *modules, last])
    # It lives as long and holds nothing: with jemalloc in huge pages it takes three times as much.
    multiprocessing.resource_tracker.ensure_running()
    with preloaded(jemalloc()), _without_main_module():
        multiprocessing.forkserver.ensure_running()
    trial = _forked(_try_bans)
    trial.join()
    if trial.exitcode:
        kept = " and ".join(_KEPT[bit] for bit in _KEPT if trial.exitcode & bit)
        _logger.warning("This system lets readers of documents keep their access to %s", kept)
    trial.close()


def _try_bans() -> None:
    """End with the sum of what is not refused here."""
    has_network, has_files = not ban_sockets(), not ban_files(readable=[], writable=[])
    sys.exit(1 * has_network + 2 * has_files)


def _forked(target: Callable[..., None], *arguments: object) -> ForkServerProcess:
    process = ForkServerProcess(target=target, args=arguments, daemon=True)
    with _without_main_module():
        process.start()
    return process


@contextlib.contextmanager
def _without_main_module() -> Iterator[None]:
    """Keep a child from importing the program that started it, which it has no use for.

    Multiprocessing looks the program up here, to import it into each child again: seconds for a
    service, and a surprise for a script.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
