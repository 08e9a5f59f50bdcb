"""Measure the sheets of a workbook before they are opened.

The library that reads them holds each as a rectangle from its first cell to its last, so that two
cells, one at either end of a sheet, would take more memory than there is.
"""

import re
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import olefile

from indexing.partition.docx_body import parse

CHUNK_BYTES = 1 << 20
# The longest reference to a cell, with its attribute's name, that a chunk's end may cut.
OVERLAP_BYTES = 64

_REFERENCE = re.compile(rb"\br\s*=\s*[\"']([A-Z]{0,3})(\d{1,7})[\"']")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_RECORD = struct.Struct("<HH")
_PLACE = struct.Struct("<HH")
# Records of a cell, which all begin with its row and column.
_CELL_RECORDS = frozenset((0x06, 0xBD, 0xBE, 0xD6, 0xFD, 0x201, 0x203, 0x204, 0x205, 0x206, 0x27E))


def sheet_extents(path: Path) -> dict[str, int]:
    """Return how many places the rectangle of each sheet has; under "" the largest of all.

    An xls file, whose sheets are small, is measured as a whole.
    """
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as package:
            return {
                name: _extent(package, part)
                for name, part in _sheet_parts(package)
                if part in package.NameToInfo
            }
    return {"": _xls_extent(path)}


def _sheet_parts(package: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    workbook = "xl/workbook.xml"
    relations = "xl/_rels/workbook.xml.rels"
    if not {workbook, relations} <= package.NameToInfo.keys():
        return
    targets = {
        relation.get("Id"): relation.get("Target", "")
        for relation in parse(package.read(relations)).iter("{*}Relationship")
    }
    for sheet in parse(package.read(workbook)).iter("{*}sheet"):
        target = targets.get(sheet.get(_RELATION), "")
        part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        yield sheet.get("name", ""), part


def _extent(package: zipfile.ZipFile, part: str) -> int:
    columns: set[bytes] = set()
    first, last = 1 << 32, 0
    with package.open(part) as sheet:
        rest = b""
        while chunk := sheet.read(CHUNK_BYTES):
            found = _REFERENCE.findall(rest + chunk)
            if found:
                columns.update(column for column, _ in found)
                rows = [int(row) for _, row in found]
                first, last = min(first, *rows), max(last, *rows)
            rest = chunk[-OVERLAP_BYTES:]
    numbers = [_column_number(column) for column in columns if column]
    if not numbers:
        return 0
    return (max(numbers) - min(numbers) + 1) * (last - first + 1)


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _xls_extent(path: Path) -> int:
    rows: set[int] = set()
    columns: set[int] = set()
    with olefile.OleFileIO(path) as container:
        stream = next((name for name in ("Workbook", "Book") if container.exists(name)), None)
        records = container.openstream(stream).read() if stream else b""
    at = 0
    while at + _RECORD.size + _PLACE.size <= len(records):
        kind, length = _RECORD.unpack_from(records, at)
        at += _RECORD.size
        if kind in _CELL_RECORDS:
            row, column = _PLACE.unpack_from(records, at)
            rows.add(row)
            columns.add(column)
        at += length
    if not rows:
        return 0
    return (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)
