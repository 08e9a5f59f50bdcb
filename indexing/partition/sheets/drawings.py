"""Read what lies on the sheets of an xlsx workbook above their cells.

That is pictures, text boxes, and of charts the titles: their figures stand in cells.

Where a drawing lies is told by the cell that its anchor begins at (ECMA-376 part 1, 20.5). On the
page of its sheet it follows the cells, for a picture belongs to none of them.
"""

import contextlib
import itertools
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from indexing.ocr import RecognitionFailed
from indexing.partition.office.newer_charts import NEWER_CHART, usual_chart
from indexing.partition.office.package_xml import MC, Element, parse
from indexing.partition.office.pictures import Album, ShownPicture, reported
from indexing.partition.office.related_members import related_in
from indexing.partition.office.zip_names import open_zip
from indexing.partition.sheets.mended_package import OF_DAMAGE
from indexing.partition.sheets.xlsx_scan import WORKBOOK, sheet_parts
from indexing.partition.text import clean_line
from indexing.partition.word.pictures import A4_POINTS, EMU_PER_POINT, crop_of
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page

CELL_POINTS = 48.0, 15.0
"""Width and height of a cell that nobody has changed."""

_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

_ANCHORS = [f"{_XDR}{kind}Anchor" for kind in ("twoCell", "oneCell", "absolute")]
_LEAVES = [f"{_XDR}pic", f"{_XDR}sp", f"{_XDR}graphicFrame"]


def with_drawings(document: Document, path: Path, skip_pages: int = 0) -> Document:
    """Return the workbook with what is drawn on its sheets; the first `skip_pages` are left out."""
    album = Album(path, A4_POINTS)
    drawn: dict[str, _OnSheet] = {}
    parts: dict[str, str] = {}
    charts: set[str] = set()
    # Who has read the cells has said what is damaged of the list of sheets.
    with contextlib.suppress(*OF_DAMAGE), open_zip(path) as package:
        parts = {clean_line(name): part for name, part in sheet_parts(package)}
        charts = set(related_in(package, WORKBOOK, "chartsheet").values())
        drawn = {
            label: found
            for label, part in parts.items()
            if (found := _on_sheet(package, part, album)) != _OnSheet()
        }
    if not drawn:
        album.close()
        return replace(document, pages=itertools.islice(document.pages, skip_pages, None))
    # Of a chart without a title there is nothing to read.
    labels = [label for label, part in parts.items() if label in drawn or part not in charts]
    drawn_charts = {label for label in drawn if parts[label] in charts}
    pages = (
        _with(page, drawn.get(page.label, _OnSheet()))
        for page in _with_charts(document.pages, labels, drawn_charts)
    )
    count = document.page_count + len(drawn_charts)
    return replace(document, page_count=count, pages=album.pages(pages, skip_pages))


def _with_charts(
    pages: Iterable[Page], labels: Iterable[str], charts: Collection[str]
) -> Iterator[Page]:
    """Yield a page for each sheet that is a chart, too, before the next one that has cells."""
    before: dict[str, list[str]] = {}
    waiting: list[str] = []
    for label in labels:
        if label in charts:
            waiting.append(label)
        else:
            before[label], waiting = waiting, []
    for page in pages:
        yield from (Page(NO_PAGE, (), label=label) for label in before.pop(page.label, []))
        yield page
    yield from (Page(NO_PAGE, (), label=label) for label in waiting)


@dataclass(frozen=True, slots=True)
class _OnSheet:
    """The texts, and the marks of the pictures, that lie on a sheet."""

    texts: tuple[str, ...] = ()
    failure: str = ""


def _with(page: Page, drawn: _OnSheet) -> Page:
    blocks = (*page.blocks, *(Block(BlockKind.TEXT, text) for text in drawn.texts))
    failure = drawn.failure and f"the drawings on {page.label!r} cannot be read: {drawn.failure}"
    warning = "; ".join(filter(None, (page.warning, failure)))
    return replace(page, blocks=blocks, warning=warning)


def _on_sheet(package: zipfile.ZipFile, part: str, album: Album) -> _OnSheet:
    texts: list[str] = []
    try:
        with reported():
            for drawing in related_in(package, part, "drawing").values():
                # Some programs name one for every sheet, and write only those that hold anything.
                if drawing in package.NameToInfo:
                    texts += filter(None, _drawn(package, drawing, album))
    except RecognitionFailed as error:
        return _OnSheet(tuple(texts), str(error))
    return _OnSheet(tuple(texts))


def _drawn(package: zipfile.ZipFile, drawing: str, album: Album) -> Iterator[str]:
    """Yield the texts and marks of a drawing, in the order of the rows that they begin at."""
    members = related_in(package, drawing, "image", "chart", "chartEx")
    anchors = parse(package.read(drawing)).iter(*_ANCHORS)
    for anchor in sorted(anchors, key=_row_and_column):
        for leaf in anchor.iter(*_LEAVES):
            if not _is_shown(leaf):
                continue
            yield _text(leaf, f"{_XDR}txBody")
            yield from _marks(leaf, anchor, members, album)
            for chart in leaf.iter(f"{_C}chart", NEWER_CHART):
                content = usual_chart(parse(package.read(members[chart.get(f"{_R}id", "")])))
                yield _text(content, f"{_C}chart/{_C}title/{_C}tx/{_C}rich")


def _is_shown(leaf: Element) -> bool:
    # What newer programs draw stands beside its like for older ones.
    is_fallback = next(leaf.iterancestors(f"{MC}Fallback"), None) is not None
    names = next(leaf.iter(f"{_XDR}cNvPr"), None)
    return not is_fallback and (names is None or names.get("hidden") not in ("1", "true"))


def _text(drawn: Element, body: str) -> str:
    paragraphs = drawn.iterfind(f"{body}/{_A}p")
    lines = (clean_line("".join(_pieces(paragraph))) for paragraph in paragraphs)
    return "\n".join(filter(None, lines))


def _pieces(paragraph: Element) -> Iterator[str]:
    for piece in paragraph.iter(f"{_A}t", f"{_A}br"):
        yield " " if piece.tag == f"{_A}br" else piece.text or ""


def _marks(
    picture: Element, anchor: Element, members: dict[str, str], album: Album
) -> Iterator[str]:
    for blip in picture.iterfind(f"{_XDR}blipFill/{_A}blip"):
        member = members.get(blip.get(f"{_R}embed", ""), "")
        if member in album.members:
            shown = ShownPicture(member, *_size(picture, anchor), crop_of(blip))
            if mark := album.mark(shown):
                yield mark


def _size(picture: Element, anchor: Element) -> tuple[float, float]:
    """Return width and height in points: as the picture says, its anchor, or the cells below it."""
    for extent in (picture.find(f"{_XDR}spPr/{_A}xfrm/{_A}ext"), anchor.find(f"{_XDR}ext")):
        if extent is not None:
            width, height = (_number(extent.get(side)) / EMU_PER_POINT for side in ("cx", "cy"))
            if width and height:
                return width, height
    first, last = _place(anchor, "from"), _place(anchor, "to")
    height, width = (max(end - start, 0) for start, end in zip(first, last, strict=True))
    return width * CELL_POINTS[0], height * CELL_POINTS[1]


def _row_and_column(anchor: Element) -> tuple[int, int]:
    return _place(anchor, "from")


def _place(anchor: Element, end: str) -> tuple[int, int]:
    """Return the row and the column of a cell, from 0."""
    row, column = (anchor.findtext(f"{_XDR}{end}/{_XDR}{name}") for name in ("row", "col"))
    return _number(row), _number(column)


def _number(text: str | None) -> int:
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) < 10 else 0
