import os
import socket
import sys
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.page_messages import pack_message
from indexing.partition.processes.reader_process import ALL_PAGES, Looks, Order, read_documents
from indexing.partition.processes.ready_readers import _forked, _start_fork_server
from tests.conftest import FILES
from tests.libreoffice import needs_libreoffice
from tests.readers import has_landlock

OIL = Order(FILES / "lamp-oil.txt", DocumentFormat.TXT, ALL_PAGES, Looks.FOR_WORDS, 60, 2**30)
HANDBOOK = Order(
    FILES / "supplier-handbook.docx", DocumentFormat.DOCX, ALL_PAGES, Looks.FOR_WORDS, 60, 2**30
)
LEASE = Order(
    FILES / "warehouse-lease.pdf",
    *(DocumentFormat.PDF, ALL_PAGES, Looks.FOR_WORDS, 60, 2**30),
    is_sent=True,
)
REFUSED = 13

needs_landlock = pytest.mark.skipif(not has_landlock(), reason="this system has no Landlock")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bans sockets")
def test_a_reader_has_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        reader = started(read_and_connect, port)

        socket.create_connection(("127.0.0.1", port)).close()  # here it is not refused
    assert reader.exitcode == REFUSED


@needs_landlock
@pytest.mark.parametrize("mode", ["r", "w"])
def test_a_reader_has_no_file_but_its_document(tmp_path: Path, mode: str) -> None:
    (tmp_path / "other").write_text("The rent of others.")

    assert started(read_and_open, OIL, tmp_path / "other", mode).exitcode == REFUSED


@needs_landlock
def test_a_reader_that_is_sent_its_document_has_no_file_at_all() -> None:
    assert started(read_and_open, LEASE, LEASE.path, "r").exitcode == REFUSED


@needs_landlock
@needs_libreoffice
def test_nor_has_a_reader_that_lets_libreoffice_lay_pages_out(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("The rent of others.")

    assert started(read_and_open, HANDBOOK, tmp_path / "other", "r").exitcode == REFUSED


@pytest.mark.parametrize("descriptor", [1, 2])
def test_what_libraries_say_within_a_reader_goes_nowhere(descriptor: int) -> None:
    assert started(read_and_complain, descriptor).exitcode == 0


def test_a_reader_ends_when_nobody_wants_it_any_more() -> None:
    assert started(be_left_alone).exitcode == 0


def started(target: Callable[..., None], *arguments: object) -> ForkServerProcess:
    """Return a process that has come to its end."""
    # Or all tests behind these would have readers that have nothing loaded.
    _start_fork_server()
    reader = _forked(target, *arguments)
    reader.join(timeout=30)
    return reader


def read_and_connect(port: int) -> None:
    """Do all that a reader does, and then look for the network."""
    read(OIL)
    try:
        socket.create_connection(("127.0.0.1", port))
    except PermissionError:
        sys.exit(REFUSED)


def read_and_open(order: Order, other: Path, mode: str) -> None:
    """Do all that a reader does, and then look for the document of somebody else."""
    read(order)
    try:
        other.open(mode).close()
    except PermissionError:
        sys.exit(REFUSED)


def read_and_complain(descriptor: int) -> None:
    """Do all that a reader does, and then say something."""
    ours, theirs = os.pipe()
    os.dup2(theirs, descriptor)
    os.close(theirs)
    read(OIL)
    os.write(descriptor, b"Bad code word at line 0\n")
    # All that could be read has been closed by whoever could have written it.
    sys.exit(len(os.read(ours, 1)))


def read(order: Order) -> None:
    ours, theirs = socket.socketpair()
    order.send(ours)
    ours.shutdown(socket.SHUT_WR)  # There is no further order.
    read_documents(theirs)
    with ours.makefile("rb") as told:
        assert told.read().endswith(pack_message(["end"]))


def be_left_alone() -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    read_documents(theirs)
