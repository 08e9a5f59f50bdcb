"""Read OpenDocument spreadsheets, and what lies on their sheets: pictures and text boxes."""

import itertools
import zipfile
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from indexing.partition.office.damaged_parts import warned
from indexing.partition.office.package_xml import Element
from indexing.partition.office.pictures import Album
from indexing.partition.office.zip_names import open_zip
from indexing.partition.open_document.cells import (
    CELLS,
    paragraphs_in,
    sign_raised,
    value_of,
)
from indexing.partition.open_document.document import CONTENT
from indexing.partition.open_document.formulas import (
    Place,
    has_uncomputed,
    is_uncomputed,
    put_right,
    saved_values,
)
from indexing.partition.open_document.names import DRAW, FO, STYLE, TABLE
from indexing.partition.open_document.pictures import mark_of
from indexing.partition.open_document.repeated_cells import count_of
from indexing.partition.open_document.styles import raised_styles
from indexing.partition.sheets.column_names import BoldText
from indexing.partition.sheets.mended_package import OF_DAMAGE, mended_package
from indexing.partition.sheets.rows import MAX_COLUMNS, Merged, SheetRows, events_of
from indexing.partition.sheets.uncomputed import open_computed, with_uncomputed
from indexing.partition.text import clean_line
from indexing.partition.word.pictures import A4_POINTS
from indexing.types import Block, BlockKind, Document, Page

_SHAPES = ("text-box", "custom-shape", "caption", "rect", "circle", "ellipse", "polygon", "path")
_LINES = ("line", "connector", "polyline", "regular-polygon")  # which may be labelled
_DRAWN = [f"{DRAW}{name}" for name in ("image", *_SHAPES, *_LINES)]


def open_ods(path: Path, skip_pages: int = 0) -> Document:
    """Open the workbook, a page per sheet; formulas come as the values last computed.

    Formulas that were saved without values are computed by LibreOffice, where it is installed. The
    first `skip_pages` sheets are left out, and their pictures not looked at.
    """
    try:
        return _open_computed(path, skip_pages) or _open(path, skip_pages)
    except OF_DAMAGE:
        package, warning = mended_package(path, CONTENT)
        sheets = _open(path, skip_pages, mended=package)
        return replace(sheets, pages=warned(sheets.pages, warning))


def _open_computed(path: Path, skip_pages: int) -> Document | None:
    if not has_uncomputed(path):
        return None
    open_file = partial(_open, skip_pages=skip_pages, saved=saved_values(path))
    return open_computed(path, "ots", "ods", open_file=open_file)


def open_computed_ods(path: Path) -> Document:
    """Open a workbook that LibreOffice has made of another, of which it computed all formulas."""
    return _open(path, 0, saved={})


def _open(
    path: Path,
    skip_pages: int,
    saved: Mapping[Place, str] | None = None,
    mended: BinaryIO | None = None,
) -> Document:
    """Open the workbook, or a mended copy of it but for its pictures.

    One that was computed is opened with the values that were saved of the formulas.
    """
    with open_zip(mended or path) as package, package.open(CONTENT) as content:
        tables = events_of(content, [f"{TABLE}table"], ["start"])
        count = sum(_is_sheet(table) for _, table in tables)
    album = Album(path, A4_POINTS)
    # Open until the last page is read, so that a converted file may be deleted meanwhile.
    package = open_zip(mended or path)
    return Document("", count, album.pages(_sheets(package, album, saved), skip_pages))


@dataclass(slots=True)
class _Sheet:
    """A sheet as far as it has been read."""

    number: int  # from 0
    rows: SheetRows
    drawn: list[str] = field(default_factory=list)  # texts, and the marks of pictures
    uncomputed: int = 0  # formulas without their values

    def page(self) -> Page:
        page = self.rows.page()
        drawn = (Block(BlockKind.TEXT, text) for text in self.drawn)
        page = replace(page, blocks=(*page.blocks, *drawn))
        return with_uncomputed(page, self.uncomputed)


def _sheets(
    package: zipfile.ZipFile, album: Album, saved: Mapping[Place, str] | None
) -> Iterator[Page]:
    row_tag, table_tag, style_tag = f"{TABLE}table-row", f"{TABLE}table", f"{STYLE}style"
    sheet: _Sheet | None = None
    bold: set[str] = set()  # names of styles
    raised: set[str] = set()
    numbers = itertools.count()
    with package, package.open(CONTENT) as content:
        tags = row_tag, table_tag, style_tag
        for event, element in events_of(content, tags, ["start", "end"]):
            if element.tag == style_tag:
                bold |= {element.get(f"{STYLE}name", "")} if _is_bold(element) else set()
                raised |= raised_styles([element])
            elif event == "start" and element.tag == table_tag and _is_sheet(element):
                sheet = _Sheet(
                    next(numbers), SheetRows(clean_line(element.get(f"{TABLE}name", "")))
                )
            elif event == "end" and sheet is not None:
                sheet.drawn += _drawn(element, album)
                if element.tag == row_tag:
                    if saved is not None:
                        put_right(element, sheet.number, sheet.rows.height, saved)
                    sheet.uncomputed += sum(map(is_uncomputed, element.iterchildren(*CELLS)))
                    sign_raised(element, raised)
                    _add_row(sheet.rows, element, bold)
                elif _is_sheet(element):
                    yield sheet.page()
                    sheet = None
                element.clear()


def _is_sheet(table: Element) -> bool:
    """Tell whether the table is none in a cell, nor what another program is asked for (DDE)."""
    return next(table.iterancestors(f"{TABLE}table", f"{TABLE}dde-link"), None) is None


def _is_bold(style: Element) -> bool:
    properties = style.find(f"{STYLE}text-properties")
    return properties is not None and properties.get(f"{FO}font-weight") == "bold"


def _add_row(rows: SheetRows, row: Element, bold: Container[str]) -> None:
    cells: list[str] = []
    merged: list[Merged] = []
    for cell in row.iterchildren(*CELLS):
        text = value_of(cell)
        if cell.get(f"{TABLE}style-name") in bold:
            text = BoldText(text)
        repeated = count_of(cell, "columns-repeated")
        spanned = count_of(cell, "columns-spanned")
        down = count_of(cell, "rows-spanned")
        if text and (spanned > 1 or down > 1):
            merged.append(Merged(len(cells), len(cells) + spanned - 1, down))
        cells += [text] * min(repeated, MAX_COLUMNS - len(cells))
    rows.add(cells, merged, times=count_of(row, "rows-repeated"))


def _drawn(holder: Element, album: Album) -> Iterator[str]:
    """Yield the texts, and the marks of the pictures, that lie on a row or on the whole sheet."""
    for shape in holder.iter(*_DRAWN):
        if shape.tag == f"{DRAW}image":
            text = mark_of(shape, album)
        else:
            text = "\n".join(paragraphs_in(shape))
        if text:
            yield text
