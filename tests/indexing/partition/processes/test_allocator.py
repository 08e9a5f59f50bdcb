import os
import subprocess
import sys

import psutil
import pytest

from indexing.partition.processes.allocator import PRELOADED, jemalloc, preloaded
from indexing.partition.processes.ready_readers import ready_readers

COUNT_JEMALLOC = "print(open('/proc/self/maps').read().count('jemalloc'))"

needs_jemalloc = pytest.mark.skipif(jemalloc() is None, reason="jemalloc is not installed here")


@needs_jemalloc
async def test_readers_take_their_memory_from_jemalloc() -> None:
    readers = ready_readers()
    reader = await readers.take()

    mapped = [one.path for one in psutil.Process(reader.process.pid).memory_maps()]
    readers.end(reader)

    assert any("jemalloc" in path for path in mapped)
    assert PRELOADED not in os.environ


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


def libraries_of_a_new_process() -> int:
    return int(subprocess.check_output([sys.executable, "-c", COUNT_JEMALLOC]))
