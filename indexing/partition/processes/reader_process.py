"""What a reader does, from its first moment to its end: wait for orders, and read their documents.

Its messages begin with their length, in four bytes. An order follows as a pickle; the answers as
values of MessagePack (`page_messages`), because a pickle of a captured reader could run its code in
the process that receives it, and JSON has no bytes.
"""

import itertools
import multiprocessing
import multiprocessing.connection
import os
import pickle
import resource
import signal
import socket
import struct
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from math import inf
from pathlib import Path

from indexing.memory import give_back, take_small_pages
from indexing.partition.formats import DocumentFormat
from indexing.partition.office.time_to_look import TIME_TO_LOOK
from indexing.partition.processes.complaints import unheard
from indexing.partition.processes.confinement import confine
from indexing.partition.processes.page_messages import pack_message, page_to_values
from indexing.partition.reader import NEED_LIBREOFFICE, open_document
from indexing.partition.unreadable import TOO_MUCH, reason_of
from indexing.types import ReadBy

MAX_OPEN_FILES = 256
# Readers write no files, only LibreOffice does for them.
MAX_FILE_BYTES = 1 << 30
# A process that is over its time is first told so, and killed this much later.
CPU_GRACE_SECONDS = 2

LENGTH = struct.Struct(">I")

PAGES_AT_ONCE = 8
"""The texts of so many are read in step behind a reader's first document: if it fails there, a new
reader finds out at which page.
"""

MANY_PAGES = 500
"""A text of more is read by one reader, and in small pages of memory: else it may take the service
over a gigabyte.
"""

STOP = LENGTH.pack(0)
"""Sent in place of an order, while one is carried out: no more pages of it are wanted."""

ALL_PAGES = slice(0, None)


class Looks(Enum):
    """How far a reader looks at the pictures of a document."""

    NOT_AT_ALL = auto()  # known by the formats in `TEXT_LAYERS` alone
    FOR_WORDS = auto()
    FOR_FIGURES = auto()  # which are sent too


@dataclass(frozen=True, slots=True)
class Order:
    """What a reader is to read, and what that may take."""

    path: Path
    file_format: DocumentFormat
    pages: slice  # by their positions
    looks: Looks
    cpu_seconds: int
    memory_bytes: int  # on top of what an idle reader has
    at_once: int = 1  # pages that are read in step behind the first document of a reader
    wall_seconds: float = inf  # by then it is ended
    page_seconds: float = inf
    # Then the reader is sent the open file, has no other way to any, and waits for further orders.
    is_sent: bool = False

    def send(self, connection: socket.socket) -> None:
        """Send the order to a reader that waits for one.

        Raises:
            OSError: the reader has died, or the file cannot be opened.
        """
        body = pickle.dumps(self)
        message = LENGTH.pack(len(body)) + body
        if not self.is_sent:
            connection.sendall(message)
            return
        with self.path.open("rb") as file:
            socket.send_fds(connection, [message], [file.fileno()])


def read_documents(connection: socket.socket) -> None:
    """Wait for an order, and send the head, the pages and the end of its document.

    Before the first document is opened, limits are set, and all else is put out of reach. One that
    is named is the only one; behind one that is sent further ones may follow. Whatever goes wrong
    with a document, it is the last.
    """
    # Ctrl-C is for the one who gives the orders.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with connection:
        order, content = _receive_order(connection)
        if order is None:
            return
        limit_resources(order.cpu_seconds, order.memory_bytes, is_last=not order.is_sent)
        # Before there is a thread, because it would be left out.
        confine(
            None if order.is_sent else order.path,
            with_libreoffice=order.file_format in NEED_LIBREOFFICE,
        )
        # Why a document cannot be read is sent. What libraries find odd in it would stand in the
        # log, and is no record.
        unheard()
        threading.Thread(target=_end_with_parent, daemon=True).start()
        order = replace(order, at_once=1)
        while order is not None and _read_one(connection, order, content) and order.is_sent:
            content = b""
            order, content = _receive_order(connection)
            if order is not None:
                _limit_seconds(order.cpu_seconds, is_last=False)


def _read_one(connection: socket.socket, order: Order, content: bytes) -> bool:
    """Send what the document holds, or why it cannot be read; return whether it was read."""
    try:
        _read(connection, order, content)
    except BrokenPipeError:
        return False
    except MemoryError as error:
        # What took the memory would be kept until this is over, and there is none to say so.
        traceback.clear_frames(error.__traceback__)
        memory = f"needed more than {order.memory_bytes / 2**20:.0f} MB of memory"
        _send(connection, "error", f"{memory}; {TOO_MUCH}", traceback.format_exc())
        return False
    # Whatever a reader raises, it is the file's fault: so is the panic of a library in Rust, which
    # is no `Exception`.
    except BaseException as error:  # noqa: BLE001
        _send(connection, "error", reason_of(error), traceback.format_exc())
        return False
    return True


def limit_resources(cpu_seconds: int, memory_bytes: int, *, is_last: bool = True) -> None:
    """Limit this process, and all that it starts; the memory is on top of what it has by now.

    Where the document is not the last one, the time can be set again for the next.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    _limit_seconds(cpu_seconds, is_last=is_last)
    address_space = _mapped_bytes() + memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))


def _limit_seconds(cpu_seconds: int, *, is_last: bool) -> None:
    """Limit the processor time from now on; that of the last document for good."""
    end = int(time.process_time()) + cpu_seconds
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + CPU_GRACE_SECONDS if is_last else most))


def _receive_order(connection: socket.socket) -> tuple[Order | None, bytes]:
    """Wait for an order, and return it with its document, if that is sent.

    There is none when the caller has gone, or needs no reader any more.
    """
    header = STOP
    while header == STOP:  # It may have come when all pages were sent.
        header, descriptors, _, _ = socket.recv_fds(connection, LENGTH.size, 1)
    if not header:
        return None, b""
    (length,) = LENGTH.unpack(header)
    order: Order = pickle.loads(connection.recv(length, socket.MSG_WAITALL))
    content = b""
    for descriptor in descriptors:
        with open(descriptor, "rb") as file:
            content = file.read()
    return order, content


def _read(connection: socket.socket, order: Order, content: bytes) -> None:
    TIME_TO_LOOK.begin(order.wall_seconds, order.page_seconds)
    first, end = order.pages.start, order.pages.stop
    groups = group_sizes(order.at_once, end and end - first)
    text_alone = order.looks is Looks.NOT_AT_ALL
    file = content if order.is_sent else order.path
    document = open_document(file, order.file_format, first, text_alone=text_alone, groups=groups)
    _send(connection, "head", document.title, document.page_count)
    if document.page_count > MANY_PAGES:
        take_small_pages()
    began = time.monotonic()
    for page in itertools.islice(document.pages, end and end - first):
        # Of pages that are read at once, each says what it took.
        seconds = page.seconds or time.monotonic() - began
        with_figures = order.looks is Looks.FOR_FIGURES
        _send(connection, "page", *page_to_values(page, seconds, with_figures=with_figures))
        if _is_told_to_stop(connection):
            break
        if page.read_by is not ReadBy.TEXT:
            # Else what recognising took adds up, 60 MB behind some pages. This takes 0.03 s.
            give_back()
        began = time.monotonic()
    _send(connection, "end")


def group_sizes(most: int, page_count: int | None) -> Iterator[int]:
    """Yield how many pages are read at once: few at first, because others wait for the first one.

    Not more than so many pages are read in all.
    """
    size, left = 1, page_count
    while left is None or left > 0:
        yield size if left is None else min(size, left)
        left = left and left - size
        size = min(2 * size, most)


def _is_told_to_stop(connection: socket.socket) -> bool:
    """Tell whether no more pages are wanted, or nobody is there any more."""
    try:
        connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    return True


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _mapped_bytes() -> int:
    """Return the address space that the libraries take before anything is read; 0 if unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except FileNotFoundError:
        return 0
    return pages * resource.getpagesize()


def _send(connection: socket.socket, kind: str, *values: object) -> None:
    body = pack_message((kind, *values))
    connection.sendall(LENGTH.pack(len(body)) + body)
