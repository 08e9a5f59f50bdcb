"""Formulas of OpenDocument spreadsheets: those without values, and false errors for a value.

LibreOffice computes all formulas anew, if one of them has no value. For those that it does not know
(`XLOOKUP`), or that another program writes in its own way, it has an error, and so has each that
needs their values; the file has what was computed where they are known.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.office.zip_names import open_zip
from indexing.partition.open_document.cells import CELLS, shown_in, value_of
from indexing.partition.open_document.names import OFFICE, TABLE, P
from indexing.partition.open_document.repeated_cells import count_of
from indexing.partition.sheets.rows import events_of

MAX_SAVED = 1_000_000
"""The values of so many formulas are kept; errors in those behind them stay."""

Place = tuple[int, int, int]  # sheet, row and column, from 0

_VALUES = [f"{OFFICE}{name}" for name in ("value", "date-value", "time-value", "boolean-value")]
_KIND = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}value-type"
# A name that is not known, or a formula that cannot be parsed; a division by 0 is none of these.
_NOT_KNOWN = re.compile(r"#NAME\?|Err:5(0[1789]|1\d|2[01])")


def has_uncomputed(path: Path) -> bool:
    """Tell whether a formula has no value."""
    with open_zip(path) as package, package.open("content.xml") as content:
        for _, row in events_of(content, [f"{TABLE}table-row"], ["end"]):
            if any(map(is_uncomputed, row.iterchildren(*CELLS))):
                return True
            row.clear()
    return False


def is_uncomputed(cell: Element) -> bool:
    """Tell whether a cell has a formula and no value of it, which as a text may be empty."""
    if cell.get(f"{TABLE}formula") is None or cell.get(f"{OFFICE}value-type") == "string":
        return False
    return not any(name in cell.attrib for name in _VALUES) and not shown_in(cell)


def saved_values(path: Path) -> dict[Place, str]:
    """Return the values of formulas in a file, by their places; errors are none."""
    saved: dict[Place, str] = {}
    sheet, row = -1, 0
    tags = f"{TABLE}table", f"{TABLE}table-row"
    with open_zip(path) as package, package.open("content.xml") as content:
        for event, element in events_of(content, tags, ["start", "end"]):
            if element.tag == f"{TABLE}table":
                sheet, row = (sheet + 1, 0) if event == "start" else (sheet, row)
            elif event == "end":
                for column, cell in _in_columns(element):
                    if value := _value_of_formula(cell):
                        saved[sheet, row, column] = value
                row += count_of(element, "rows-repeated")
                element.clear()
            if len(saved) > MAX_SAVED:
                break
    return saved


def put_right(row: Element, sheet: int, number: int, saved: Mapping[Place, str]) -> None:
    """Give formulas of a row that come out as errors the values that were saved of them.

    Without one, those that LibreOffice does not know have no value.
    """
    for column, cell in _in_columns(row):
        if cell.get(_KIND) != "error":
            continue
        value = saved.get((sheet, number, column), "")
        if value or _NOT_KNOWN.fullmatch(shown_in(cell)):
            del cell.attrib[f"{OFFICE}value-type"]
            for paragraph in list(cell.iterchildren(P)):
                cell.remove(paragraph)
            etree.SubElement(cell, P).text = value


def _value_of_formula(cell: Element) -> str:
    has_value = cell.get(f"{TABLE}formula") is not None and cell.get(_KIND) != "error"
    return value_of(cell) if has_value else ""


def _in_columns(row: Element) -> Iterator[tuple[int, Element]]:
    column = 0
    for cell in row.iterchildren(*CELLS):
        yield column, cell
        column += count_of(cell, "columns-repeated")
