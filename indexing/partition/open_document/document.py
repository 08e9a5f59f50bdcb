"""Read OpenDocument: text and presentations."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from lxml import etree

from indexing.partition.office.damaged_parts import mend_parts, part_bytes, warned
from indexing.partition.office.package_xml import parse
from indexing.partition.office.pictures import Album
from indexing.partition.office.written_document import WrittenDocument, joined
from indexing.partition.office.zip_names import open_zip
from indexing.partition.open_document.charts import chart_content
from indexing.partition.open_document.forms import write_out_forms
from indexing.partition.open_document.lists import ITEM, LIST, ListNumbers, SlideNumbers
from indexing.partition.open_document.pictures import mark_of, page_size
from indexing.partition.open_document.repeated_cells import write_out_repeated
from indexing.partition.open_document.signs import write_out_signs
from indexing.partition.open_document.slides import is_title, shapes_in_order, write_out_number
from indexing.partition.open_document.tables import untangle_tables
from indexing.partition.text import document_title
from indexing.partition.unreadable import DocumentUnreadable
from indexing.partition.web.block_builder import PAGE_END, BlockBuilder
from indexing.partition.web.mathml import mathml_text
from indexing.partition.word.pages import WORDS_ON_ONE_PAGE, room_in_words
from indexing.partition.word.room import MAX_WORDS_ON_A_PAGE
from indexing.types import NO_PAGE, Block, Document, Page

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE, DRAW, STYLE, PRESENTATION, CHART = (
    f"{{{_NS}{name}:1.0}}"
    for name in ("office", "text", "table", "drawing", "style", "presentation", "chart")
)
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
FO = f"{{{_NS}xsl-fo-compatible:1.0}}"

MATH = "{http://www.w3.org/1998/Math/MathML}math"

P, H = f"{TEXT}p", f"{TEXT}h"
SPAN = f"{TEXT}span"
SOFT_PAGE_BREAK = f"{TEXT}soft-page-break"

# As HTML calls them; what is not named here is gone through for its content.
TAGS: dict[str, str] = {
    P: "p",
    H: "h1",
    f"{TEXT}list-item": "li",
    f"{TEXT}line-break": "br",
    f"{TABLE}table": "table",
    f"{TABLE}table-row": "tr",
    f"{TABLE}table-cell": "td",
}
BLANKS = {f"{TEXT}s": "\N{NO-BREAK SPACE}", f"{TEXT}tab": " "}
# Comments, deleted text, numbers that change with the page, and what stands for something else.
DROPPED = frozenset(
    [
        *(f"{OFFICE}{name}" for name in ("annotation", "annotation-end", "forms", "binary-data")),
        *(f"{TEXT}{name}" for name in ("tracked-changes", "note-citation", "ruby-text")),
        *(f"{TEXT}{name}" for name in ("page-number", "sequence-decls", "variable-decls")),
        *(f"{DRAW}{name}" for name in ("object-ole", "image")),
        f"{TEXT}user-field-decls",
        f"{TABLE}covered-table-cell",
    ]
)
# Of all pages, of left ones, and of a first one.
RUNNING = [
    f"{{*}}{name}{kind}" for name in ("header", "footer") for kind in ("", "-left", "-first")
]
# What is anchored in a paragraph, and follows it as paragraphs of its own.
ANCHORED = frozenset(
    [
        f"{TEXT}note-body",
        *(f"{DRAW}{name}" for name in ("frame", "custom-shape", "g", "rect", "line", "ellipse")),
    ]
)

# Nobody builds styles so high upon each other; a ring of them has no end.
MAX_PARENT_STYLES = 20

CONTENT, STYLES, META = "content.xml", "styles.xml", "meta.xml"
_OBJECT_CONTENT = re.compile(r"[^/]+/content\.xml")

Element: TypeAlias = etree._Element


def open_odt(path: Path, skip_pages: int = 0) -> Document:
    """Open the text; its pages are those LibreOffice lays out, or it was last laid out in.

    The first `skip_pages` pages are left out, and their pictures not looked at.
    """
    return read_odt(path).document(path, "odt", skip_pages)


def read_odt(path: Path) -> WrittenDocument:
    """Read what the file says, and of its pages what the program that saved it left there."""
    content, styles, objects, title, warning = _read_package(path)
    body = content.find(f".//{OFFICE}text")
    if body is None:
        raise DocumentUnreadable("the file has no text body; save it anew in its own program")
    album = Album(path, page_size([content, styles]))
    styled = [content, styles]
    write_out_signs(body, styled)
    write_out_repeated(body)
    numbers = ListNumbers(styled)
    walk = _Walk(objects, styled, album, numbers)
    running = walk.read_running(styles)
    if body.find(f".//{TABLE}table//{TABLE}table") is not None:
        numbers.count_ahead(body, walk.is_left_out)
        untangle_tables(body)
    walk.read(body)
    pages = walk.close()
    words = [room_in_words(page) for page in pages]
    states_pages = body.get(f"{TEXT}use-soft-page-breaks") == "true"
    # A program that only converts lays out the beginning, and leaves the rest as one page.
    if max(words) <= (MAX_WORDS_ON_A_PAGE if states_pages else WORDS_ON_ONE_PAGE):
        stated = [Page(number, tuple(page)) for number, page in enumerate(pages, start=1)]
    else:
        stated = [Page(NO_PAGE, tuple(joined(pages)))]
    # What such a program leaves in a short text ends pages too early as well.
    has_soft_breaks = next(body.iter(SOFT_PAGE_BREAK), None) is not None
    needs_layout = bool(album) or has_soft_breaks or sum(words) > WORDS_ON_ONE_PAGE
    stated = list(warned(stated, warning))
    return WrittenDocument(title, stated, needs_layout, album, running)


def open_odp(path: Path, skip_pages: int = 0) -> Document:
    """Open the presentation; a slide is a page, and its notes stand on it.

    The first `skip_pages` slides are left out, and their pictures not looked at.
    """
    content, styles, objects, title, warning = _read_package(path)
    album = Album(path, page_size([content, styles]))
    # Of words alone: styles of paragraphs may say that a page begins, which on slides says nothing.
    styled = [
        style
        for part in (content, styles)
        for style in part.iter(f"{STYLE}style")
        if style.get(f"{STYLE}family") == "text"
    ]
    new_walk = partial(_Walk, objects, styled, album, SlideNumbers([content, styles]))
    write_out_repeated(content)
    slides = list(_slides(content.iter(f"{DRAW}page"), new_walk))
    return Document(title, len(slides), album.pages(list(warned(slides, warning)), skip_pages))


class _Walk:
    """Goes through a text and tells a builder of it, page by page."""

    def __init__(
        self,
        objects: Mapping[str, Element],
        styled: list[Element],
        album: Album,
        numbers: ListNumbers | SlideNumbers,
    ) -> None:
        self._objects = objects
        self._page_styles = _page_styles(styled)
        self._numbers = numbers
        self._titles, self._raised = _title_styles(styled), raised_styles(styled)
        self._hidden = _hidden_styles(styled)
        self._album = album
        self._builder = BlockBuilder()
        self._running: list[Block] = []
        self._in_paragraph = False
        self._anchored: list[Element] = []
        self._table_depth = 0
        self._row_depth = 0
        self._page_ends = False
        self._number = ""  # of the item or heading whose text is still to come
        self._is_empty = True  # whether the page has nothing on it yet

    def read(self, element: Element) -> None:
        """Read what stands in the element; XML that is nested deeper than 256 does not parse."""
        if element.tag == SOFT_PAGE_BREAK:
            self._break_page()
        elif self._in_paragraph and element.tag in ANCHORED:
            self._set_aside(element)
        elif element.tag in BLANKS:
            self._write(BLANKS[element.tag])
        elif element.tag in (P, H):
            self._read_paragraph(element)
        elif element.tag == f"{DRAW}object":
            self._read_object(element)
        elif element.tag == f"{DRAW}image":
            self._mark_picture(element)
        elif not self.is_left_out(element):
            self._read_within(element)

    def is_left_out(self, element: Element) -> bool:
        """Tell whether nothing of what stands in the element is read."""
        return element.tag in DROPPED or self._is_hidden(element)

    def read_running(self, styles: Element) -> list[Block]:
        """Read the headers and footers of all kinds of pages, each once."""
        for part in styles.iter(*RUNNING):
            if part.get(f"{STYLE}display") != "false":
                self.read(part)
                self._builder.end_block()
        self._running = list(dict.fromkeys(self._builder.take()))
        # They are no text behind which a page could end.
        self._is_empty = True
        return self._running

    def close(self) -> list[list[Block]]:
        """Return the blocks of each page."""
        self._builder.close()
        pages = [list(self._running)]
        for block in self._builder.take():
            if block is PAGE_END:
                pages.append([])
            else:
                pages[-1].append(block)
        return pages

    def _read_paragraph(self, element: Element) -> None:
        if self._is_hidden(element):
            return
        before, after = self._page_styles.get(element.get(f"{TEXT}style-name", ""), (False, False))
        if before and not self._is_empty:
            self._break_page()
        self._in_paragraph = True
        self._read_within(element)
        self._in_paragraph = False
        if self._number and self._row_depth:  # It says something of its row.
            self._write("")
            self._is_empty = False
        self._number = ""
        anchored, self._anchored = self._anchored, []
        for one in anchored:
            self._read_within(one)
        if after:
            self._break_page()

    def _is_hidden(self, element: Element) -> bool:
        # Sections, variables and fields may say so themselves.
        if element.get(f"{TEXT}display") == "none" or element.get(f"{TEXT}is-hidden") == "true":
            return True
        return element.tag in (P, H, SPAN) and element.get(f"{TEXT}style-name") in self._hidden

    def _set_aside(self, anchored: Element) -> None:
        if formula := self._formula_in(anchored):
            self._write(formula)
        else:
            self._anchored.append(anchored)

    def _read_object(self, element: Element) -> None:
        """Read the figures that a chart is drawn of, or the sheet that is set in."""
        embedded = self._embedded(element)
        if embedded is None:
            return
        if embedded.tag == MATH:
            self._write_paragraph(mathml_text(embedded))
        for title in embedded.iter(f"{CHART}title", f"{CHART}subtitle"):
            self._read_within(title)
        for table in chart_content(embedded):
            self._read_within(table)

    def _embedded(self, element: Element) -> Element | None:
        name = element.get(XLINK_HREF, "").removeprefix("./").rstrip("/")
        return self._objects.get(f"{name}/content.xml")

    def _formula_in(self, frame: Element) -> str:
        """Return the formula that is all there is in the frame: it is a part of its sentence."""
        element = frame.find(f"{DRAW}object")
        embedded = None if element is None else self._embedded(element)
        return "" if embedded is None or embedded.tag != MATH else mathml_text(embedded)

    def _mark_picture(self, image: Element) -> None:
        if mark := mark_of(image, self._album):
            self._write_paragraph(mark)

    def _write_paragraph(self, text: str) -> None:
        self._builder.start("p", {})
        self._builder.data(text)
        self._builder.end("p")
        self._is_empty = False

    def _read_within(self, element: Element) -> None:
        tag = self._tag(element)
        if tag == "table" and not self._table_depth and self._begins_page(element):
            self._break_page()
        self._table_depth += tag == "table"
        self._row_depth += tag == "tr"
        self._start(tag, element)
        if element.tag in (LIST, ITEM):
            self._numbers.enter(element)
        self._take_text(element.text)
        for child in element:
            if isinstance(child.tag, str):
                self.read(child)
            self._take_text(child.tail)
        if tag:
            self._builder.end(tag)
        if element.tag in (LIST, ITEM):
            self._numbers.leave(element)
        self._table_depth -= tag == "table"
        self._row_depth -= tag == "tr"
        if tag == "tr" and not self._row_depth and self._page_ends:
            self._page_ends = False
            self._break_page()

    def _tag(self, element: Element) -> str:
        style = element.get(f"{TEXT}style-name", "")
        if element.tag == P and style in self._titles:
            return "h1"
        if element.tag == SPAN and style in self._raised:
            return "sup"
        return TAGS.get(element.tag, "")

    def _begins_page(self, table: Element) -> bool:
        before, _ = self._page_styles.get(table.get(f"{TABLE}style-name", ""), (False, False))
        return before and not self._is_empty

    def _start(self, tag: str, element: Element) -> None:
        if tag == "td":
            names = {"columns": "colspan", "rows": "rowspan"}
            spans = {
                html: element.get(f"{TABLE}number-{name}-spanned", "1")
                for name, html in names.items()
            }
            names_columns = element.getparent().getparent().tag == f"{TABLE}table-header-rows"
            self._builder.start("th" if names_columns else "td", spans)
        elif tag:
            self._builder.start(tag, {})
        # A page may end before the first words, and a number alone says nothing outside of tables.
        if element.tag in (P, H) and (number := self._numbers.label(element)):
            self._number = f"{number} "

    def _write(self, text: str) -> None:
        self._builder.data(f"{self._number}{text}")
        self._number = ""

    def _take_text(self, text: str | None) -> None:
        # Between the tags of a table or a list there is nothing but line ends.
        if text and self._in_paragraph:
            self._write(text)
            self._is_empty = self._is_empty and not text.strip()

    def _break_page(self) -> None:
        if self._row_depth:
            # A row belongs to the page it begins on.
            self._page_ends = True
        else:
            self._builder.end_page()
            self._is_empty = True


def _read_package(path: Path) -> tuple[Element, Element, dict[str, Element], str, str]:
    """Return the content, the styles, the contents of embedded objects, the title, and a warning.

    It says what of these is damaged, but for the title.
    """
    spoilt: set[str] = set()
    with open_zip(path) as package:
        parts = {
            name: part_bytes(package, name, spoilt)
            for name in package.NameToInfo
            if name in (CONTENT, STYLES, META) or _OBJECT_CONTENT.fullmatch(name)
        }
    warning = mend_parts(parts, CONTENT, spoilt)
    content = parse(parts.pop(CONTENT))
    write_out_forms(content)
    styles, meta = (parse(parts.pop(name, b"<none/>")) for name in (STYLES, META))
    objects = {name: parse(part) for name, part in parts.items()}
    title = meta.findtext(".//{http://purl.org/dc/elements/1.1/}title") or ""
    return content, styles, objects, document_title(title), warning


def _page_styles(parts: list[Element]) -> dict[str, tuple[bool, bool]]:
    """Return for each style whether a page ends before it, and whether one ends behind it."""
    styles = {
        style.get(f"{STYLE}name", ""): style
        for part in parts
        for style in part.iter(f"{STYLE}style")
    }
    return {name: _breaks(style, styles) for name, style in styles.items()}


def _title_styles(parts: list[Element]) -> set[str]:
    """Return the names of the styles of the title and of what is under it."""
    titles = {"Title", "Subtitle"}
    styles = (style for part in parts for style in part.iter(f"{STYLE}style"))
    return titles | {
        style.get(f"{STYLE}name", "")
        for style in styles
        if style.get(f"{STYLE}parent-style-name") in titles
    }


def raised_styles(parts: list[Element]) -> set[str]:
    """Return the names of the styles of what stands above its line."""
    properties = (one for part in parts for one in part.iter(f"{STYLE}text-properties"))
    return {
        one.getparent().get(f"{STYLE}name", "")
        for one in properties
        if re.match("super|[1-9]", one.get(f"{STYLE}text-position", ""))
    }


def _hidden_styles(parts: list[Element]) -> set[str]:
    properties = (one for part in parts for one in part.iter(f"{STYLE}text-properties"))
    return {
        one.getparent().get(f"{STYLE}name", "")
        for one in properties
        if one.get(f"{TEXT}display") == "none"
    }


def _breaks(style: Element, styles: Mapping[str, Element]) -> tuple[bool, bool]:
    begins = bool(style.get(f"{STYLE}master-page-name"))
    before = after = ""
    one: Element | None = style
    for _ in range(MAX_PARENT_STYLES):
        if one is None:
            break
        for properties in one.iterchildren(
            f"{STYLE}paragraph-properties", f"{STYLE}table-properties"
        ):
            before = before or properties.get(f"{FO}break-before", "")
            after = after or properties.get(f"{FO}break-after", "")
        one = styles.get(one.get(f"{STYLE}parent-style-name", ""))
    return begins or before == "page", after == "page"


def _slides(slides: Iterable[Element], new_walk: Callable[[], _Walk]) -> Iterator[Page]:
    for number, slide in enumerate(slides, start=1):
        walk = new_walk()
        notes = slide.find(f"{PRESENTATION}notes")
        write_out_number(slide, number)
        for shape in shapes_in_order(slide):
            if is_title(shape):
                for paragraph in shape.iter(P):
                    paragraph.tag = H
            walk.read(shape)
        if notes is not None:
            walk.read(notes)
        (blocks,) = walk.close()
        yield Page(number, tuple(blocks))
