"""Read the values of binary workbooks (xlsb), one page per sheet.

The library that reads other workbooks takes the days of these for numbers. Records and their
contents: [MS-XLSB], Excel (.xlsb) Binary File Format.
"""

import datetime
import struct
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from indexing.partition.office.related_members import related_in
from indexing.partition.office.zip_names import open_zip
from indexing.partition.sheets.day_numbers import FIRST_DAY, FIRST_DAY_OF_MAC, moment
from indexing.partition.sheets.number_formats import BUILT_IN, CellFormat, parse_number_format
from indexing.partition.sheets.rows import MAX_COLUMNS, SheetRows
from indexing.partition.sheets.spreadsheet import Cell, cell_text
from indexing.partition.sheets.xls_scan import XLS_ERRORS, short_number
from indexing.partition.sheets.xlsb_records import number_at, records, text_at
from indexing.partition.text import clean_line
from indexing.types import Document, Page

WORKBOOK = "xl/workbook.bin"

_ROW, _STRING, _FORMAT_CODE, _STYLE, _SETTINGS, _SHEET, _MERGED = 0, 19, 44, 47, 153, 156, 176
_BEGIN_STYLES, _END_STYLES, _END_ROWS = 617, 618, 146

MAX_ROWS = 1 << 20

# Kinds of cells; from 8 to 11 those of formulas.
_SHORT, _FLOATS, _TEXTS, _SHARED, _RICH = 2, (5, 9), (6, 8), 7, 62
_ERRORS, _TRUTHS = (3, 11), (4, 10)
_CELLS = {_SHORT, *_FLOATS, *_TEXTS, _SHARED, _RICH, *_ERRORS, *_TRUTHS}
_STYLE_AT, _VALUE_AT = 4, 8

_BLANK = 1
_WITHOUT_COLUMN = {12: _BLANK, 13: _SHORT, 14: 3, 15: 4, 16: 5, 17: 6, 18: _SHARED}
"""Kinds of cells that stand right behind the one before and do not say their column, as SheetJS
writes them, and the kinds that they are else."""

_TIMES = {18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 45: "mm:ss", 46: "[h]", 47: "mm:ss"}
_DAYS = dict.fromkeys((14, 15, 16, 17, *range(27, 37), *range(50, 59)), "yyyy-mm-dd")
_CODES = {**BUILT_IN, **_TIMES, **_DAYS, 22: "yyyy-mm-dd h:mm"}
"""The codes that files name by number only, as far as they change what a number means."""


def open_xlsb(path: Path) -> Document:
    """Open the workbook; formulas come as the values last computed, and hidden sheets too."""
    with open_zip(path) as package:
        workbook = _workbook(package)
    return Document("", len(workbook.sheets), _pages(path, workbook))


@dataclass(slots=True)
class _Workbook:
    """What the sheets refer to."""

    sheets: list[tuple[str, str]] = field(default_factory=list)  # name, and part in the package
    first_day: datetime.datetime = FIRST_DAY
    codes: list[str] = field(default_factory=list)  # of formats, by style
    formats: list[CellFormat | None] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    is_cut: bool = False  # the sheet that is read lacks rows, or a text that it names

    def number(self, value: float, style: int) -> Cell:
        """Return a number, or the moment or time that its format shows."""
        code = self.codes[style] if style < len(self.codes) else ""
        found = moment(value, code, self.first_day)
        return value if found is None else found

    def shown(self, kind: int, content: bytes) -> str:
        """Return what a cell shows; before its value stand its column and its style."""
        style = number_at(content, _STYLE_AT, 3)
        if kind in _TEXTS:
            return cell_text(text_at(content, _VALUE_AT))
        if kind == _RICH:
            return cell_text(text_at(content, _VALUE_AT + 1))
        if kind in _ERRORS:
            return XLS_ERRORS.get(number_at(content, _VALUE_AT, 1), "")
        if kind in _TRUTHS:
            return cell_text(bool(number_at(content, _VALUE_AT, 1)))
        value = number_at(content, _VALUE_AT)
        if kind == _SHARED:
            if value < len(self.texts):
                return self.texts[value]
            self.is_cut = True
            return ""
        number = short_number(value) if kind == _SHORT else _float(content)
        shown_as = self.formats[style] if style < len(self.formats) else None
        return cell_text(self.number(number, style), shown_as)


def _float(content: bytes) -> float:
    (value,) = struct.unpack_from("<d", content.ljust(_VALUE_AT + 8, b"\0"), _VALUE_AT)
    return float(value)


def _workbook(package: zipfile.ZipFile) -> _Workbook:
    workbook = _Workbook()
    parts = related_in(package, WORKBOOK, "worksheet")
    for kind, content in _records(package, WORKBOOK):
        if kind == _SETTINGS and number_at(content, 0) & 1:
            workbook.first_day = FIRST_DAY_OF_MAC
        elif kind == _SHEET:
            relation = text_at(content, 8)
            name = text_at(content, 12 + 2 * len(relation))
            if relation in parts:
                workbook.sheets.append((clean_line(name), parts[relation]))
    for part in related_in(package, WORKBOOK, "styles").values():
        _read_styles(workbook, _records(package, part))
    for part in related_in(package, WORKBOOK, "sharedStrings").values():
        found = (
            text_at(content, 1) for kind, content in _records(package, part) if kind == _STRING
        )
        workbook.texts += map(cell_text, found)
    return workbook


def _read_styles(workbook: _Workbook, parts: Iterator[tuple[int, bytes]]) -> None:
    codes = dict(_CODES)
    is_of_cells = False  # other styles are named by these
    for kind, content in parts:
        if kind in (_BEGIN_STYLES, _END_STYLES):
            is_of_cells = kind == _BEGIN_STYLES
        elif kind == _FORMAT_CODE:
            codes[number_at(content, 0, 2)] = text_at(content, 2)
        elif kind == _STYLE and is_of_cells:
            workbook.codes.append(codes.get(number_at(content, 2, 2), ""))
    workbook.formats = [parse_number_format(code) for code in workbook.codes]


def _pages(path: Path, workbook: _Workbook) -> Iterator[Page]:
    with open_zip(path) as package:
        for name, part in workbook.sheets:
            sheet = SheetRows(name)
            workbook.is_cut = False
            _read_rows(sheet, _to_the_end(_records(package, part), workbook), workbook)
            page = sheet.page()
            yield _damaged(page, name) if workbook.is_cut else page


def _damaged(page: Page, name: str) -> Page:
    damage = "it is damaged; save the workbook anew in its own program"
    warning = f"not all of the sheet {name!r} was read: {damage}"
    return replace(page, warning="; ".join(filter(None, (page.warning, warning))))


def _to_the_end(
    parts: Iterable[tuple[int, bytes]], workbook: _Workbook
) -> Iterator[tuple[int, bytes]]:
    """Yield the records, with the end of the rows also where they are cut off."""
    is_whole = False
    for kind, content in parts:
        is_whole = is_whole or kind == _END_ROWS
        yield kind, content
    if not is_whole:
        workbook.is_cut = True
        yield _END_ROWS, b""


def _read_rows(sheet: SheetRows, parts: Iterator[tuple[int, bytes]], workbook: _Workbook) -> None:
    cells: list[str] = []
    for kind, content in _with_columns(parts):
        if kind in _CELLS:
            column = number_at(content, 0)
            if len(cells) <= column < MAX_COLUMNS:
                cells += [""] * (column - len(cells))
                cells.append(workbook.shown(kind, content))
        elif kind in (_ROW, _END_ROWS):
            if cells:
                sheet.add(cells)
            cells = []
            if kind == _ROW:
                sheet.skip_to(min(number_at(content, 0), MAX_ROWS))
        elif kind == _MERGED:
            top, bottom, left, right = (number_at(content, at) for at in (0, 4, 8, 12))
            sheet.merge((top, left), (bottom, right))


def _with_columns(parts: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield the records, cells that do not say their column as such that do."""
    column = -1
    for kind, content in parts:
        if kind in _WITHOUT_COLUMN:
            column = min(column + 1, MAX_COLUMNS)
            yield _WITHOUT_COLUMN[kind], struct.pack("<I", column) + content
            continue
        if kind == _ROW:
            column = -1
        elif kind in _CELLS or kind == _BLANK:
            column = min(number_at(content, 0), MAX_COLUMNS)
        yield kind, content


def _records(package: zipfile.ZipFile, part: str) -> Iterator[tuple[int, bytes]]:
    if part in package.NameToInfo:
        with package.open(part) as content:
            yield from records(content)
