"""Find the tables in the text of a PDF page, by where its words stand.

The lines of the page stay as they are until a cheap sign says that some may be the rows of a table:
figures at their end, wide gaps, lines side by side. Only of these the words are looked for.
"""

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pypdfium2

from indexing.boxes import Shares, page_boxes
from indexing.partition.blocks import line_spans
from indexing.partition.pdf_boxes import Span, places
from indexing.partition.pdf_columns import (
    FIGURES_GAP,
    Cell,
    Table,
    Word,
    cell_text,
    header_of,
    is_leader,
    tables_of,
    together,
)
from indexing.partition.pdf_rules import Grid, find_grids
from indexing.partition.tables import table_with_header
from indexing.types import Block, PageBox

MIN_SIGNS = 2
MAX_WORDS = 6000
"""A page with more in what may be tables is left as lines."""

MAX_LINES = 2000
WIDE = 0.52
"""A line has gaps when its letters take more than this of its height, each."""

MIN_WIDE_CHARACTERS = 8
MAX_LINES_BETWEEN = 3
MAX_LINES_ABOVE = 12
LONGEST_LINE = 180
COLUMN_JUMP = 3.0  # times the height of a line
LONGEST_GRID_CELL = 600
GRID_FILLED = 0.4
MIN_GRID_CELLS = 4

_FIGURE = r"[$€£¥(+–—-]{0,3} ?(?:\d[\d.,]*|[–—-])[)%]{0,2}"
_FIGURES_AT_END = re.compile(rf"(?:^|\s){_FIGURE} (?:[$€£¥] )?{_FIGURE}(?: %| \))?$")
_WORD = re.compile(r"\S+")
_ALONE = re.compile("[.·…]+|[$€£¥()%—–-]+")


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table, and the lines of the page's text that it takes the place of."""

    lines: range
    block: Block


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a page and where its lines stand."""

    page: pypdfium2.PdfPage
    textpage: pypdfium2.PdfTextPage
    raw: str
    spans: Sequence[Span]  # of its lines
    lines: Sequence[str]
    boxes: Sequence[PageBox | None]
    size: tuple[float, float]  # of the page as it is displayed, in points

    def words(self, numbers: Iterable[int]) -> list[Word]:
        """Return the words of these lines, in points; none if the place of one is not known.

        Those that stand together as in a sentence come as one.
        """
        found = [
            (*word.span(), number)
            for number in numbers
            for word in _WORD.finditer(self.raw, *self.spans[number])
        ]
        if not found or len(found) > MAX_WORDS:
            return []
        starts, ends, lines = zip(*found, strict=True)
        spans = list(zip(starts, ends, strict=True))
        stand = places(self.page, self.textpage, self.raw, spans) * (self.size * 2)
        if np.isnan(stand).any():
            return []
        firsts = self._firsts(stand, spans, np.array(lines))
        lasts = np.append(firsts[1:], len(found)) - 1
        around = np.concatenate(
            [
                np.minimum.reduceat(stand[:, :2], firsts),
                np.maximum.reduceat(stand[:, 2:], firsts),
            ],
            axis=1,
        ).tolist()
        return [
            Word(self.raw[starts[first] : ends[last]], lines[first], *box)
            for first, last, box in zip(firsts.tolist(), lasts.tolist(), around, strict=True)
        ]

    def _firsts(
        self, stand: Shares, spans: Sequence[Span], lines: npt.NDArray[np.int_]
    ) -> npt.NDArray[np.int_]:
        """Return which words do not stand right behind the one before, as in a sentence."""
        lefts, tops, rights, bottoms = stand.T
        heights = bottoms - tops
        near = FIGURES_GAP * np.minimum(heights[1:], heights[:-1])
        is_first = (
            (lines[1:] != lines[:-1])
            | (lefts[1:] - rights[:-1] > near)
            | (lefts[1:] < lefts[:-1])
            | (np.abs(tops[1:] + bottoms[1:] - tops[:-1] - bottoms[:-1]) > 2 * near)
        )
        alone = [n for n, span in enumerate(spans) if _ALONE.fullmatch(self.raw, *span)]
        firsts = np.append(True, is_first)
        firsts[alone] = True
        firsts[[n + 1 for n in alone if n + 1 < len(spans)]] = True
        return np.flatnonzero(firsts)


def find_tables(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    raw: str,
    lines: Sequence[str],
    boxes: Sequence[PageBox | None],
) -> list[TextTable]:
    """Return the tables of the page in the order of its lines.

    `raw` is the text as PDFium returns it, `lines` are those of its `page_text`, and `boxes` say
    where they stand.
    """
    if len(lines) > MAX_LINES:
        return []
    size = page.get_size()
    signs = _signs(lines, boxes, size[0] / size[1])
    if sum(signs) < MIN_SIGNS:
        return []
    text = _Text(page, textpage, raw, line_spans(raw), lines, boxes, size)
    ruled: list[TextTable] = []
    taken: set[int] = set()
    # Of a grid within a grid the larger one is the table.
    for table in sorted(_ruled(text), key=lambda table: len(table.lines), reverse=True):
        if taken.isdisjoint(table.lines):
            ruled.append(table)
            taken.update(table.lines)
    runs = [run for run in _runs(text, signs) if taken.isdisjoint(run)]
    words = text.words(number for run in runs for number in run)
    found = [table for run in runs for table in _borderless(text, run, words)]
    return sorted([*ruled, *found], key=lambda table: table.lines.start)


def _signs(lines: Sequence[str], boxes: Sequence[PageBox | None], shape: float) -> list[bool]:
    """Tell of each line whether it may be the row of a table, or a part of one.

    `shape` is the width of the page as a share of its height.
    """
    signs = [False] * len(lines)
    above: PageBox | None = None
    for number, (line, box) in enumerate(zip(lines, boxes, strict=True)):
        if box is None:
            continue
        left, top, right, bottom = box
        has_gaps = (right - left) * shape > WIDE * (bottom - top) * len(line)
        signs[number] = (has_gaps and len(line) >= MIN_WIDE_CHARACTERS) or (
            _FIGURES_AT_END.search(line) is not None
        )
        if above is not None and _side_by_side(above, box):
            signs[number] = signs[number - 1] = True
        above = box
    return signs


def _side_by_side(one: PageBox, other: PageBox) -> bool:
    lower = min(one[3] - one[1], other[3] - other[1])
    shared = min(one[3], other[3]) - max(one[1], other[1])
    return shared > lower / 2 and (one[2] <= other[0] or other[2] <= one[0])


def _runs(text: _Text, signs: Sequence[bool]) -> Iterator[range]:
    """Yield the runs of lines that may hold a table, with the short lines above and between."""
    start = end = 0
    at = 0
    while at < len(signs):
        if not signs[at]:
            at += 1
            continue
        start = at
        while start > end and at - start < MAX_LINES_ABOVE and _goes_on(text, start - 1):
            start -= 1
        last, count = at, 1
        at += 1
        while at < len(signs) and at - last <= MAX_LINES_BETWEEN + 1 and _goes_on(text, at - 1):
            if signs[at]:
                last, count = at, count + 1
            at += 1
        end = last + 1
        if end < len(signs) and not signs[end] and _goes_on(text, last):
            end += 1
        if count >= MIN_SIGNS:
            yield range(start, end)
        at = max(at if at < len(signs) and signs[at] else last + 1, end)


def _goes_on(text: _Text, number: int) -> bool:
    """Tell whether the line below this one may belong to the same table."""
    one, other = text.boxes[number], text.boxes[number + 1]
    if one is None or other is None:
        return False
    is_short = max(len(text.lines[number]), len(text.lines[number + 1])) <= LONGEST_LINE
    height = max(one[3] - one[1], other[3] - other[1])
    return is_short and one[1] - other[1] < COLUMN_JUMP * height


def _borderless(text: _Text, run: range, words: Sequence[Word]) -> Iterator[TextTable]:
    start, end = (bisect.bisect_left(words, at, key=_line_of) for at in (run.start, run.stop))
    words = words[start:end]
    for table in tables_of(words):
        yield from _in_text(text, table, words)


def _ruled(text: _Text) -> Iterator[TextTable]:
    width, height = text.size
    for grid in find_grids(text.page):
        within = [
            number
            for number, box in enumerate(text.boxes)
            if box is not None
            and grid.holds((box[0] + box[2]) / 2 * width, (box[1] + box[3]) / 2 * height)
        ]
        words = text.words(within)
        table = _in_grid(grid, words)
        if table is not None:
            yield from _in_text(text, table, words)


def _in_grid(grid: Grid, words: Sequence[Word]) -> Table | None:
    """Return the words in the cells of the grid, if these are filled like those of a table."""
    cells: dict[tuple[float, float], Cell] = {}
    middles = np.array([((word.left + word.right) / 2, word.middle) for word in words])
    for word, place in zip(words, grid.cells_at(*middles.reshape(-1, 2).T), strict=True):
        cells.setdefault(place, []).append(word)
    tops, lefts = ({place[side] for place in cells} for side in (0, 1))
    fewest = max(MIN_GRID_CELLS, GRID_FILLED * len(tops) * len(lefts))
    longest = max((sum(len(word.text) for word in cell) for cell in cells.values()), default=0)
    if min(len(tops), len(lefts)) < 2 or len(cells) < fewest or longest > LONGEST_GRID_CELL:
        return None
    rows = [[cells.get((top, left), []) for left in sorted(lefts)] for top in sorted(tops)]
    count = header_of(rows)
    return Table(together(rows[:count]), rows[count:])


def _in_text(text: _Text, table: Table, words: Sequence[Word]) -> Iterator[TextTable]:
    """Yield the table with its lines, if it is made of all their words and of no others."""
    rows = [table.header, *table.rows] if table.header else table.rows
    of_table = {id(word): word.line for row in rows for cell in row for word in cell}
    numbers = set(of_table.values())
    lines = range(min(numbers), max(numbers) + 1)
    left_over = (word.line for word in words if id(word) not in of_table and not is_leader(word))
    if not numbers.isdisjoint(left_over) or any(
        text.lines[number] for number in lines if number not in numbers
    ):
        return
    texts = [[cell_text(cell) for cell in row] for row in rows]
    names = texts.pop(0) if table.header else ()
    block = table_with_header(names, texts)
    around = np.array([_around([word for cell in row for word in cell]) for row in rows])
    boxes = page_boxes(around / (text.size * 2))
    yield TextTable(lines, replace(block, line_boxes=tuple(boxes)))


def _line_of(word: Word) -> int:
    return word.line


def _around(words: Sequence[Word]) -> tuple[float, float, float, float]:
    return (
        min(word.left for word in words),
        min(word.top for word in words),
        max(word.right for word in words),
        max(word.bottom for word in words),
    )
