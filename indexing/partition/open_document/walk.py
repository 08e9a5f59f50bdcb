"""Go through the text of an OpenDocument, or of one of its slides, and build its blocks."""

from collections.abc import Mapping

from indexing.partition.office.package_xml import Element
from indexing.partition.office.pictures import Album
from indexing.partition.open_document.charts import chart_content
from indexing.partition.open_document.lists import ListNumbers, SlideNumbers
from indexing.partition.open_document.names import (
    CELL,
    CHART,
    DRAW,
    ITEM,
    LIST,
    OFFICE,
    ROW,
    SPAN,
    STYLE,
    TABLE,
    TEXT,
    XLINK_HREF,
    H,
    P,
)
from indexing.partition.open_document.pictures import mark_of
from indexing.partition.open_document.styles import (
    hidden_styles,
    page_styles,
    raised_styles,
    title_styles,
)
from indexing.partition.web.block_builder import PAGE_END, BlockBuilder
from indexing.partition.web.mathml import mathml_text
from indexing.types import Block

MATH = "{http://www.w3.org/1998/Math/MathML}math"
SOFT_PAGE_BREAK = f"{TEXT}soft-page-break"

# As HTML calls them; what is not named here is gone through for its content.
TAGS: dict[str, str] = {
    P: "p",
    H: "h1",
    ITEM: "li",
    f"{TEXT}line-break": "br",
    f"{TABLE}table": "table",
    ROW: "tr",
    CELL: "td",
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


class Walk:
    """Goes through a text and tells a builder of it, page by page."""

    def __init__(
        self,
        objects: Mapping[str, Element],
        styled: list[Element],
        album: Album,
        numbers: ListNumbers | SlideNumbers,
    ) -> None:
        self._objects = objects
        self._page_styles = page_styles(styled)
        self._numbers = numbers
        self._titles, self._raised = title_styles(styled), raised_styles(styled)
        self._hidden = hidden_styles(styled)
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
