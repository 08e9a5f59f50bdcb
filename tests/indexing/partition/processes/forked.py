"""What tests do in a process that is forked as readers are.

It imports this file, and so nothing beyond what a reader has loaded: that of a test takes a second.
"""

import os
import socket
import sys
from pathlib import Path

from indexing.partition.formats import DocumentFormat
from indexing.partition.office.time_to_look import TIME_TO_LOOK
from indexing.partition.processes.page_messages import pack_message
from indexing.partition.processes.reader_process import ALL_PAGES, Looks, Order, read_documents

FILES = Path(__file__).parents[3] / "files"

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


def read_and_look(order: Order) -> None:
    """Do all that a reader does, and then look at a picture, if there is time."""
    read(order)
    if TIME_TO_LOOK.is_over():
        sys.exit(REFUSED)


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


def send_whatever(connection: socket.socket, sent: bytes) -> None:
    connection.recv(1)
    connection.sendall(sent)
