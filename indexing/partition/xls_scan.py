"""Look through the sheets of an xls workbook before they are opened.

The library that reads them tells neither an empty cell from one with an error, nor as what a number
is shown: a percentage, an amount of money.

Records and their contents: [MS-XLS], Excel Binary File Format (.xls) Structure.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import olefile

from indexing.partition.number_formats import BUILT_IN, CellFormat, parse_number_format
from indexing.partition.sheet_scan import SheetScan

_RECORD = struct.Struct("<HH")
_PLACE = struct.Struct("<HH")
_WORD = struct.Struct("<H")
_STYLE_AND_NUMBER = struct.Struct("<HI")
_BEGINNING = 0x809
_SHEET_NAME = 0x85
_NAME_AT = 6
_FORMAT_CODE = 0x41E
_STYLE = 0xE0
_FORMULA_CELL = 0x06
_ERROR_CELL = 0x205
_SEVERAL_NUMBERS = 0xBD
# Records of a cell with a number, or a formula that may give one; behind the place is its style.
_NUMBER_RECORDS = frozenset((_FORMULA_CELL, 0x203, 0x27E))
# Records of a cell, which all begin with its row and column.
_CELL_RECORDS = _NUMBER_RECORDS | {_ERROR_CELL, _SEVERAL_NUMBERS}
_CELL_RECORDS |= {0xBE, 0xD6, 0xFD, 0x201, 0x204, 0x206}

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


def scan_xls(path: Path) -> dict[str, SheetScan]:
    """Return what shows of each sheet that has cells, by its name, and of any other under "".

    The sheets are small, so they are measured as a whole, and their formulas have values.
    """
    workbook = _Workbook()
    for at, kind, content in _records(path):
        if kind in _CELL_RECORDS and len(content) >= _PLACE.size:
            workbook.add_cell(kind, content)
        else:
            workbook.add(at, kind, content)
    return workbook.scans()


@dataclass(slots=True)
class _Workbook:
    """What the records so far have told."""

    codes: dict[int, str] = field(default_factory=lambda: dict(BUILT_IN))
    styles: list[CellFormat | None] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)  # by where a sheet begins
    sheets: dict[str, SheetScan] = field(default_factory=dict)
    sheet: str = ""
    rows: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)

    def add(self, at: int, kind: int, content: bytes) -> None:
        if kind == _SHEET_NAME and len(content) > _NAME_AT + 1:
            begins_at = int.from_bytes(content[:4], "little")
            self.names[begins_at] = _text(content[_NAME_AT:], length_bytes=1)
        elif kind == _BEGINNING:
            # A chart in the sheet has a beginning of its own, which no name belongs to.
            self.sheet = self.names.get(at, self.sheet)
        elif kind == _FORMAT_CODE and len(content) > _PLACE.size:
            (number,) = _WORD.unpack_from(content)
            self.codes[number] = _text(content[_WORD.size :], length_bytes=2)
        elif kind == _STYLE and len(content) >= _PLACE.size:
            _, number = _PLACE.unpack_from(content)
            self.styles.append(parse_number_format(self.codes.get(number, "")))

    def add_cell(self, kind: int, content: bytes) -> None:
        row, column = _PLACE.unpack_from(content)
        self.rows.add(row)
        self.columns.add(column)
        scan = self.sheets.setdefault(self.sheet, SheetScan())
        if error := _error(kind, content):
            scan.errors.setdefault(row, {})[column] = error
        for place, style in enumerate(_styles(kind, content), start=column):
            if style < len(self.styles) and (number_format := self.styles[style]) is not None:
                scan.formats.setdefault(row, {})[place] = number_format

    def scans(self) -> dict[str, SheetScan]:
        places = 0
        if self.rows:
            height = max(self.rows) - min(self.rows) + 1
            places = height * (max(self.columns) - min(self.columns) + 1)
        sheets = {name: replace(one, places=places) for name, one in self.sheets.items()}
        return {**sheets, "": SheetScan(places)}


def _records(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield where each record begins, its kind and its content."""
    with olefile.OleFileIO(path) as container:
        stream = next((name for name in ("Workbook", "Book") if container.exists(name)), None)
        records = container.openstream(stream).read() if stream else b""
    at = 0
    while at + _RECORD.size <= len(records):
        kind, length = _RECORD.unpack_from(records, at)
        yield at, kind, records[at + _RECORD.size : at + _RECORD.size + length]
        at += _RECORD.size + length


def _text(content: bytes, length_bytes: int) -> str:
    """Return a text, as Excel writes it since 1997: length, width, characters."""
    length, is_wide = int.from_bytes(content[:length_bytes], "little"), content[length_bytes] & 1
    encoding = "utf-16-le" if is_wide else "latin-1"
    characters = content[length_bytes + 1 :]
    return characters[: length * (1 + is_wide)].decode(encoding, "replace")


def _styles(kind: int, content: bytes) -> list[int]:
    """Return the style of each number in the record."""
    behind = content[_PLACE.size :]
    if kind in _NUMBER_RECORDS and len(behind) >= _WORD.size:
        return [_WORD.unpack_from(behind)[0]]
    if kind == _SEVERAL_NUMBERS:
        numbers = behind[: len(behind) // _STYLE_AND_NUMBER.size * _STYLE_AND_NUMBER.size]
        return [style for style, _ in _STYLE_AND_NUMBER.iter_unpack(numbers)]
    return []


def _error(kind: int, content: bytes) -> str:
    """Return the error that a cell shows, typed or as the value of its formula, "" for none."""
    if kind == _FORMULA_CELL and content[6:7] == b"\x02" and content[12:14] == b"\xff\xff":
        return XLS_ERRORS.get(content[8], "")
    is_error = kind == _ERROR_CELL and content[7:8] == b"\x01"
    return XLS_ERRORS.get(content[6], "") if is_error else ""
