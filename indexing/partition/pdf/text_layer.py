"""Read the text of a PDF page that its file holds: its lines in order, its tables and headings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import pypdfium2

from indexing.boxes import page_boxes
from indexing.partition.blocks import blocks_of, page_text
from indexing.partition.pdf.in_step import Steps
from indexing.partition.pdf.labels_apart import with_labels
from indexing.partition.pdf.letters import PageLetters, page_letters, raw_text
from indexing.partition.pdf.line_order import with_lines_in_order
from indexing.partition.pdf.pictures import Drawn
from indexing.partition.pdf.placed_lines import PlacedLines
from indexing.partition.pdf.raised_letters import with_raised
from indexing.partition.pdf.run_on_lines import parted, run_on_lines
from indexing.partition.pdf.tables.finding import find_tables
from indexing.partition.pdf.tables.text_tables import TextTable
from indexing.partition.pdf.tables.words import PageText
from indexing.partition.pdf.torn_lines import are_torn, is_read_downwards, widened_page
from indexing.partition.pdf.unnamed import is_garbled
from indexing.partition.pdf.upright import turned_back, turned_page, turns_to_upright
from indexing.partition.pdf.vertical_text import columns, from_right
from indexing.types import Block, PageBox


@dataclass(frozen=True, slots=True)
class TextLayer:
    """The text of a page in the file."""

    letters: str
    lines: Sequence[str]
    boxes: Sequence[PageBox | None]  # of the lines
    blocks: tuple[Block, ...]
    is_garbled: bool = False  # then nothing of it is kept


def read_text_layer(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, drawn: Callable[[], Drawn]
) -> Steps[TextLayer]:
    """Read the text of the page, step by step; nothing of one that is not what is seen.

    `drawn` tells what is drawn on the page, and is asked only where that may matter.

    Raises:
        PdfiumError: the page cannot be read.
    """
    raw = raw_text(textpage)
    if is_garbled(textpage, raw):
        return TextLayer("", (), (), (), is_garbled=True)
    turns = turns_to_upright(page, textpage, raw)
    if not turns:
        return (yield from _upright_layer(page, textpage, raw, drawn))
    with turned_page(page, turns) as upright:
        layer = yield from _upright_layer(page, upright, raw_text(upright), drawn)
    return _turned_back(layer, turns)


def _upright_layer(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    raw: str,
    drawn: Callable[[], Drawn],
    *,
    may_be_torn: bool = True,
) -> Steps[TextLayer]:
    letters = page_letters(page, textpage, raw)
    yield
    lines = PlacedLines.of(page, textpage, letters)
    run_on = run_on_lines(page, textpage, lines.letters, lines.spans, lines.stand)
    lines = lines.read_as(with_raised(page, textpage, lines.letters, lines.spans, lines.points))
    is_misread = bool(run_on) or are_torn(lines.points)
    if tall := columns(lines.letters.text, lines.spans, lines.points):
        order = from_right(tall, lines.points, len(lines.spans))
        return _vertical_layer(lines.letters, page_boxes(lines.stand), order)
    if may_be_torn and is_misread and is_read_downwards(page, drawn, lines.points):
        with widened_page(page) as whole:
            raw = raw_text(whole)
            return (yield from _upright_layer(page, whole, raw, drawn, may_be_torn=False))
    if run_on:
        lines = lines.read_as(parted(page, textpage, lines.letters, run_on))
    lines = lines.read_as(with_labels(lines.letters, lines.spans, lines.points))
    lines = lines.read_as(with_lines_in_order(lines, drawn))
    yield
    letters, boxes = lines.letters, page_boxes(lines.stand)
    texts = page_text(letters.written).split("\n")
    text = PageText(page, textpage, letters, lines.spans, texts, boxes, lines.size)
    tables = yield from find_tables(text, drawn)
    yield
    blocks = tuple(_with_tables(texts, boxes, tables))
    return TextLayer(letters.text, texts, boxes, blocks)


def _vertical_layer(
    letters: PageLetters, boxes: Sequence[PageBox | None], order: Sequence[int]
) -> TextLayer:
    """Return the text of a page that is written downwards."""
    lines = page_text(letters.written).split("\n")
    lines, boxes = [lines[n] for n in order], [boxes[n] for n in order]
    return TextLayer(letters.text, lines, boxes, blocks_of(lines, boxes))


def _turned_back(layer: TextLayer, turns: int) -> TextLayer:
    """Return what was read of a page that was turned, with its places on the page as it is."""
    boxes = [turned_back(box, turns) for box in layer.boxes]
    blocks = tuple(
        replace(block, line_boxes=tuple(turned_back(box, turns) for box in block.line_boxes))
        for block in layer.blocks
    )
    return replace(layer, boxes=boxes, blocks=blocks)


def _with_tables(
    lines: Sequence[str], boxes: Sequence[PageBox | None], tables: Iterable[TextTable]
) -> Iterator[Block]:
    """Yield the text of the page with the tables in their places."""
    start = 0
    for table in tables:
        end = table.lines.start
        yield from blocks_of(lines[start:end], boxes[start:end], is_above_table=True)
        yield table.block
        start = table.lines.stop
    yield from blocks_of(lines[start:], boxes[start:])
