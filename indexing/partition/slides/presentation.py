"""Read PowerPoint presentations through Unstructured, and the pictures in them."""

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import pptx
from lxml import etree
from pptx.exc import PythonPptxError
from pptx.parts.chart import ChartPart
from pptx.parts.slide import SlidePart
from pptx.slide import NotesSlide, Slide
from pptx.text.text import TextFrame

from indexing.partition.office.charts import chart_tables, chart_titles
from indexing.partition.office.damaged_parts import warned
from indexing.partition.office.diagrams import settle_points
from indexing.partition.office.package_xml import parse
from indexing.partition.office.pictures import Album, parted_at_marks
from indexing.partition.office.powers import sign_drawn_powers
from indexing.partition.office.unstructured_parts import Element, Title, slide_elements
from indexing.partition.slides.formulas import write_out_formulas
from indexing.partition.slides.masters import write_out_masters
from indexing.partition.slides.numbers import write_out_numbers
from indexing.partition.slides.pictures import mark_pictures
from indexing.partition.slides.shapes import settle_order
from indexing.partition.slides.slide_numbers import leave_out_slide_numbers
from indexing.partition.slides.tables import write_out_tables
from indexing.partition.tables import table_with_header
from indexing.partition.text import clean_text
from indexing.partition.word.document import (
    Tables,
    blocks_of,
    read_parts,
    stated_title,
    tables_of,
    write_package,
)
from indexing.partition.word.pictures import EMU_PER_POINT
from indexing.types import Block, BlockKind, Document, Page

PPTX_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

# The picture of the slide, and what all pages of notes have in common.
_OF_A_NOTES_PAGE = ("sldImg", "hdr", "ftr", "dt", "sldNum")

# What the libraries let out when a slide is not as they expect.
_UNEXPECTED = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError),
    *(ValueError, etree.LxmlError, PythonPptxError),
)

IS_GONE = "slide {} is not in the file, or damaged"
WORDS_ALONE = "slide {} is not made as PowerPoint makes it: only its words were read"
NOT_ALL = "not all of the charts, diagrams and notes of slide {} can be read"


@dataclass(slots=True)
class _Slide:
    """A slide, as far as it can be read."""

    number: int
    slide: Slide | None  # None if there is none
    elements: list[Element]
    words: list[Block]  # in place of the elements
    warning: str = ""


@dataclass(frozen=True, slots=True)
class _Deck:
    """What the slides have in common."""

    sheet: tuple[int, int]  # its size
    album: Album
    backdrops: set[str]  # whose pictures a slide has shown
    masters: set[str]  # the same of their texts


def open_pptx(path: Path, skip_pages: int = 0) -> Document:
    """Open the presentation; a slide is a page, and its notes stand on it.

    The first `skip_pages` slides are left out, and their pictures not looked at. One that cannot be
    read costs no other.
    """
    _, parts, warning = read_parts(path, PPTX_TYPE)
    presentation = pptx.Presentation(write_package(parts))
    sheet = _size_of(presentation)
    deck = _Deck(sheet, Album(path, sheet[0] * sheet[1] / EMU_PER_POINT**2), set(), set())
    ids = [one.get(f"{_R}id", "") for one in presentation.element.iter(f"{_P}sldId")]
    if warning and not ids:
        ids = _named_by_parts(presentation)
    slides = [
        _read(_related_slide(presentation, slide_id), number, deck)
        for number, slide_id in enumerate(ids, start=1)
    ]
    tables = tables_of(itertools.chain.from_iterable(one.elements for one in slides))
    pages = warned((_page(one, tables) for one in slides), warning)
    return Document(stated_title(parts), len(slides), deck.album.pages(pages, skip_pages))


def _named_by_parts(presentation: pptx.presentation.Presentation) -> list[str]:
    """Return the slides of a presentation whose list of them is damaged, as they are numbered."""
    related = presentation.part.rels.values()
    slides = [
        one for one in related if not one.is_external and isinstance(one.target_part, SlidePart)
    ]
    return [one.rId for one in sorted(slides, key=lambda one: one.target_part.partname.idx or 0)]


def _size_of(presentation: pptx.presentation.Presentation) -> tuple[int, int]:
    with contextlib.suppress(ValueError):  # no numbers
        return presentation.slide_width or 0, presentation.slide_height or 0
    return 0, 0


def _related_slide(presentation: pptx.presentation.Presentation, slide_id: str) -> Slide | None:
    try:
        slide: Slide = presentation.part.related_slide(slide_id)
    except _UNEXPECTED:
        return None
    return slide if isinstance(slide, Slide) else None


def _read(slide: Slide | None, number: int, deck: _Deck) -> _Slide:
    if slide is None:
        return _Slide(number, None, [], [], IS_GONE.format(number))
    try:
        return _Slide(number, slide, _elements(slide, deck), [])
    except _UNEXPECTED:
        paragraphs = slide._element.iter(f"{_A}p")
        words = list(itertools.chain.from_iterable(map(_words_of, paragraphs)))
        return _Slide(number, slide, [], words, WORDS_ALONE.format(number))


def _elements(slide: Slide, deck: _Deck) -> list[Element]:
    leave_out_slide_numbers(slide.shapes._spTree)
    sign_drawn_powers(slide.shapes._spTree)
    write_out_formulas(slide.shapes._spTree)
    write_out_numbers(slide.shapes._spTree)
    write_out_masters(slide, deck.masters)
    mark_pictures(slide, deck.sheet, deck.album, deck.backdrops)
    write_out_tables(slide.shapes)
    settle_order(slide, deck.sheet[1])
    return slide_elements(slide)


def _words_of(paragraph: etree._Element) -> Iterator[Block]:
    words = "".join(text.text or "" for text in paragraph.iter(f"{_A}t"))
    for block in _text_blocks(words):
        yield from parted_at_marks(block)


def _page(read: _Slide, tables: Tables) -> Page:
    blocks = [*blocks_of(read.elements, tables, _is_slide_title), *read.words]
    warnings = [read.warning] if read.warning else []
    if read.slide is not None:
        try:
            for block in _further_blocks(read.slide):
                blocks.append(block)  # What is read stays, whatever follows.
        except _UNEXPECTED:
            warnings.append(NOT_ALL.format(read.number))
    return Page(read.number, tuple(blocks), warning="; ".join(warnings))


def _is_slide_title(element: Element) -> bool:
    # On a slide any short text passes for a title, but only the real one has depth 0.
    return isinstance(element, Title) and element.metadata.category_depth == 0


def _further_blocks(slide: Slide) -> Iterator[Block]:
    """Read what Unstructured does not: charts and diagrams, and the notes, last on their slide."""
    for relation in slide.part.rels.values():
        if relation.is_external:
            continue
        part = relation.target_part
        if isinstance(part, ChartPart) or relation.reltype.endswith("/chartEx"):
            yield from _chart_blocks(parse(part.blob))
        elif relation.reltype.endswith("/diagramData"):
            diagram = parse(part.blob)
            settle_points(diagram)
            sign_drawn_powers(diagram)
            texts = diagram.iter(f"{_A}p")
            lines = ["".join(run.text or "" for run in text.iter(f"{_A}t")) for text in texts]
            yield from _text_blocks("\n".join(filter(None, lines)))
    if slide.has_notes_slide:
        yield from _notes(slide.notes_slide)


def _notes(page: NotesSlide) -> Iterator[Block]:
    """Read the notes, and the text boxes that were set beside them on their page."""
    texts: list[tuple[bool, str]] = []
    sign_drawn_powers(page.shapes._spTree)
    for shape in page.shapes._spTree.iter(f"{_P}sp"):
        body, place = shape.find(f"{_P}txBody"), shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
        is_of_the_page = place is not None and place.get("type") in _OF_A_NOTES_PAGE
        # A text of fields alone is the number of the slide, or a date.
        if body is not None and body.find(f".//{_A}r") is not None and not is_of_the_page:
            texts.append((place is None, TextFrame(body, page).text))
    for _, text in sorted(texts, key=itemgetter(0)):
        yield from _text_blocks(text)


def _chart_blocks(chart: etree._Element) -> Iterator[Block]:
    for title in chart_titles(chart):
        yield from _text_blocks(title)
    for table in chart_tables(chart):
        yield table_with_header(table.header, table.rows)


def _text_blocks(text: str) -> Iterator[Block]:
    cleaned = clean_text(text).strip()
    if cleaned:
        yield Block(BlockKind.TEXT, cleaned)
