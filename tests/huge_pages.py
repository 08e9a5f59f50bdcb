"""How much memory a new process gets in huge pages, for tests that ask for it or against it."""

import subprocess
import sys
from pathlib import Path

import pytest

from indexing.partition.processes.allocator import jemalloc, preloaded

SETTING = Path("/sys/kernel/mm/transparent_hugepage/enabled")

PROGRAM = """
import re

def huge_pages():
    sizes = re.findall(r"AnonHugePages: +(\\d+)", open("/proc/self/smaps").read())
    return sum(map(int, sizes))

before = huge_pages()
taken = [bytes(1 << 20) for _ in range(16)]
print(huge_pages() - before)
"""

needs_huge_pages = pytest.mark.skipif(
    jemalloc() is None or not SETTING.exists() or "[madvise]" not in SETTING.read_text(),
    reason="jemalloc is missing, or huge pages are for nobody or for all here",
)


def huge_pages_as_a_reader(first: str = "") -> int:
    """Return the KB that a process takes so that is started as readers are, and first does this."""
    with preloaded(jemalloc()):
        return huge_pages(first)


def huge_pages(first: str = "") -> int:
    return int(subprocess.check_output([sys.executable, "-c", first + PROGRAM]))


def may_have_huge_pages(pid: int) -> bool:
    """Tell whether the system gives a process any that asks for them."""
    return "THP_enabled:\t1\n" in Path(f"/proc/{pid}/status").read_text()
