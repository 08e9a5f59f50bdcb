"""Go through the records of which an xls workbook consists.

Records and their contents: [MS-XLS], Excel Binary File Format (.xls) Structure.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import olefile

RECORD = struct.Struct("<HH")  # its kind, and the length of its content
BEGINNING, SHEET_NAME, FORMAT_CODE = 0x809, 0x85, 0x41E
FILE_PASS = 0x2F  # what the rest of the records is encrypted with
LABEL, RICH_LABEL = 0x204, 0xD6  # cells with a text of their own
EXCEL_5 = b"\x00\x05"  # the version, which a beginning begins with


def workbook_stream(file: Path | BinaryIO) -> bytes:
    """Return the records of a workbook, all in a row."""
    with olefile.OleFileIO(file) as container:
        stream = next((name for name in ("Workbook", "Book") if container.exists(name)), None)
        return bytes(container.openstream(stream).read()) if stream else b""


def records_of(stream: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield where each record begins, its kind and its content."""
    at = 0
    while at + RECORD.size <= len(stream):
        kind, length = RECORD.unpack_from(stream, at)
        yield at, kind, stream[at + RECORD.size : at + RECORD.size + length]
        at += RECORD.size + length


def is_old(stream: bytes) -> bool:
    """Tell whether the workbook is one of before Excel 97, whose texts have a byte a letter."""
    kind, _ = RECORD.unpack_from(stream) if len(stream) >= RECORD.size else (0, 0)
    return kind == BEGINNING and stream[RECORD.size :].startswith(EXCEL_5)


def is_locked(stream: bytes) -> bool:
    """Tell whether the records are encrypted: that is said before the sheets are named."""
    kinds = (kind for _, kind, _ in records_of(stream) if kind in (FILE_PASS, SHEET_NAME))
    return next(kinds, None) == FILE_PASS
