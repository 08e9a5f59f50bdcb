import socket
import sys
from multiprocessing.context import ForkServerProcess

import pytest

from indexing.partition.formats import DocumentFormat
from indexing.partition.reader_process import Order, read_one_document
from indexing.partition.ready_readers import _without_main_module
from tests.conftest import FILES

OIL = Order(FILES / "lamp-oil.txt", DocumentFormat.TXT, 0, False, 60, 2**30)
REFUSED = 13


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bans sockets")
def test_a_reader_has_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        reader = started(read_and_connect, port)

        socket.create_connection(("127.0.0.1", port)).close()  # here it is not refused
    assert reader.exitcode == REFUSED


def test_a_reader_ends_when_nobody_wants_it_any_more() -> None:
    assert started(be_left_alone).exitcode == 0


def started(target, *arguments: int) -> ForkServerProcess:
    """Return a process that has come to its end."""
    reader = ForkServerProcess(target=target, args=arguments)
    with _without_main_module():
        reader.start()
    reader.join(timeout=30)
    return reader


def read_and_connect(port: int) -> None:
    """Do all that a reader does, and then look for the network."""
    ours, theirs = socket.socketpair()
    ours.sendall(OIL.to_message())
    read_one_document(theirs)
    assert b'"end"' in ours.recv(1 << 16)
    try:
        socket.create_connection(("127.0.0.1", port))
    except PermissionError:
        sys.exit(REFUSED)


def be_left_alone() -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    read_one_document(theirs)
