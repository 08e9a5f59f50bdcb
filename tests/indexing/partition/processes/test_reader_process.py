import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from indexing.partition.processes.reader_process import group_sizes
from indexing.partition.processes.ready_readers import _forked, _start_fork_server
from tests.indexing.partition.processes.forked import (
    HANDBOOK,
    LEASE,
    OIL,
    REFUSED,
    be_left_alone,
    read_and_complain,
    read_and_connect,
    read_and_look,
    read_and_open,
)
from tests.libreoffice import needs_libreoffice
from tests.readers import has_landlock

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


def test_a_reader_knows_how_long_it_may_look_at_pictures() -> None:
    assert started(read_and_look, OIL).exitcode == 0
    assert started(read_and_look, replace(OIL, wall_seconds=-1)).exitcode == REFUSED


def test_a_reader_ends_when_nobody_wants_it_any_more() -> None:
    assert started(be_left_alone).exitcode == 0


def started(target: Callable[..., None], *arguments: object) -> ForkServerProcess:
    """Return a process that has come to its end."""
    # Or all tests behind these would have readers that have nothing loaded.
    _start_fork_server()
    reader = _forked(target, *arguments)
    reader.join(timeout=30)
    return reader


def test_few_pages_are_read_in_step_at_first_and_none_beyond_the_last() -> None:
    assert list(islice(group_sizes(8, None), 6)) == [1, 2, 4, 8, 8, 8]
    assert list(group_sizes(8, 10)) == [1, 2, 4, 3]
    assert list(islice(group_sizes(1, None), 3)) == [1, 1, 1]
