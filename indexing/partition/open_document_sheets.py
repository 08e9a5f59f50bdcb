"""Read OpenDocument spreadsheets, and what lies on their sheets: pictures and text boxes."""

import re
import zipfile
from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from math import isfinite
from pathlib import Path

from indexing.partition.column_names import BoldText
from indexing.partition.displayed_numbers import as_displayed
from indexing.partition.docx_pictures import A4_POINTS
from indexing.partition.iso_moments import plain_moment
from indexing.partition.number_formats import NumberFormat
from indexing.partition.office_pictures import Album
from indexing.partition.open_document import (
    DRAW,
    DROPPED,
    FO,
    OFFICE,
    STYLE,
    TABLE,
    TEXT,
    Element,
    P,
)
from indexing.partition.open_document_pictures import mark_of
from indexing.partition.sheet_rows import MAX_COLUMNS, Merged, SheetRows, events_of
from indexing.partition.spreadsheet import cell_text
from indexing.partition.text import clean_line
from indexing.partition.uncomputed import open_computed, with_uncomputed
from indexing.types import Block, BlockKind, Document, Page

_SHAPES = ("text-box", "custom-shape", "caption", "rect", "circle", "ellipse", "polygon", "path")
_NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)(E[+-]?\d+)?")
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_VALUES = [f"{OFFICE}{name}" for name in ("value", "date-value", "time-value", "boolean-value")]
_DRAWN = [f"{DRAW}{name}" for name in ("image", *_SHAPES)]


def open_ods(path: Path, skip_pages: int = 0) -> Document:
    """Open the workbook, a page per sheet; formulas come as the values last computed.

    Formulas that were saved without values are computed by LibreOffice, where it is installed. The
    first `skip_pages` sheets are left out, and their pictures not looked at.
    """
    open_file = partial(_open_as_saved, skip_pages=skip_pages)
    computed = None
    if _has_uncomputed(path):
        computed = open_computed(path, "ots", "ods", open_file=open_file)
    return computed or open_file(path)


def _open_as_saved(path: Path, skip_pages: int) -> Document:
    # Open until the last page is read, so that a converted file may be deleted meanwhile.
    package = zipfile.ZipFile(path)
    with package.open("content.xml") as content:
        count = sum(1 for _ in events_of(content, [f"{TABLE}table"], ["start"]))
    album = Album(path, A4_POINTS)
    return Document("", count, album.pages(_sheets(package, album), skip_pages))


def _has_uncomputed(path: Path) -> bool:
    with zipfile.ZipFile(path) as package, package.open("content.xml") as content:
        for _, row in events_of(content, [f"{TABLE}table-row"], ["end"]):
            if any(map(_is_uncomputed, row.iterchildren(*_CELLS))):
                return True
            row.clear()
    return False


def _is_uncomputed(cell: Element) -> bool:
    """Tell whether a cell has a formula and no value of it, which as a text may be empty."""
    if cell.get(f"{TABLE}formula") is None or cell.get(f"{OFFICE}value-type") == "string":
        return False
    return not any(name in cell.attrib for name in _VALUES) and not _shown(cell)


@dataclass(slots=True)
class _Sheet:
    """A sheet as far as it has been read."""

    rows: SheetRows
    drawn: list[str] = field(default_factory=list)  # texts, and the marks of pictures
    uncomputed: int = 0  # formulas without their values

    def page(self) -> Page:
        page = self.rows.page()
        drawn = (Block(BlockKind.TEXT, text) for text in self.drawn)
        page = replace(page, blocks=(*page.blocks, *drawn))
        return with_uncomputed(page, self.uncomputed)


def _sheets(package: zipfile.ZipFile, album: Album) -> Iterator[Page]:
    row_tag, table_tag, style_tag = f"{TABLE}table-row", f"{TABLE}table", f"{STYLE}style"
    sheet: _Sheet | None = None
    bold: set[str] = set()  # names of styles
    with package, package.open("content.xml") as content:
        tags = row_tag, table_tag, style_tag
        for event, element in events_of(content, tags, ["start", "end"]):
            if element.tag == style_tag:
                bold |= {element.get(f"{STYLE}name", "")} if _is_bold(element) else set()
            elif event == "start" and element.tag == table_tag:
                sheet = _Sheet(SheetRows(clean_line(element.get(f"{TABLE}name", ""))))
            elif event == "end" and sheet is not None:
                sheet.drawn += _drawn(element, album)
                if element.tag == row_tag:
                    sheet.uncomputed += sum(map(_is_uncomputed, element.iterchildren(*_CELLS)))
                    _add_row(sheet.rows, element, bold)
                else:
                    yield sheet.page()
                    sheet = None
                element.clear()


def _is_bold(style: Element) -> bool:
    properties = style.find(f"{STYLE}text-properties")
    return properties is not None and properties.get(f"{FO}font-weight") == "bold"


def _add_row(rows: SheetRows, row: Element, bold: Container[str]) -> None:
    cells: list[str] = []
    merged: list[Merged] = []
    for cell in row.iterchildren(*_CELLS):
        text = _value(cell)
        if cell.get(f"{TABLE}style-name") in bold:
            text = BoldText(text)
        repeated = _count(cell, "columns-repeated")
        spanned = _count(cell, "columns-spanned")
        down = _count(cell, "rows-spanned")
        if text and (spanned > 1 or down > 1):
            merged.append(Merged(len(cells), len(cells) + spanned - 1, down))
        cells += [text] * min(repeated, MAX_COLUMNS - len(cells))
    rows.add(cells, merged, times=_count(row, "rows-repeated"))


def _drawn(holder: Element, album: Album) -> Iterator[str]:
    """Yield the texts, and the marks of the pictures, that lie on a row or on the whole sheet."""
    for shape in holder.iter(*_DRAWN):
        if shape.tag == f"{DRAW}image":
            text = mark_of(shape, album)
        else:
            lines = (clean_line("".join(_texts(one))) for one in shape.iterchildren(P))
            text = "\n".join(filter(None, lines))
        if text:
            yield text


def _value(cell: Element) -> str:
    kind = cell.get(f"{OFFICE}value-type", "")
    value: str = cell.get(f"{OFFICE}value", "")
    if kind in ("float", "percentage", "currency") and _NUMBER.fullmatch(value):
        number = float(value)
        return _number(number, kind, cell) if isfinite(number) else _shown(cell)
    if kind == "date":
        return plain_moment(clean_line(cell.get(f"{OFFICE}date-value", "")))
    if kind == "boolean":
        return str(cell.get(f"{OFFICE}boolean-value", "")).upper()
    return _shown(cell)


def _shown(cell: Element) -> str:
    paragraphs = ("".join(_texts(paragraph)) for paragraph in cell.iterchildren(P))
    return clean_line(" ".join(paragraphs))


def _number(value: float, kind: str, cell: Element) -> str:
    if kind == "percentage":
        return cell_text(value, NumberFormat(after="%", scale=100))
    if kind == "currency":
        # By its code of three letters: what is shown may be any text.
        currency = cell.get(f"{OFFICE}currency", "")
        is_named = re.fullmatch("[A-Z]{3}", currency)
        return cell_text(value, NumberFormat(after=f" {currency}") if is_named else None)
    return as_displayed(value, _shown(cell))


def _texts(paragraph: Element) -> Iterator[str]:
    """Yield the pieces of a paragraph in a cell, the spaces that stand as tags among them."""
    yield paragraph.text or ""
    for child in paragraph:
        if child.tag in (f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"):
            yield " "
        elif isinstance(child.tag, str) and child.tag not in DROPPED:
            yield from _texts(child)
        yield child.tail or ""


def _count(element: Element, name: str) -> int:
    value = element.get(f"{TABLE}number-{name}", "1")
    return max(1, int(value)) if value.isdecimal() and len(value) < 8 else 1
