"""Workbooks of Excel 5 to 2003 with nothing but what a test is about."""

import struct
from pathlib import Path

from tests.files.ole2_writer import ole2_file


def write_xls(
    folder: Path,
    formats: dict[int, str],
    cells: list[bytes],
    *,
    is_old: bool,
    is_of_mac: bool = False,
) -> Path:
    """Return a workbook of the sheet "Sales", with a style for each format."""
    width = b"" if is_old else b"\0"
    length = "<HB" if is_old else "<HH"
    start = record(0x22, struct.pack("<H", is_of_mac))
    for number, code in formats.items():
        named = struct.pack(length, number, len(code)) + width + code.encode()
        start += record(0x41E, named)
    for number in formats:
        start += record(0xE0, struct.pack("<HH", 0, number) + bytes(12 if is_old else 16))
    content = _book(start, b"\x05" + width + b"Sales", cells, is_old=is_old)
    path = folder / "book.xls"
    path.write_bytes(ole2_file({"Book" if is_old else "Workbook": content}))
    return path


def write_old_xls(folder: Path, texts: list[bytes], code_page: int | None) -> Path:
    """Return a workbook of Excel 5 whose sheet, the unit of whose numbers, and cells say these.

    Behind the texts stands a number in a column of its own.
    """
    name, unit, *labels = texts
    start = b"" if code_page is None else record(0x42, struct.pack("<H", code_page))
    start += record(0x41E, struct.pack("<HB", 164, 3 + len(unit)) + b'0"' + unit + b'"')
    start += record(0xE0, struct.pack("<HH", 0, 164) + bytes(12))
    cells = [
        record(0x204, struct.pack("<4H", row, 0, 0, len(text)) + text)
        for row, text in enumerate(labels)
    ]
    cells += [record(0x203, struct.pack("<HHHd", row, 1, 0, 7)) for row in range(len(labels))]
    path = folder / "old.xls"
    named = bytes((len(name),)) + name
    path.write_bytes(ole2_file({"Book": _book(start, named, cells, is_old=True)}))
    return path


def _book(start: bytes, name: bytes, cells: list[bytes], *, is_old: bool) -> bytes:
    version = b"\x00\x05" if is_old else b"\x00\x06"
    start = record(0x809, version + struct.pack("<HHHII", 5, 0, 1993, 0, 6)) + start
    end = record(0x0A, b"")
    begins_at = len(start) + 4 + 6 + len(name) + len(end)
    start += record(0x85, struct.pack("<IH", begins_at, 0) + name) + end
    sheet = record(0x809, version + struct.pack("<HHHII", 0x10, 0, 1993, 0, 6))
    return start + sheet + b"".join(cells) + end


def record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


TIMES = b"\x1e\x06\x00\x1e\x07\x00\x05"
"""The formula 6*7."""


def formula(value: bytes, place: tuple[int, int] = (1, 0), tokens: bytes = TIMES) -> bytes:
    """Return a cell with a formula, and what stands for its value."""
    content = struct.pack("<HHH8sHIH", *place, 0, value, 0, 0, len(tokens)) + tokens
    return record(0x06, content)


def shared(tokens: bytes) -> bytes:
    """Return a formula for several cells, to stand behind the first of them."""
    return record(0x4BC, struct.pack("<HHBBBBH", 1, 2, 0, 0, 0, 2, len(tokens)) + tokens)
