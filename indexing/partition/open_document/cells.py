"""What stands in the cells of OpenDocument spreadsheets."""

import re
from collections.abc import Collection, Iterator
from math import isfinite

from indexing.partition.office.package_xml import Element
from indexing.partition.office.powers import RAISED
from indexing.partition.open_document.names import ITEM, LIST, OFFICE, SPAN, TABLE, TEXT, H, P
from indexing.partition.open_document.walk import DROPPED
from indexing.partition.sheets.displayed_numbers import as_displayed
from indexing.partition.sheets.iso_moments import plain_moment
from indexing.partition.sheets.number_formats import NumberFormat
from indexing.partition.sheets.spreadsheet import cell_text
from indexing.partition.text import clean_line

CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
# No figure is looked at twice, however many there are.
_NUMBER = re.compile(r"-?(\d++(?:\.\d*+)?|\.\d++)(E[+-]?\d++)?")


def value_of(cell: Element) -> str:
    """Return a value the way a person would type it."""
    kind = cell.get(f"{OFFICE}value-type", "")
    value: str = cell.get(f"{OFFICE}value", "")
    if kind in ("float", "percentage", "currency") and _NUMBER.fullmatch(value):
        number = float(value)
        return _number(number, kind, cell) if isfinite(number) else shown_in(cell)
    if kind == "date":
        return plain_moment(clean_line(cell.get(f"{OFFICE}date-value", "")))
    if kind == "boolean":
        return str(cell.get(f"{OFFICE}boolean-value", "")).upper()
    # Programs that only write such files leave out what is shown of a text.
    return shown_in(cell) or clean_line(cell.get(f"{OFFICE}string-value", ""))


def shown_in(cell: Element) -> str:
    """Return what the program that saved the cell showed in it."""
    return " ".join(paragraphs_in(cell))


def paragraphs_in(holder: Element) -> Iterator[str]:
    """Yield the text of each paragraph in a cell or a shape, those of lists too."""
    for child in holder.iterchildren(P, H, LIST, ITEM):
        if child.tag in (LIST, ITEM):
            yield from paragraphs_in(child)
        elif text := clean_line("".join(texts_in(child))):
            yield text


def _number(value: float, kind: str, cell: Element) -> str:
    if kind == "percentage":
        return cell_text(value, NumberFormat(after="%", scale=100))
    if kind == "currency":
        # By its code of three letters: what is shown may be any text.
        currency = cell.get(f"{OFFICE}currency", "")
        is_named = re.fullmatch("[A-Z]{3}", currency)
        return cell_text(value, NumberFormat(after=f" {currency}") if is_named else None)
    return as_displayed(value, shown_in(cell))


def texts_in(paragraph: Element) -> Iterator[str]:
    """Yield the pieces of a paragraph in a cell, the spaces that stand as tags among them."""
    yield paragraph.text or ""
    for child in paragraph:
        if child.tag in (f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"):
            yield " "
        elif isinstance(child.tag, str) and child.tag not in DROPPED:
            yield from texts_in(child)
        yield child.tail or ""


def sign_raised(row: Element, raised: Collection[str]) -> None:
    """Set a sign before what is raised behind a number; `raised` are the styles of such words."""
    for span in row.iter(SPAN) if raised else ():
        if span.get(f"{TEXT}style-name") in raised and RAISED.match(span.text or ""):
            before = span.getprevious()
            holder = span.getparent()
            text = holder.text if before is None else before.tail or "".join(before.itertext())
            if (text or "")[-1:].isdigit():
                span.text = f"^{span.text}"
