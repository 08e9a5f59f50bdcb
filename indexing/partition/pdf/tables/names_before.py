"""Name the columns of a table by a header that stands at the end of the page before, without it.

The end of a page may part a table right below its header, or a row or two further down: too few
to be seen as a table there. Word does so if nobody asks it to repeat the header. Only where a table
begins a page without names, and the page before ends with lines of text, both are looked at again.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from statistics import median

import pypdfium2

from indexing.boxes import page_boxes, union
from indexing.partition.blocks import page_text
from indexing.partition.continuation import HIGHEST_END, LOWEST_TOP, first_table, has_values
from indexing.partition.pdf.in_step import alone
from indexing.partition.pdf.letters import page_letters, raw_text
from indexing.partition.pdf.pictures import drawn_objects
from indexing.partition.pdf.placed_lines import PlacedLines
from indexing.partition.pdf.tables.cell_lines import CONTINUATION
from indexing.partition.pdf.tables.cells import Row, cells_of, is_value, rows_of, texts_of, together
from indexing.partition.pdf.tables.columns import Column, columns_seen
from indexing.partition.pdf.tables.distances import distances_of
from indexing.partition.pdf.tables.finding import find_tables
from indexing.partition.pdf.tables.words import PageText
from indexing.partition.pdf.upright import turns_to_upright
from indexing.types import CELL_MARK, Block, BlockKind, Page, PageBox

MIN_COLUMNS = 3  # of words
MIN_COLUMNS_OF_VALUES = 2
MOST_LINES = 8  # of a header and the rows below it, at the end of a page

_DIGITS = re.compile(r"\d+")

Line = tuple[str, int | None]
"""The letters of a line, and how far down the page it stands, in hundredths."""


@dataclass(frozen=True, slots=True)
class _Below:
    """The table at the top of a page."""

    columns: Sequence[Column]
    row_distance: float
    running: frozenset[Line]  # the lines of its page


def with_names_before(
    pdf: pypdfium2.PdfDocument, page: Page, before: Sequence[Block] | None
) -> Page:
    """Return the page, its first table named by what ends the one before, if that is a header.

    Of the page before is given what was read, if it was.
    """
    number = first_table(page.blocks)
    if number is None or page.number == 1 or not _may_lack_names(page.blocks[number]):
        return page
    if before is not None and not _may_end_with_names(before, page.blocks):
        return page
    table = page.blocks[number]
    try:
        names = _names_before(pdf, page.number - 1, table)
    except pypdfium2.PdfiumError:
        return page  # What is damaged is said where it is read.
    if not any(names) or CELL_MARK.join(names) == table.header:
        return page
    rows = "\n".join(filter(None, (table.header, table.text)))
    named = Block(table.kind, rows, CELL_MARK.join(names), (None, *table.line_boxes))
    return replace(page, blocks=(*page.blocks[:number], named, *page.blocks[number + 1 :]))


def _may_lack_names(table: Block) -> bool:
    """Tell whether a table at the top of a page has no header, or one that may as well be a row."""
    around = union(table.line_boxes)
    if around is None or around[1] > LOWEST_TOP:
        return False
    is_of_values = has_values(table)
    if is_of_values and table.header:
        return False
    return _count_columns(table) >= (MIN_COLUMNS_OF_VALUES if is_of_values else MIN_COLUMNS)


def _may_end_with_names(before: Sequence[Block], page: Sequence[Block]) -> bool:
    """Tell whether a page ends with text that is no running foot: the next one has that too."""
    last = itertools.takewhile(lambda one: one.kind is not BlockKind.TABLE, before[::-1])
    lines = {line for block in last for line in _low_lines(block)}
    running = {_plain(line) for block in page for line in block.text.split("\n")}
    return not lines <= running


def _low_lines(block: Block) -> Iterator[str]:
    """Yield the lines at the end of a page, but for their numbers."""
    for line, box in zip(block.text.split("\n"), block.line_boxes, strict=False):
        if box and box[3] > HIGHEST_END:
            yield _plain(line)


def _count_columns(table: Block) -> int:
    return 1 + max(line.count(CELL_MARK) for line in table.text.split("\n"))


def _names_before(pdf: pypdfium2.PdfDocument, index: int, table: Block) -> list[str]:
    with _text_of(pdf, index) as text:
        below = _below(text, table) if text else None
    if below is None:
        return []
    with _text_of(pdf, index - 1) as text:
        return _names_at_end(text, below) if text else []


@contextmanager
def _text_of(pdf: pypdfium2.PdfDocument, index: int) -> Iterator[PageText | None]:
    """Give the text of a page, if it stands upright and is read from the left."""
    with closing(pdf[index]) as page, closing(page.get_textpage()) as textpage:
        raw = raw_text(textpage)
        if turns_to_upright(page, textpage, raw):
            yield None
            return
        placed = PlacedLines.of(page, textpage, page_letters(page, textpage, raw))
        letters, boxes = placed.letters, page_boxes(placed.stand)
        lines = page_text(letters.written).split("\n")
        text = PageText(page, textpage, letters, placed.spans, lines, boxes, placed.size)
        yield None if letters.is_from_right else text


def _below(text: PageText, table: Block) -> _Below | None:
    """Return where the columns of a table stand; None if that is not seen."""
    around = union(table.line_boxes)
    assert around is not None
    rows = _rows(text, around[1], around[3])
    columns = columns_seen([row for row in rows if len(row) > 1])
    if len(columns) != _count_columns(table):
        return None
    labelled = [row for row in rows if row[0][0].left < columns[1].left]
    distances = distances_of(labelled)[1:]
    if not distances:
        return None
    return _Below(columns, median(distances), frozenset(map(_line, text.lines, text.boxes)))


def _names_at_end(text: PageText, below: _Below) -> list[str]:
    """Return the names of columns that end a page, with a row or two at most below them."""
    last: list[Row] = []
    rows = _rows(text, HIGHEST_END, 1, below.running)
    for row in reversed(rows):
        placed = _placed(row, below.columns)
        if not placed or len(last) == MOST_LINES:
            break
        last.insert(0, placed)
    start = next((at for at, row in enumerate(last) if all(row)), None)
    if start is None or any(map(is_value, last[start])):
        return []
    lines = last[start:]
    end = 1
    for distance, line in itertools.islice(zip(distances_of(lines), lines, strict=True), 1, None):
        if line[0] or distance > CONTINUATION * below.row_distance or any(map(is_value, line)):
            break
        end += 1
    of_names = {word.line for row in lines for cell in row for word in cell}
    tables = alone(find_tables(text, lambda: drawn_objects(text.page)))
    if any(not of_names.isdisjoint(table.lines) for table in tables):
        return []
    return texts_of(together(lines[:end]))


def _rows(
    text: PageText, top: float, bottom: float, running: frozenset[Line] = frozenset()
) -> list[Row]:
    """Return the cells of what stands between two heights, as shares of the page."""
    numbers = [
        number
        for number, (line, box) in enumerate(zip(text.lines, text.boxes, strict=True))
        if box and top <= (box[1] + box[3]) / 2 <= bottom and _line(line, box) not in running
    ]
    return list(filter(None, map(cells_of, rows_of(text.words(numbers)))))


def _placed(row: Row, columns: Sequence[Column]) -> Row:
    """Return the cells by column; none if one is over several, or none, or beside another."""
    placed: Row = [[] for _ in columns]
    for cell in row:
        left, right = cell[0].left, cell[-1].right
        over = [n for n, one in enumerate(columns) if left < one.right and one.left < right]
        if len(over) != 1 or placed[over[0]]:
            return []
        placed[over[0]] = cell
    return placed


def _line(line: str, box: PageBox | None) -> Line:
    return _plain(line), round(100 * box[1]) if box else None


def _plain(line: str) -> str:
    return _DIGITS.sub("", line).strip()
