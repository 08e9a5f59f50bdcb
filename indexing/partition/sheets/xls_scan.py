"""Look through the sheets of an xls workbook before they are opened.

The library that reads them tells neither an empty cell from one with an error, or from a formula of
which no value was saved, nor as what a number is shown: a percentage, an amount of money; and it
takes some numbers for dates.
"""

import datetime
import math
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from indexing.partition.sheets.day_numbers import FIRST_DAY, FIRST_DAY_OF_MAC, moment
from indexing.partition.sheets.format_codes import date_letters
from indexing.partition.sheets.number_formats import (
    BUILT_IN,
    CellFormat,
    parse_number_format,
    shown,
)
from indexing.partition.sheets.scan import Place, SheetScan, without_values
from indexing.partition.sheets.spreadsheet import cell_text
from indexing.partition.sheets.text_formats import TextFormat, parse_text_format
from indexing.partition.sheets.xls_formulas import gives_text, tokens_of_cell, tokens_shared
from indexing.partition.sheets.xls_records import (
    BEGINNING,
    EXCEL_5,
    FORMAT_CODE,
    LABEL,
    RICH_LABEL,
    SHEET_NAME,
    records_of,
    workbook_stream,
)

_PLACE = struct.Struct("<HH")
_WORD = struct.Struct("<H")
_STYLE_AND_NUMBER = struct.Struct("<HI")
_STYLE_AND_FLOAT = struct.Struct("<Hd")
_FLOAT = struct.Struct(">d")
_NAME_AT = 6
_STYLE = 0xE0
_FONT = 0x31
_WEIGHT_AT, _BOLD = 6, 600  # of 400 for plain letters and 700 for bold ones
_NO_FONT = 4  # No font has this number.
_FORMULA_CELL = 0x06
_SHARED_FORMULA = 0x4BC
_ERROR_CELL = 0x205
_ENGINE = 0x1C1  # that has computed the workbook, by its number
_NOT_COMPUTED = 0x5E
_COUNTED_FROM_1904 = 0x22
# What stands for the value of a formula: the number 0, and a text that is empty.
_ZERO = bytes(8)
_NO_TEXT, _NO_NUMBER = b"\x03", b"\xff\xff"
_SHORT_NUMBER = 0x27E
_SEVERAL_NUMBERS = 0xBD
# Records of a cell with a number, or a formula that may give one; behind the place is its style.
_NUMBER_RECORDS = frozenset((_FORMULA_CELL, 0x203, _SHORT_NUMBER))
_TEXT_RECORDS = frozenset((RICH_LABEL, 0xFD, LABEL))
# Records of a cell that holds something, which all begin with its row and column.
_CELL_RECORDS = _NUMBER_RECORDS | {_ERROR_CELL, _SEVERAL_NUMBERS}
_CELL_RECORDS |= _TEXT_RECORDS | {0x206}

# The library takes these formats for dates, as in East Asia. Gnumeric has others of that number.
_TAKEN_FOR_DATES = frozenset((*range(27, 37), *range(50, 59)))
# It asks for the codes of no others that a file may name, though some, such as SheetJS, have more.
_TAKEN_AS_THEY_ARE = frozenset((*range(59), *range(63, 67), *range(164, 383)))

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


def scan_xls(file: Path | BinaryIO) -> dict[str, SheetScan]:
    """Return what shows of each sheet that has cells, by its name.

    One of before Excel 97 comes as `open_xls_file` opens it.
    """
    workbook = _Workbook()
    for at, kind, content in records_of(workbook_stream(file)):
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
    fonts: list[bool] = field(default_factory=list)  # whether they are bold
    bold: set[int] = field(default_factory=set)  # styles
    texts: dict[int, TextFormat] = field(default_factory=dict)  # by style
    mistaken: set[int] = field(default_factory=set)  # styles of numbers that come as dates
    dated: dict[int, str] = field(default_factory=dict)  # codes by style, of dates that do not
    first_day: datetime.datetime = FIRST_DAY
    names: dict[int, str] = field(default_factory=dict)  # by where a sheet begins
    sheets: dict[str, SheetScan] = field(default_factory=dict)
    sheet: str = ""
    is_old: bool = False  # of before Excel 97
    # By sheet: the rows and columns that have cells.
    rows: dict[str, set[int]] = field(default_factory=dict)
    columns: dict[str, set[int]] = field(default_factory=dict)
    # By sheet: the rows and columns of formulas that hold a 0 or nothing, and those of a 0.
    without_value: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    zeros: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    # Whether one of them is a text: LibreOffice writes 0 for what it has not computed anew.
    has_zero_for_text: bool = False
    is_zero: bool = False  # what the last formula gives
    has_values: bool = False  # in formulas
    is_computed: bool = False  # by what saved it

    def add(self, at: int, kind: int, content: bytes) -> None:
        if kind == SHEET_NAME and len(content) > _NAME_AT + 1:
            begins_at = int.from_bytes(content[:4], "little")
            self.names[begins_at] = self._text(content[_NAME_AT:], length_bytes=1)
        elif kind == BEGINNING:
            self.is_old = content[:2] == EXCEL_5
            # A chart in the sheet has a beginning of its own, which no name belongs to.
            self.sheet = self.names.get(at, self.sheet)
        elif kind == _SHARED_FORMULA:
            # It stands behind the first of the cells that have it.
            self._add_zero(tokens_shared(content))
        elif kind == _ENGINE:
            self.is_computed = any(content[4:8])
        elif kind == _NOT_COMPUTED:
            self.is_computed = False
        elif kind == _COUNTED_FROM_1904 and any(content):
            self.first_day = FIRST_DAY_OF_MAC
        elif len(content) >= _PLACE.size:
            self._add_look(kind, content)

    def _add_look(self, kind: int, content: bytes) -> None:
        """Take in a format of numbers, a font, or a style, which names one of each."""
        if kind == FORMAT_CODE and len(content) > _PLACE.size:
            (number,) = _WORD.unpack_from(content)
            self.codes[number] = self._text(content[_WORD.size :], length_bytes=2)
        elif kind == _FONT and len(content) >= _WEIGHT_AT + _WORD.size:
            self.fonts.append(_WORD.unpack_from(content, _WEIGHT_AT)[0] >= _BOLD)
        elif kind == _STYLE:
            font, number = _PLACE.unpack_from(content)
            font -= font > _NO_FONT
            if font < len(self.fonts) and self.fonts[font]:
                self.bold.add(len(self.styles))
            if number in _TAKEN_FOR_DATES and _is_of_number(self.codes.get(number, "")):
                self.mistaken.add(len(self.styles))
            if number not in _TAKEN_AS_THEY_ARE and date_letters(self.codes.get(number, "")):
                self.dated[len(self.styles)] = self.codes[number]
            if text_format := parse_text_format(self.codes.get(number, "")):
                self.texts[len(self.styles)] = text_format
            self.styles.append(parse_number_format(self.codes.get(number, "")))

    def _text(self, content: bytes, length_bytes: int) -> str:
        """Return a text: length, width, characters; the copies of old files have no width."""
        length = int.from_bytes(content[:length_bytes], "little")
        if self.is_old:
            return content[length_bytes:][:length].decode("utf-8", "replace")
        is_wide = content[length_bytes] & 1
        encoding = "utf-16-le" if is_wide else "latin-1"
        characters = content[length_bytes + 1 :]
        return characters[: length * (1 + is_wide)].decode(encoding, "replace")

    def add_cell(self, kind: int, content: bytes) -> None:
        row, column = _PLACE.unpack_from(content)
        self.rows.setdefault(self.sheet, set()).add(row)
        self.columns.setdefault(self.sheet, set()).add(column)
        scan = self.sheets.setdefault(self.sheet, SheetScan())
        if kind == _FORMULA_CELL:
            self._add_formula(content, row, column)
        if kind in _TEXT_RECORDS:
            self._add_text(scan, _style(content), (row, column))
        if error := _error(kind, content):
            scan.shown.setdefault(row, {})[column] = error
        for place, (style, number) in enumerate(_numbers(kind, content), start=column):
            if text := self._otherwise_shown(style, number):
                scan.shown.setdefault(row, {})[place] = text
            elif number_format := self._format(style):
                scan.formats.setdefault(row, {})[place] = number_format

    def _add_text(self, scan: SheetScan, style: int, place: Place) -> None:
        row, column = place
        if style in self.bold:
            scan.bold.setdefault(row, []).append(column)
        if style in self.texts:
            scan.around.setdefault(row, {})[column] = self.texts[style]

    def _add_formula(self, content: bytes, row: int, column: int) -> None:
        self.is_zero = content[6:14] == _ZERO
        if not _lacks_value(content):
            self.has_values = True
            return
        self.without_value.setdefault(self.sheet, []).append((row, column))
        if self.is_zero:
            self.zeros.setdefault(self.sheet, []).append((row, column))
            self._add_zero(tokens_of_cell(content))

    def _add_zero(self, tokens: bytes) -> None:
        if self.is_zero and not self.has_zero_for_text:
            self.has_zero_for_text = gives_text(tokens)

    def _format(self, style: int) -> CellFormat | None:
        return self.styles[style] if style < len(self.styles) else None

    def _otherwise_shown(self, style: int, number: float) -> str:
        """Return how a number is shown that the library mistakes, as a date or for none."""
        if style in self.mistaken and math.isfinite(number):
            return shown(number, self._format(style))
        found = moment(number, self.dated.get(style, ""), self.first_day)
        return "" if found is None else cell_text(found)

    def scans(self) -> dict[str, SheetScan]:
        sheets = {
            name: replace(one, places=_span(self.rows[name]) * _span(self.columns[name]))
            for name, one in self.sheets.items()
        }
        # Programs that compute nothing write such values in all formulas, and leave it to Excel,
        # which computes what no engine of its own has computed.
        is_without = not self.has_values and not self.is_computed
        zeros = self.zeros if self.has_zero_for_text else {}
        for name, cells in (self.without_value if is_without else zeros).items():
            sheets[name] = without_values(sheets[name], cells)
        return sheets


def _span(numbers: set[int]) -> int:
    return max(numbers) - min(numbers) + 1


def _style(content: bytes) -> int:
    return int.from_bytes(content[_PLACE.size : _PLACE.size + _WORD.size], "little")


def _numbers(kind: int, content: bytes) -> list[tuple[int, float]]:
    """Return the style of each number in the record, and the number, which may be none (NaN)."""
    behind = content[_PLACE.size :]
    if kind == _SEVERAL_NUMBERS:
        numbers = behind[: len(behind) // _STYLE_AND_NUMBER.size * _STYLE_AND_NUMBER.size]
        return [(style, short_number(rk)) for style, rk in _STYLE_AND_NUMBER.iter_unpack(numbers)]
    if kind == _SHORT_NUMBER and len(behind) >= _STYLE_AND_NUMBER.size:
        style, rk = _STYLE_AND_NUMBER.unpack_from(behind)
        return [(style, short_number(rk))]
    if kind in _NUMBER_RECORDS and len(behind) >= _STYLE_AND_FLOAT.size:
        # The text, truth or error that a formula gives is written as what is no number.
        return [_STYLE_AND_FLOAT.unpack_from(behind)]
    return []


def short_number(rk: int) -> float:
    """Return a number that is packed into 30 bits: whole, or the first half of a float."""
    if rk & 2:
        number = float((rk >> 2) - (1 << 30 if rk >> 31 else 0))
    else:
        (number,) = _FLOAT.unpack((rk & ~3).to_bytes(8, "big")[4:] + bytes(4))
    return number / 100 if rk & 1 else number


def _is_of_number(code: str) -> bool:
    """Tell whether a format is known and has no part of a date or a time."""
    return bool(code) and not date_letters(code)


def _lacks_value(content: bytes) -> bool:
    value = content[6:14]
    return value == _ZERO or (value[:1] == _NO_TEXT and value[6:] == _NO_NUMBER)


def _error(kind: int, content: bytes) -> str:
    """Return the error that a cell shows, typed or as the value of its formula, "" for none."""
    if kind == _FORMULA_CELL and content[6:7] == b"\x02" and content[12:14] == b"\xff\xff":
        return XLS_ERRORS.get(content[8], "")
    is_error = kind == _ERROR_CELL and content[7:8] == b"\x01"
    return XLS_ERRORS.get(content[6], "") if is_error else ""
