"""Look through the sheets of a workbook before they are opened.

The library that reads them holds each as a rectangle from its first cell to its last, so that two
cells, one at either end of a sheet, would take more memory than there is. Nor does it tell an empty
cell from one with an error, or from a formula of which no value was saved.
"""

import re
import struct
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import olefile

from indexing.partition.docx_body import parse

CHUNK_BYTES = 1 << 20
# The longest reference to a cell, with its attribute's name, that a chunk's end may cut.
OVERLAP_BYTES = 64
# The longest cell that it may cut: a formula has at most 8192 letters, some written as entities.
MAX_CELL_BYTES = 1 << 16

# More of them in a sheet stay empty.
MAX_ERRORS = 100_000

_FORMULA = rb"<(?:\w+:)?f\b[^<>]*(?:(?<=/)>|(?<!/)>[^<]*</(?:\w+:)?f\s*>)\s*"
# A cell with a formula, and no value behind it; one that holds "" says that it is a string.
_UNCOMPUTED = re.compile(
    rb"""<(?:\w+:)?c\b(?![^<>]*\bt=["']str["'])[^<>]*>\s*"""
    + _FORMULA
    + rb"(?:<(?:\w+:)?v\s*(?:/>|>\s*</(?:\w+:)?v\s*>)\s*)?"
    rb"</(?:\w+:)?c\s*>"
)
# Its attributes are short; without limits, an endless row of them would be tried from each on.
_ERROR = re.compile(
    rb"""<(?:\w+:)?c\b(?=[^<>]{0,200}\bt=["']e["'])"""
    rb"""[^<>]{0,200}?\br=["']([A-Z]{1,3})(\d{1,7})["'][^<>]{0,200}>\s*(?:"""
    + _FORMULA
    + rb")?<(?:\w+:)?v\s*>(#[A-Z0-9_/!?]{1,20})<"
)
_REFERENCE = re.compile(rb"\br\s*=\s*[\"']([A-Z]{0,3})(\d{1,7})[\"']")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_RECORD = struct.Struct("<HH")
_PLACE = struct.Struct("<HH")
_BEGINNING = 0x809
_SHEET_NAME = 0x85
_NAME_AT = 8
_FORMULA_CELL = 0x06
_ERROR_CELL = 0x205
# Records of a cell, which all begin with its row and column.
_CELL_RECORDS = frozenset(
    (_FORMULA_CELL, 0xBD, 0xBE, 0xD6, 0xFD, 0x201, 0x203, 0x204, _ERROR_CELL, 0x206, 0x27E)
)

XLS_ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
}
"""By the numbers that an xls file has of them."""


@dataclass(frozen=True, slots=True)
class SheetScan:
    """What shows of a sheet without opening it."""

    places: int = 0  # of the rectangle around its cells
    uncomputed: int = 0  # formulas without their values
    errors: dict[int, dict[int, str]] = field(default_factory=dict)  # by row and column, from 0


def scan_sheets(path: Path) -> dict[str, SheetScan]:
    """Return what shows of each sheet; under "" what holds for all.

    An xls file, whose sheets are small and whose formulas have values, is measured as a whole.
    """
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as package:
            return {
                name: _scan(package, part)
                for name, part in _sheet_parts(package)
                if part in package.NameToInfo
            }
    return _scan_xls(path)


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


def _scan(package: zipfile.ZipFile, part: str) -> SheetScan:
    columns: set[bytes] = set()
    first, last, uncomputed = 1 << 32, 0, 0
    errors: list[tuple[bytes, bytes, bytes]] = []
    with package.open(part) as sheet:
        rest = b""
        while chunk := sheet.read(CHUNK_BYTES):
            piece = rest + chunk
            cells, rest = _whole_cells(piece)
            uncomputed += len(_UNCOMPUTED.findall(cells))
            errors += _ERROR.findall(cells)[: MAX_ERRORS - len(errors)]
            if found := _REFERENCE.findall(piece):
                columns.update(column for column, _ in found)
                rows = [int(row) for _, row in found]
                first, last = min(first, *rows), max(last, *rows)
    numbers = [_column_number(column) for column in columns if column]
    places = (max(numbers) - min(numbers) + 1) * (last - first + 1) if numbers else 0
    return SheetScan(places, uncomputed, _by_place(errors))


def _by_place(errors: Iterable[tuple[bytes, bytes, bytes]]) -> dict[int, dict[int, str]]:
    by_row: dict[int, dict[int, str]] = {}
    for column, row, text in errors:
        by_row.setdefault(int(row) - 1, {})[_column_number(column) - 1] = text.decode()
    return by_row


def _whole_cells(piece: bytes) -> tuple[bytes, bytes]:
    """Part what was read behind its last cell; without an end of one, all is gone through."""
    end = piece.rfind(b"c>", -MAX_CELL_BYTES) + 2
    return (piece[:end], piece[end:]) if end > 1 else (piece, piece[-OVERLAP_BYTES:])


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _scan_xls(path: Path) -> dict[str, SheetScan]:
    rows: set[int] = set()
    columns: set[int] = set()
    names: dict[int, str] = {}
    errors: dict[str, dict[int, dict[int, str]]] = {}
    sheet = ""
    for at, kind, content in _xls_records(path):
        if kind == _SHEET_NAME and len(content) > _NAME_AT:
            names[int.from_bytes(content[:4], "little")] = _xls_name(content[_NAME_AT - 2 :])
        elif kind == _BEGINNING:
            # A chart in the sheet has a beginning of its own, which no name belongs to.
            sheet = names.get(at, sheet)
        elif kind in _CELL_RECORDS and len(content) >= _PLACE.size:
            row, column = _PLACE.unpack_from(content)
            rows.add(row)
            columns.add(column)
            if error := _xls_error(kind, content):
                errors.setdefault(sheet, {}).setdefault(row, {})[column] = error
    places = (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1) if rows else 0
    scans = {sheet: SheetScan(places, errors=found) for sheet, found in errors.items()}
    return {**scans, "": SheetScan(places)}


def _xls_records(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield where each record begins, its kind and its content."""
    with olefile.OleFileIO(path) as container:
        stream = next((name for name in ("Workbook", "Book") if container.exists(name)), None)
        records = container.openstream(stream).read() if stream else b""
    at = 0
    while at + _RECORD.size <= len(records):
        kind, length = _RECORD.unpack_from(records, at)
        yield at, kind, records[at + _RECORD.size : at + _RECORD.size + length]
        at += _RECORD.size + length


def _xls_name(content: bytes) -> str:
    """Return the name of a sheet, as Excel writes it since 1997: length, width, characters."""
    length, is_wide = content[0], content[1] & 1
    encoding = "utf-16-le" if is_wide else "latin-1"
    return content[2 : 2 + length * (1 + is_wide)].decode(encoding, "replace")


def _xls_error(kind: int, content: bytes) -> str:
    """Return the error that a cell shows, typed or as the value of its formula, "" for none."""
    if kind == _FORMULA_CELL and content[6:7] == b"\x02" and content[12:14] == b"\xff\xff":
        return XLS_ERRORS.get(content[8], "")
    is_error = kind == _ERROR_CELL and content[7:8] == b"\x01"
    return XLS_ERRORS.get(content[6], "") if is_error else ""
