import platform
import subprocess
import sys

import psutil
import pytest

from indexing.memory import LARGE_BYTES, give_back
from indexing.partition.processes.allocator import jemalloc, preloaded
from tests.huge_pages import huge_pages_as_a_reader, needs_huge_pages

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other C libraries keep nothing"
)

BLOCK_BYTES = 60_000  # less than what the C library asks the system for by itself
BLOCKS = 1000

FREE_A_LARGE_PIECE = f"""
import psutil
from indexing.memory import keep_no_large_pieces

keep_no_large_pieces()
bytearray({4 * LARGE_BYTES})  # From the first one the C library would learn to keep the others.
pieces = [bytearray(b"x") * {LARGE_BYTES} for _ in range(20)]
above = bytearray(b"x") * 1000
before = psutil.Process().memory_info().rss
del pieces
print(before - psutil.Process().memory_info().rss)
"""

GIVE_BACK = f"""
import psutil
from indexing.memory import give_back

blocks = [b"x" * {BLOCK_BYTES} for _ in range({BLOCKS})]
del blocks
before = psutil.Process().memory_info().rss
give_back()
print(before - psutil.Process().memory_info().rss)
"""


def test_free_memory_goes_back_to_the_system() -> None:
    blocks = [b"x" * BLOCK_BYTES for _ in range(BLOCKS)]
    del blocks[:-1]  # The last one stands above the others, so that they do not go by themselves.
    before = psutil.Process().memory_info().rss

    give_back()

    assert before - psutil.Process().memory_info().rss > BLOCKS * BLOCK_BYTES / 2


@pytest.mark.skipif(jemalloc() is None, reason="jemalloc is not installed here")
def test_free_memory_goes_back_where_it_is_taken_from_jemalloc() -> None:
    with preloaded(jemalloc()):
        given_back = int(subprocess.check_output([sys.executable, "-c", GIVE_BACK]))

    assert given_back > BLOCKS * BLOCK_BYTES / 2


def test_large_pieces_go_back_as_soon_as_they_are_free() -> None:
    given_back = int(subprocess.check_output([sys.executable, "-c", FREE_A_LARGE_PIECE]))

    assert given_back > 19 * LARGE_BYTES


@needs_huge_pages
def test_process_that_takes_small_pages_gets_no_huge_ones() -> None:
    take = "from indexing.memory import take_small_pages; take_small_pages()"

    assert (huge_pages_as_a_reader() > 0, huge_pages_as_a_reader(take)) == (True, 0)
