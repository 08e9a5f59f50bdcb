"""Read a PDF page by page: its text layer, and what can only be seen."""

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pypdfium2
import pypdfium2.raw

from indexing.memory import give_back
from indexing.ocr import RecognitionFailed
from indexing.partition.blocks import blocks_of
from indexing.partition.pdf.annotations import MAX_ANNOTATIONS, Typed, typed_onto
from indexing.partition.pdf.attachments import with_attachments
from indexing.partition.pdf.broken_file import is_broken
from indexing.partition.pdf.damage import is_damaged
from indexing.partition.pdf.form_fields import flattened
from indexing.partition.pdf.form_values import Form, form_of
from indexing.partition.pdf.hidden_text import Worth, is_hidden
from indexing.partition.pdf.in_step import Steps, in_step
from indexing.partition.pdf.missing_fonts import stand_in_for_missing_fonts
from indexing.partition.pdf.pictures import (
    Area,
    Drawn,
    covering_picture,
    drawn_objects,
    has_picture,
    has_text,
    holds_pictures,
    page_areas,
    picture_areas,
)
from indexing.partition.pdf.tables.names_before import with_names_before
from indexing.partition.pdf.text_layer import TextLayer, read_text_layer
from indexing.partition.pdf.view import PageView, Seen, lines_not_seen, merged
from indexing.partition.text import document_title
from indexing.types import Block, Document, Page, ReadBy
from indexing.visual_layer import PlacedFigure, on_page, unknown_letters
from indexing.visual_rows import PlacedBlock

MAX_DOUBTED = 100
"""Of so many pages without text, or of a broken file, it is found out whether they are damaged."""

KEPT_PAGES = 250
"""Behind so many pages a document is opened anew, for PDFium keeps things of all that it read."""

DAMAGED = "it is damaged; upload an intact copy"
"""In place of what PDFium says, which is nothing but what it failed to do."""


@dataclass(frozen=True, slots=True)
class _Doubts:
    """Which pages may be damaged."""

    is_broken: bool  # the file: then any of them
    left: Iterator[int]  # how many are still looked through

    def of(self, page: Page) -> bool:
        return (self.is_broken or not page.blocks) and next(self.left, None) is not None


@dataclass(frozen=True, slots=True)
class _Opened:
    """A page that is open."""

    page: pypdfium2.PdfPage
    textpage: pypdfium2.PdfTextPage
    drawn: Callable[[], Drawn]
    typed: Typed


def open_pdf(file: Path | bytes, skip_pages: int = 0, groups: Iterable[int] = ()) -> Document:
    """Open the PDF; every page comes, also one without text, so that the numbers stay exact.

    The first `skip_pages` pages are left out. The texts of the pages of a group, of which each has
    so many, are read in step, which is faster; where one of them ends the process, that is then not
    known of which page. Behind the last group each page is one.
    """
    stand_in_for_missing_fonts()
    pdf = pypdfium2.PdfDocument(file)
    return _document(pdf, _pages(pdf, file, Seen(holds_pictures(file)), skip_pages, groups))


def open_text_layer(file: Path | bytes, skip_pages: int = 0) -> Document:
    """Open the PDF as `open_pdf` does, and look at nothing on its pages."""
    stand_in_for_missing_fonts()
    pdf = pypdfium2.PdfDocument(file)
    return _document(pdf, _pages(pdf, file, None, skip_pages))


def _document(pdf: pypdfium2.PdfDocument, pages: Iterator[Page]) -> Document:
    return Document(document_title(pdf.get_metadata_value("Title")), len(pdf), pages)


def _pages(
    pdf: pypdfium2.PdfDocument,
    file: Path | bytes,
    seen: Seen | None,
    skip_pages: int,
    groups: Iterable[int] = (),
) -> Iterator[Page]:
    sizes = itertools.chain(groups, itertools.repeat(1))
    doubts = _Doubts(seen is not None and is_broken(file), iter(range(MAX_DOUBTED)))
    page_count = len(pdf)
    before: tuple[Block, ...] | None = None
    for start in range(skip_pages, page_count, KEPT_PAGES):
        if start > skip_pages:
            give_back()
            pdf = pypdfium2.PdfDocument(file)
        end = min(start + KEPT_PAGES, page_count)
        with pdf, form_of(pdf, file) as form:
            for group in _groups(start, end, sizes):
                for page in _read_group(pdf, group, form, seen, doubts):
                    read = with_names_before(pdf, page, before)
                    before = read.blocks
                    yield with_attachments(read, pdf) if read.number == page_count else read


def _groups(start: int, end: int, sizes: Iterator[int]) -> Iterator[range]:
    """Yield the groups of these sizes, the last one cut off at the end."""
    while start < end:
        group = range(start, min(start + next(sizes), end))
        yield group
        start = group.stop


def _read_group(
    pdf: pypdfium2.PdfDocument,
    group: range,
    form: Form | None,
    seen: Seen | None,
    doubts: _Doubts,
) -> Iterator[Page]:
    """Yield the pages at these positions; of those in doubt, damage is told.

    Their texts are read in step; what is to be looked at, when the page is due.
    """
    works = [_opened_and_read(pdf, index, form) for index in group]
    for index, text in zip(group, in_step(works), strict=True):
        began = time.perf_counter()
        page = _page(pdf, index, text.made, seen, doubts)
        seconds = text.seconds + time.perf_counter() - began
        yield page if len(group) == 1 else replace(page, seconds=seconds)


def _opened_and_read(
    pdf: pypdfium2.PdfDocument, index: int, form: Form | None
) -> Steps[tuple[_Opened, TextLayer] | None]:
    """Open a page, and read its text; None if it cannot be read."""
    try:
        page, typed = _load(pdf, index, form)
        opened = _Opened(page, page.get_textpage(), _drawn_on(page), typed)
        yield
        layer = yield from read_text_layer(page, opened.textpage, opened.drawn)
    except pypdfium2.PdfiumError:
        return None
    return opened, layer


def _page(
    pdf: pypdfium2.PdfDocument,
    index: int,
    text: tuple[_Opened, TextLayer] | None,
    seen: Seen | None,
    doubts: _Doubts,
) -> Page:
    """Return the page at a position with what is seen on it, and close it."""
    number = index + 1
    unreadable = Page(number, (), warning=f"page {number} cannot be read: {DAMAGED}")
    if text is None:
        return unreadable
    opened, layer = text
    try:
        with closing(opened.page), closing(opened.textpage):
            read = _read(number, opened, layer, seen)
        # The text alone is asked for where a picture may have ended the reader before.
        if seen is not None and doubts.of(read):
            read = _with_damage(read, pdf, is_broken=doubts.is_broken)
        return _with_notes(read, opened.typed)
    except pypdfium2.PdfiumError:
        return unreadable


def _load(
    pdf: pypdfium2.PdfDocument, index: int, form: Form | None
) -> tuple[pypdfium2.PdfPage, Typed]:
    """Return the page, and what was typed onto it."""
    page = pdf[index]
    typed = typed_onto(page)
    # To flatten so many takes a time that grows with their square.
    if not typed.is_cut and (form or typed.is_drawn):
        # What was filled into a form or put onto a page is not in its text until it is flattened.
        page = flattened(pdf, page, index, form)
    return page, typed


def _with_damage(page: Page, pdf: pypdfium2.PdfDocument, *, is_broken: bool) -> Page:
    """Return the page with a warning, if not all that it should be drawn by is there."""
    if page.warning or not is_damaged(pdf, page.number - 1, is_broken=is_broken):
        return page
    lost = "parts of it are lost" if page.blocks else "nothing of it was read"
    warning = f"page {page.number} is damaged, and {lost}; upload an intact copy"
    return replace(page, warning=warning)


def _with_notes(page: Page, typed: Typed) -> Page:
    """Return the page with what was typed onto it, which is last in the file too."""
    if typed.is_cut and not page.warning:
        warning = (
            f"page {page.number} has more than {MAX_ANNOTATIONS:,} notes and form fields, "
            "and not all of them were read"
        )
        page = replace(page, warning=warning)
    notes = typed.notes
    if not notes:
        return page
    read_by = ReadBy.MIXED if page.read_by is ReadBy.OCR else page.read_by
    return replace(page, blocks=(*page.blocks, *notes), read_by=read_by)


def _read(number: int, opened: _Opened, layer: TextLayer, seen: Seen | None) -> Page:
    page, textpage, drawn = opened.page, opened.textpage, opened.drawn
    written = Page(number, layer.blocks)
    is_written = has_text(layer.letters)
    if seen is None or (is_written and not seen.has_pictures and not has_picture(drawn())):
        return written
    try:
        worth = _worth(page, textpage, layer, drawn, seen) if is_written else Worth.WRONG
        if worth is not Worth.WRONG:
            areas = picture_areas(page, textpage, drawn())
        else:
            areas = page_areas(page, drawn(), garbled=layer.is_garbled)
        if not areas:
            return _with_doubt(written) if worth is Worth.DOUBTFUL else written
        seen.figures.begin_page()
        view = PageView(page, areas)
        if worth is not Worth.WRONG:
            read = _with_pictures(written, areas, view, textpage, seen)
        else:
            visible = list(view.read(areas[0], None, seen))
            further = () if is_written else _not_seen(layer, visible)
            read = _as_seen(written, further, visible)
    except (RecognitionFailed, pypdfium2.PdfiumError) as error:
        reason = error if isinstance(error, RecognitionFailed) else DAMAGED
        warning = f"the pictures on page {number} cannot be read: {reason}"
        return replace(written, warning=warning)
    is_lost = layer.is_garbled and not read.blocks
    is_doubtful = view.has_unknown_letters or worth is Worth.DOUBTFUL or is_lost
    return _with_doubt(read) if is_doubtful else read


def _worth(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    layer: TextLayer,
    drawn: Callable[[], Drawn],
    seen: Seen,
) -> Worth:
    """Return what the text of a page is worth, if it lies unseen over the picture of the page."""
    scan = covering_picture(page, drawn()) if is_hidden(textpage, drawn()) else None
    if scan is None or not seen.hidden_texts.need_a_look(layer.letters, scan.size):
        return Worth.KEPT
    return seen.hidden_texts.judge(layer.letters, PageView(page, [scan]).glance(scan))


def _with_doubt(page: Page) -> Page:
    return replace(page, warning=unknown_letters(page.number))


def _drawn_on(page: pypdfium2.PdfPage) -> Callable[[], Drawn]:
    """Return what looks, once, at what is drawn on the page: for many a page nobody asks."""
    found: list[Drawn] = []

    def drawn() -> Drawn:
        if not found:
            found.append(drawn_objects(page))
        return found[0]

    return drawn


def _not_seen(layer: TextLayer, visible: Iterable[PlacedBlock | PlacedFigure]) -> tuple[Block, ...]:
    """Return what little text of the file was not recognised."""
    words = [placed for placed in visible if isinstance(placed, PlacedBlock)]
    kept = lines_not_seen(layer.lines, words)
    return blocks_of([layer.lines[n] for n in kept], [layer.boxes[n] for n in kept])


def _as_seen(
    written: Page, further: tuple[Block, ...], visible: Sequence[PlacedBlock | PlacedFigure]
) -> Page:
    """Return the page as it is seen, with further text of the file behind it."""
    blocks, figures = on_page(one.block if isinstance(one, PlacedBlock) else one for one in visible)
    if not blocks and written.blocks:
        return replace(written, figures=figures)
    read_by = ReadBy.MIXED if further else ReadBy.OCR
    return replace(written, blocks=(*blocks, *further), read_by=read_by, figures=figures)


def _with_pictures(
    written: Page,
    areas: Sequence[Area],
    view: PageView,
    textpage: pypdfium2.PdfTextPage,
    seen: Seen,
) -> Page:
    """Return the page with the text of its pictures where they stand."""
    visible = [placed for area in areas for placed in view.read(area, textpage, seen)]
    if not visible:
        return written
    placed = view.place_text(written.blocks)
    has_words = any(isinstance(one, PlacedBlock) for one in visible)
    read_by = ReadBy.MIXED if has_words else ReadBy.TEXT
    blocks, figures = on_page(merged(placed, visible))
    return replace(written, blocks=blocks, read_by=read_by, figures=figures)
