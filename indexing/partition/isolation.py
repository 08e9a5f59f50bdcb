"""Read a document in a process of its own, so that a poisoned file takes nothing else with it."""

import asyncio
import base64
import contextlib
import dataclasses
import functools
import json
import logging
import math
import multiprocessing
import multiprocessing.connection
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
import traceback
import types
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from indexing.partition.formats import DocumentFormat
from indexing.partition.reader import NEED_LIBREOFFICE, READERS, open_document
from indexing.partition.socket_ban import ban_sockets
from indexing.types import NO_PAGE, Block, BlockKind, Figure, Page, ReadBy

MAX_MESSAGE_BYTES = 256 * 1024**2
MAX_OPEN_FILES = 256
# Readers write no files, only LibreOffice does for them.
MAX_FILE_BYTES = 1 << 30
# A process that is over its time is first told so, and killed this much later.
CPU_GRACE_SECONDS = 2

# What a child sends: a word for its kind, then the values of that kind.
Message = list[Any]

_LENGTH = struct.Struct(">I")

logger = logging.getLogger(__name__)


class DocumentUnreadable(Exception):
    """The document cannot be read; the message says why to the one who uploaded it."""


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What reading one document may take."""

    wall_seconds: float  # of waiting for the reader; time the caller takes does not count
    cpu_seconds: int
    memory_bytes: int  # on top of what an idle reader has
    page_seconds: float = math.inf  # of waiting for one page, once the document is open
    # A small file may show the same text on any number of pages.
    pages: int = 100_000
    characters: int = 256_000_000


@dataclass(frozen=True, slots=True)
class _Order:
    """What a child is to read."""

    path: Path
    file_format: DocumentFormat
    limits: ReadLimits
    skip_pages: int
    with_figures: bool


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What is known of a document before its pages are read."""

    title: str
    page_count: int


async def read_isolated(
    path: Path,
    file_format: DocumentFormat,
    limits: ReadLimits,
    *,
    skip_pages: int = 0,
    with_figures: bool = False,
) -> AsyncGenerator[DocumentHead | Page, None]:
    """Yield the head of the document, then its pages, as a child process reads them.

    The first `skip_pages` pages are left out: an earlier reading has them. Pages come without their
    figures, unless these are asked for.

    The child stops by itself when nobody takes its pages (the socket between the two is full), and
    is killed when the caller stops early: at once within `contextlib.aclosing`.
    """
    await prepare_readers()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        order = _Order(path, file_format, limits, skip_pages, with_figures)
        process = _start_reader(theirs, order)
        theirs.close()
        try:
            reader, writer = await asyncio.open_connection(sock=ours)
            try:
                async for message in _receive(reader, limits):
                    yield message
            finally:
                writer.close()
        except EOFError as error:
            raise DocumentUnreadable(_cause_of_death(process, limits)) from error
        finally:
            process.kill()
            # A killed process is gone within a millisecond.
            process.join()
            process.close()


async def prepare_readers() -> None:
    """Load what the first document would have to wait for, some seconds."""
    await asyncio.to_thread(_prepare_fork_server)


@functools.cache
def _prepare_fork_server() -> None:
    """Start the process that readers are forked from, and wait until its imports are done."""
    modules = {module for module, _ in READERS.values()}
    preloaded = "indexing.partition.preloaded"
    multiprocessing.set_forkserver_preload([__name__, *sorted(modules), preloaded])
    with _without_main_module():
        first = ForkServerProcess(target=_try_ban)
        first.start()
        first.join()
        if first.exitcode:
            logger.warning("This system lets readers of documents keep their access to the network")
        first.close()


def _try_ban() -> None:
    sys.exit(not ban_sockets())


def _start_reader(connection: socket.socket, order: _Order) -> ForkServerProcess:
    process = ForkServerProcess(target=_read_in_child, args=(connection, order), daemon=True)
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


async def _receive(
    reader: asyncio.StreamReader, limits: ReadLimits
) -> AsyncGenerator[DocumentHead | Page, None]:
    seconds_left = limits.wall_seconds
    most_at_once = math.inf
    pages = characters = 0
    while True:
        started = time.monotonic()
        allowed = min(seconds_left, most_at_once)
        try:
            async with asyncio.timeout(allowed):
                message = await _receive_message(reader)
        except TimeoutError as error:
            limit = limits.wall_seconds if seconds_left <= most_at_once else most_at_once
            raise DocumentUnreadable(f"took longer than {limit:g} s") from error
        seconds_left -= time.monotonic() - started
        match message:
            case ["head", title, page_count]:
                most_at_once = limits.page_seconds
                yield DocumentHead(title, page_count)
            case ["page", dict(values)]:
                page = _page_from_message(values)
                pages, characters = pages + 1, characters + _count_characters(page)
                if excess := _excess(limits, pages, characters):
                    yield Page(NO_PAGE, (), warning=f"{excess}; the rest was not read, split it")
                    return
                yield page
            case ["error", text, trace]:
                logger.warning("A document cannot be read: %s\n%s", text, trace)
                raise DocumentUnreadable(text)
            case _:
                return


async def _receive_message(reader: asyncio.StreamReader) -> Message:
    """Receive one message as JSON, because a pickle of a captured child could run its code here."""
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    if length > MAX_MESSAGE_BYTES:
        raise DocumentUnreadable(f"one page holds more than {MAX_MESSAGE_BYTES >> 20} MB of text")
    message: Message = json.loads(await reader.readexactly(length))
    return message


def _page_from_message(values: dict[str, Any]) -> Page:
    blocks = tuple(
        Block(BlockKind(block["kind"]), block["text"], block["header"])
        for block in values["blocks"]
    )
    figures = tuple(
        Figure(figure["position"], base64.b64decode(figure["image"], validate=True))
        for figure in values["figures"]
    )
    read_by = ReadBy(values["read_by"])
    return Page(**values | {"blocks": blocks, "read_by": read_by, "figures": figures})


def _count_characters(page: Page) -> int:
    blocks = sum(len(block.text) + len(block.header) for block in page.blocks)
    return blocks + len(page.label) + len(page.warning)


def _excess(limits: ReadLimits, pages: int, characters: int) -> str:
    """Say what the document has too much of, "" for nothing."""
    if pages > limits.pages:
        return f"the document has more than {limits.pages:,} pages"
    if characters > limits.characters:
        return f"the document has more than {limits.characters:,} letters"
    return ""


def _cause_of_death(process: ForkServerProcess, limits: ReadLimits) -> str:
    process.join(timeout=CPU_GRACE_SECONDS)
    if process.exitcode == -signal.SIGXCPU:
        return f"took longer than {limits.cpu_seconds} s of processor time"
    if process.exitcode == -signal.SIGABRT:
        # So end libraries that are given no more memory.
        return f"most likely needed more than {limits.memory_bytes / 2**20:.0f} MB of memory"
    if process.exitcode is not None and process.exitcode < 0:
        return f"the reader process died (signal {-process.exitcode})"
    return f"the reader process died (exit code {process.exitcode})"


def _read_in_child(connection: socket.socket, order: _Order) -> None:
    # First of all, because a thread that is there already would be left out.
    ban_sockets(keep_local=order.file_format in NEED_LIBREOFFICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_resources(order.limits)
    with connection:
        try:
            document = open_document(order.path, order.file_format, order.skip_pages)
            _send(connection, ["head", document.title, document.page_count])
            began = time.monotonic()
            for page in document.pages:
                seconds = time.monotonic() - began
                values = _page_message(page, with_figures=order.with_figures)
                _send(connection, ["page", values | {"seconds": seconds}])
                began = time.monotonic()
        except BrokenPipeError:
            return
        except MemoryError:
            memory = f"needed more than {order.limits.memory_bytes / 2**20:.0f} MB of memory"
            _send(connection, ["error", memory, traceback.format_exc()])
        except Exception as error:  # noqa: BLE001 Whatever a reader raises, it is the file's fault.
            _send(connection, ["error", _one_line(error), traceback.format_exc()])
        else:
            _send(connection, ["end"])


def _page_message(page: Page, *, with_figures: bool) -> dict[str, Any]:
    figures = page.figures if with_figures else ()
    images = [
        {"position": figure.position, "image": base64.b64encode(figure.image).decode()}
        for figure in figures
    ]
    return dataclasses.asdict(dataclasses.replace(page, figures=())) | {"figures": images}


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _limit_resources(limits: ReadLimits) -> None:
    cpu = limits.cpu_seconds
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + CPU_GRACE_SECONDS))
    address_space = _mapped_bytes() + limits.memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))


def _mapped_bytes() -> int:
    """Return the address space that the libraries take before anything is read; 0 if unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except FileNotFoundError:
        return 0
    return pages * resource.getpagesize()


def _send(connection: socket.socket, message: Message) -> None:
    body = json.dumps(message).encode()
    connection.sendall(_LENGTH.pack(len(body)) + body)


def _one_line(error: Exception) -> str:
    detail = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return f"the file cannot be read; saving it anew in its own program may help ({detail})"
