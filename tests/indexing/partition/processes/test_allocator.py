import os
import subprocess
import sys

import psutil
import pytest

from indexing.partition.processes.allocator import OPTIONS, PRELOADED, jemalloc, preloaded
from indexing.partition.processes.ready_readers import ready_readers
from tests.huge_pages import huge_pages, huge_pages_as_a_reader, needs_huge_pages

COUNT_JEMALLOC = "print(open('/proc/self/maps').read().count('jemalloc'))"

needs_jemalloc = pytest.mark.skipif(jemalloc() is None, reason="jemalloc is not installed here")


@needs_jemalloc
async def test_readers_take_their_memory_from_jemalloc() -> None:
    readers = ready_readers()
    reader = await readers.take()

    mapped = [one.path for one in psutil.Process(reader.process.pid).memory_maps()]
    readers.end(reader)

    assert any("jemalloc" in path for path in mapped)
    assert not {PRELOADED, OPTIONS} & os.environ.keys()


@needs_jemalloc
async def test_what_only_tracks_them_does_not() -> None:
    """Whose memory would be thrice as much, in huge pages."""
    readers = ready_readers()
    readers.end(await readers.take())

    trackers = [
        one
        for one in psutil.Process().children()
        if "multiprocessing.resource_tracker" in " ".join(one.cmdline())
    ]

    mapped = [one.path for tracker in trackers for one in tracker.memory_maps()]
    assert mapped
    assert not any("jemalloc" in path for path in mapped)


@needs_jemalloc
def test_only_what_is_started_meanwhile_uses_it() -> None:
    with preloaded(jemalloc()):
        meanwhile = libraries_of_a_new_process()

    assert (meanwhile > 0, libraries_of_a_new_process()) == (True, 0)


def test_without_jemalloc_nothing_is_preloaded() -> None:
    with preloaded(None):
        assert PRELOADED not in os.environ


def test_libraries_that_the_environment_names_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRELOADED, "")

    with preloaded("libjemalloc.so.2"):
        assert os.environ[PRELOADED] == ""
    assert os.environ[PRELOADED] == ""


def test_options_that_the_environment_has_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPTIONS, "narenas:2")

    with preloaded("libjemalloc.so.2"):
        assert os.environ[OPTIONS] == "narenas:2"
    assert os.environ[OPTIONS] == "narenas:2"


@needs_huge_pages
def test_what_is_started_meanwhile_takes_its_memory_in_huge_pages() -> None:
    assert (huge_pages_as_a_reader() > 0, huge_pages()) == (True, 0)


def libraries_of_a_new_process() -> int:
    return int(subprocess.check_output([sys.executable, "-c", COUNT_JEMALLOC]))
