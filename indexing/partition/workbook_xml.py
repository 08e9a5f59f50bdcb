"""Read workbooks in the XML of Excel 2003, which programs of companies still write as `.xls`.

Elements and values: XML Spreadsheet Reference (Office 2003 XML Reference Schemas).
"""

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path

from indexing.partition.number_formats import CellFormat, parse_number_format
from indexing.partition.package_xml import Element
from indexing.partition.sheet_rows import MAX_COLUMNS, Merged, SheetRows, events_of
from indexing.partition.spreadsheet import cell_text
from indexing.partition.text import clean_line
from indexing.types import Document, Page

_SS = "{urn:schemas-microsoft-com:office:spreadsheet}"
_STYLE, _SHEET, _ROW = (f"{_SS}{name}" for name in ("Style", "Worksheet", "Row"))
_NAMED_FORMATS = {"Percent": "0.00%", "Euro Currency": '"€"#,##0.00'}
_NUMBER = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})(E[+-]?\d{1,3})?", re.IGNORECASE)
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{0,9})?")
_MIDNIGHT = "00:00:00"
_DAYS_OF_NO_DATE = ("1899-12-30", "1899-12-31")
"""The days from which Excel counts; what is shown of a moment on them is its time."""


def open_workbook_xml(path: Path) -> Document:
    """Open the workbook, a page per sheet; formulas come as the values last computed."""
    with path.open("rb") as file:
        count = sum(1 for _ in events_of(file, [_SHEET], ["start"]))
    return Document("", count, _sheets(path))


def _sheets(path: Path) -> Iterator[Page]:
    formats: dict[str, CellFormat | None] = {}
    sheet = SheetRows("")
    with path.open("rb") as file:
        for event, element in events_of(file, [_STYLE, _SHEET, _ROW], ["start", "end"]):
            if event == "start":
                if element.tag == _SHEET:
                    sheet = SheetRows(clean_line(element.get(f"{_SS}Name", "")))
            elif element.tag == _STYLE:
                formats[element.get(f"{_SS}ID", "")] = _format(element)
            else:
                if element.tag == _ROW:
                    _add_row(sheet, element, formats)
                else:
                    yield sheet.page()
                element.clear()


def _format(style: Element) -> CellFormat | None:
    found = style.find(f"{_SS}NumberFormat")
    code = "" if found is None else found.get(f"{_SS}Format", "")
    return parse_number_format(_NAMED_FORMATS.get(code, code))


def _add_row(sheet: SheetRows, row: Element, formats: Mapping[str, CellFormat | None]) -> None:
    sheet.skip_to(_number(row, "Index") - 1)  # Rows may have been left out.
    cells: list[str] = []
    merged: list[Merged] = []
    for cell in row.iterchildren(f"{_SS}Cell"):
        at = _number(cell, "Index") - 1
        cells += [""] * (min(at, MAX_COLUMNS) - len(cells))
        if len(cells) >= MAX_COLUMNS:
            break
        text = _text(cell, formats.get(cell.get(f"{_SS}StyleID", "")))
        further = min(_number(cell, "MergeAcross"), MAX_COLUMNS)
        down = _number(cell, "MergeDown")
        if text and (further or down):
            merged.append(Merged(len(cells), len(cells) + further, down + 1))
        cells += [text, *[""] * further]
    sheet.add(cells, merged)


def _text(cell: Element, cell_format: CellFormat | None) -> str:
    data = cell.find(f"{_SS}Data")
    if data is None:
        return ""
    text = clean_line("".join(data.itertext()))
    kind = data.get(f"{_SS}Type", "")
    if kind == "Number" and _NUMBER.fullmatch(text) and isfinite(value := float(text)):
        return cell_text(value, cell_format)
    if kind == "Boolean":
        return cell_text(text == "1")
    if kind == "DateTime" and (moment := _MOMENT.fullmatch(text)):
        day, time = moment.groups()
        return time if day in _DAYS_OF_NO_DATE else day if time == _MIDNIGHT else f"{day} {time}"
    return text


def _number(element: Element, name: str) -> int:
    value = element.get(f"{_SS}{name}", "")
    return int(value) if value.isdecimal() and len(value) < 8 else 0
