"""Read workbooks in the XML of Excel 2003, which programs of companies still write as `.xls`.

Elements and values: XML Spreadsheet Reference (Office 2003 XML Reference Schemas).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from indexing.partition.office.package_xml import Element
from indexing.partition.sheets.day_numbers import moment
from indexing.partition.sheets.format_codes import date_letters
from indexing.partition.sheets.iso_moments import plain_moment
from indexing.partition.sheets.number_formats import CellFormat, parse_number_format
from indexing.partition.sheets.rows import MAX_COLUMNS, Merged, SheetRows, events_of
from indexing.partition.sheets.spreadsheet import cell_text
from indexing.partition.sheets.uncomputed import with_uncomputed
from indexing.partition.text import clean_line
from indexing.types import Document, Page

_SS = "{urn:schemas-microsoft-com:office:spreadsheet}"
_STYLE, _SHEET, _ROW, _CELL, _DATA = (
    f"{_SS}{name}" for name in ("Style", "Worksheet", "Row", "Cell", "Data")
)
_OF_NUMBERS = ("General", "General Number", "Currency", "Fixed", "Standard", "Scientific")
_NAMED_FORMATS = {
    **dict.fromkeys((*_OF_NUMBERS, "Yes/No", "True/False", "On/Off"), ""),
    **dict.fromkeys(("Long Date", "Medium Date", "Short Date"), "yyyy-mm-dd"),
    **dict.fromkeys(("Long Time", "Medium Time", "Short Time"), "h:mm:ss"),
    "General Date": "yyyy-mm-dd h:mm:ss",
    "Percent": "0.00%",
    "Euro Currency": '"€"#,##0.00',
}
_NUMBER = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})(E[+-]?\d{1,3})?", re.IGNORECASE)
_PIECE_BYTES = 1 << 20
# In UTF-8, and in what both kinds of UTF-16 have in common.
_FORMULA_WORDS = (b"Formula", "Formula".encode("utf-16-le")[:-1])
# LibreOffice leaves such values empty, and what is computed of them would be wrong.
_NOT_TAKEN_OVER = ("Boolean", "Error")


@dataclass(frozen=True, slots=True)
class _Format:
    """How a cell shows its number."""

    of_dates: str = ""  # the code, where it shows a moment
    of_numbers: CellFormat | None = None


_NO_FORMAT = _Format()


def open_workbook_xml(path: Path) -> Document:
    """Open the workbook, a page per sheet; formulas come as the values last computed."""
    with path.open("rb") as file:
        count = sum(1 for _ in events_of(file, [_SHEET], ["start"]))
    return Document("", count, _sheets(path))


def is_to_compute(path: Path) -> bool:
    """Tell whether formulas lack values, in a workbook that LibreOffice reads as a whole."""
    if not _has_formulas(path):
        return False
    has_uncomputed = False
    with path.open("rb") as file:
        for _, row in events_of(file, [_ROW], ["end"]):
            for cell in row.iterchildren(_CELL):
                if any(_kind(data) in _NOT_TAKEN_OVER for data in cell.iterchildren(_DATA)):
                    return False
                has_uncomputed = has_uncomputed or _is_uncomputed(cell)
            row.clear()
    return has_uncomputed


def _has_formulas(path: Path) -> bool:
    """Tell whether the word occurs, which takes no time: most workbooks have none."""
    with path.open("rb") as file:
        end = b""
        while piece := file.read(_PIECE_BYTES):
            if any(word in end + piece for word in _FORMULA_WORDS):
                return True
            end = piece[-len(_FORMULA_WORDS[-1]) :]
    return False


def _is_uncomputed(cell: Element) -> bool:
    """Tell whether a cell has a formula and no value of it, which as a text may be empty."""
    if cell.get(f"{_SS}Formula") is None:
        return False
    data = cell.find(_DATA)
    return data is None or (_kind(data) != "String" and not "".join(data.itertext()))


def _kind(data: Element) -> str:
    return str(data.get(f"{_SS}Type", ""))


def _sheets(path: Path) -> Iterator[Page]:
    formats: dict[str, _Format] = {}
    sheet, uncomputed = SheetRows(""), 0
    has_formulas = _has_formulas(path)
    with path.open("rb") as file:
        for event, element in events_of(file, [_STYLE, _SHEET, _ROW], ["start", "end"]):
            if event == "start":
                if element.tag == _SHEET:
                    sheet, uncomputed = SheetRows(clean_line(element.get(f"{_SS}Name", ""))), 0
            elif element.tag == _STYLE:
                formats[element.get(f"{_SS}ID", "")] = _format(element)
            else:
                if element.tag == _ROW:
                    cells = element.iterchildren(_CELL) if has_formulas else ()
                    uncomputed += sum(map(_is_uncomputed, cells))
                    _add_row(sheet, element, formats)
                else:
                    yield with_uncomputed(sheet.page(), uncomputed)
                element.clear()


def _format(style: Element) -> _Format:
    found = style.find(f"{_SS}NumberFormat")
    named = "" if found is None else found.get(f"{_SS}Format", "")
    code = _NAMED_FORMATS.get(named, named)
    return _Format(code if date_letters(code) else "", parse_number_format(code))


def _add_row(sheet: SheetRows, row: Element, formats: Mapping[str, _Format]) -> None:
    sheet.skip_to(_number(row, "Index") - 1)  # Rows may have been left out.
    cells: list[str] = []
    merged: list[Merged] = []
    for cell in row.iterchildren(_CELL):
        at = _number(cell, "Index") - 1
        cells += [""] * (min(at, MAX_COLUMNS) - len(cells))
        if len(cells) >= MAX_COLUMNS:
            break
        text = _text(cell, formats.get(cell.get(f"{_SS}StyleID", ""), _NO_FORMAT))
        further = min(_number(cell, "MergeAcross"), MAX_COLUMNS)
        down = _number(cell, "MergeDown")
        if text and (further or down):
            merged.append(Merged(len(cells), len(cells) + further, down + 1))
        cells += [text, *[""] * further]
    sheet.add(cells, merged)


def _text(cell: Element, cell_format: _Format) -> str:
    data = cell.find(_DATA)
    if data is None:
        return ""
    text = clean_line("".join(data.itertext()))
    kind = _kind(data)
    if kind == "Number" and _NUMBER.fullmatch(text) and isfinite(value := float(text)):
        # Excel itself writes dates as such; others only say that they are shown so.
        found = moment(value, cell_format.of_dates)
        return cell_text(value if found is None else found, cell_format.of_numbers)
    if kind == "Boolean":
        return cell_text(text == "1")
    return plain_moment(text) if kind == "DateTime" else text


def _number(element: Element, name: str) -> int:
    value = element.get(f"{_SS}{name}", "")
    return int(value) if value.isdecimal() and len(value) < 8 else 0
