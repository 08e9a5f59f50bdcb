"""Tell a PDF that something has happened to since a program wrote it.

Bytes that are lost, or that came between, move what stands behind them, and the table of the file
is no longer where its end says. Disks and downloads that fail leave zeros.
"""

import mmap
import re
from pathlib import Path

_HOLE = bytes(4096)
"""As much as disks are written at once. What programs have packed has shorter rows of zeros."""

_AT_ONCE = 1 << 20  # bytes: in them a row is found in a time that does not grow with its length

_END = b"startxref"
_TABLE_AT = re.compile(rb"startxref\s+(\d{1,10})\s")
_TABLE = re.compile(rb"\s*(?:xref|\d+ \d+ obj)")
_MOST_BEFORE = 1024  # bytes before the head, from which programs count


def is_broken(file: Path | bytes) -> bool:
    """Tell whether the file has holes, or a table elsewhere than it says."""
    if isinstance(file, bytes):
        return _is_broken(file)
    with (
        file.open("rb") as opened,
        mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        return _is_broken(content)


def _is_broken(content: bytes | mmap.mmap) -> bool:
    table = _TABLE_AT.match(content, max(content.rfind(_END), 0))
    if table is None:
        return True
    head = max(content.find(b"%PDF-", 0, _MOST_BEFORE), 0)
    is_there = any(_TABLE.match(content, int(table[1]) + before) for before in {0, head})
    return not is_there or _has_hole(content)


def _has_hole(content: bytes | mmap.mmap) -> bool:
    starts = range(0, len(content), _AT_ONCE)
    return any(_HOLE in content[start : start + _AT_ONCE + len(_HOLE)] for start in starts)
