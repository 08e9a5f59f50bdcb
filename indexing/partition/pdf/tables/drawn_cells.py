"""Tell cells and rows that nothing parts by the order in which the file draws them.

Office programs, browsers and the like draw cell by cell: behind one of several lines, the next one
begins again further up. So rows are known wherever the texts of their cells stand, and however near
to each other the rows are.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from indexing.partition.pdf.tables.cells import Cell, Word, cells_of, line_of
from indexing.partition.pdf.tables.text_lines import as_text

STEP = 0.3  # of the height of the words, or of the distance of two lines
FARTHEST = 3.5  # times the height of the words, from one line of a cell to the next
MIN_COLUMN = 3  # lines


class DrawnCell(NamedTuple):
    """Lines that stand below each other and are drawn so; in points from the upper left."""

    lines: Sequence[Cell]
    left: float
    top: float
    right: float
    bottom: float

    @property
    def first(self) -> float:
        """How high up the middle of its first line is."""
        return self.lines[0][0].middle

    @property
    def last(self) -> float:
        """How high up the middle of its last line is."""
        return self.lines[-1][0].middle

    @property
    def words(self) -> Cell:
        """The words of all lines."""
        return list(itertools.chain.from_iterable(self.lines))


DrawnRow = list[DrawnCell]


def steps_up(words: Sequence[Word]) -> list[tuple[Word, Word]]:
    """Return the words that stand further up than the one before, and behind it, with that one.

    A raised mark begins hardly above the letters before it.
    """
    if not words:
        return []
    _, _, lefts, tops, rights, bottoms, heights, _ = zip(*words, strict=True)
    # Most pages have none, and this is the fastest way to tell.
    sides = zip(tops, tops[1:], bottoms, bottoms[1:], heights, rights, lefts[1:], strict=False)
    return [
        (words[n], words[n + 1])
        for n, (top, next_top, bottom, next_bottom, height, right, left) in enumerate(sides)
        if next_top < top - STEP * height and next_bottom < bottom - STEP * height and left > right
    ]


def drawn_rows(words: Sequence[Word], *, from_right: bool = False) -> list[DrawnRow]:
    """Return the rows of cells in the order in which they are drawn.

    Words that are read from the right are put together line by line: what goes on in the next line
    of a cell may come behind what is beside it.
    """
    rows: list[DrawnRow] = []
    for cell in _cells(words, from_right=from_right):
        row = rows[-1] if rows else []
        if row and cell.left >= row[-1].right and _is_beside(row, cell):
            row.append(cell)
        elif row and (first := _first_lines(row, cell)):
            # What stands below is a text across columns, or begins the next row.
            row.append(drawn_cell(first))
            rows.append([drawn_cell(cell.lines[len(first) :])])
        elif from_right and row and (number := _goes_on_in(row, cell)) is not None:
            row[number] = drawn_cell([*row[number].lines, *cell.lines])
        elif len(row) == 1 and (last := _last_lines(row[0], cell)):
            # What stands above is a text across columns.
            rows[-1] = [drawn_cell(row[0].lines[: -len(last)])]
            rows.append([drawn_cell(last), cell])
        else:
            rows.append([cell])
    return rows


def drawn_cell(lines: Sequence[Cell]) -> DrawnCell:
    """Return the cell that these lines make."""
    if len(lines) == 1 and len(lines[0]) == 1:
        word = lines[0][0]
        return DrawnCell(lines, word.left, word.top, word.right, word.bottom)
    words = itertools.chain.from_iterable(lines)
    _, _, lefts, tops, rights, bottoms, _, _ = zip(*words, strict=True)
    return DrawnCell(lines, min(lefts), min(tops), max(rights), max(bottoms))


def is_proven(row: DrawnRow, line: float) -> bool:
    """Tell whether a cell begins well above the last line of the one before, that is beside it.

    Of as many lines each, all cells may be several rows that are drawn column by column.
    """
    return len({len(cell.lines) for cell in row}) > 1 and any(
        other.first < one.last - STEP * line for one, other in itertools.pairwise(row)
    )


def are_columns(row: DrawnRow) -> bool:
    """Tell whether all cells have as many lines, as columns that are drawn one by one have."""
    counts = {len(cell.lines) for cell in row}
    return len(row) > 1 and len(counts) == 1 and min(counts) >= MIN_COLUMN


def distance_below(above: Cell, line: Cell) -> float:
    """Return how far a line is below another one, whichever letters make them higher or lower."""
    one, other = above[0], line[0]
    return min(other.top - one.top, other.middle - one.middle, other.bottom - one.bottom)


def line_distance(rows: Iterable[DrawnRow]) -> float:
    """Return how far two lines of a cell are apart; 0 if no cell is sure to have two.

    What stands above the first cell, or below the last one, may be of another row.
    """
    distances = [
        distance_below(above, below)
        for row in rows
        for number, cell in enumerate(row[:-1])
        if number or row[1].first < cell.last - STEP * cell.lines[0][0].height
        for above, below in itertools.pairwise(cell.lines)
    ]
    return max(median(distances), 0.0) if distances else 0.0


def row_distance(rows: Iterable[DrawnRow]) -> float:
    """Return how far the first line of a row mostly is below the last one of that above."""
    several = [row for row in rows if len(row) > 1]
    distances = [
        distance_below(
            max(above, key=lambda cell: cell.last).lines[-1],
            min(row, key=lambda cell: cell.first).lines[0],
        )
        for above, row in itertools.pairwise(several)
    ]
    return max(median(distances), 0.0) if distances else 0.0


def _cells(words: Sequence[Word], *, from_right: bool) -> Iterator[DrawnCell]:
    """Yield what stands below each other, and not far, in the order in which it is drawn."""
    lines: list[Cell] = []
    left = right = 0.0
    is_rest = False
    for line in _lines(words):
        if lines and (is_rest or not _is_below(lines[-1], line, left, right)):
            is_back = line[0].line == lines[-1][-1].line and line[0].left < lines[-1][0].left
            is_rest = from_right and is_back
            yield drawn_cell(lines)
            lines = []
        left = min(left, line[0].left) if lines else line[0].left
        right = max(right, line[-1].right) if lines else line[-1].right
        lines.append(line)
    if lines:
        yield drawn_cell(lines)


def _lines(words: Sequence[Word]) -> Iterator[Cell]:
    """Yield the parts of lines that stand together."""
    for _, of_line in itertools.groupby(words, line_of):
        part: list[Word] = []
        for word in of_line:
            if part and word.left < part[-1].left:
                yield from as_text(cells_of(part))
                part = []
            part.append(word)
        yield from as_text(cells_of(part))


def _is_below(above: Cell, line: Cell, left: float, right: float) -> bool:
    """Tell whether a line is below another one, and not far, and over what its cell is over."""
    height = line[0].height
    is_over = left < line[-1].right and line[0].left < right
    return is_over and STEP * height < line[0].middle - above[0].middle < FARTHEST * height


def _is_beside(row: DrawnRow, cell: DrawnCell) -> bool:
    """Tell whether a cell is beside those of a row, or above its only one, a label of many rows."""
    top, bottom = min(one.top for one in row), max(one.bottom for one in row)
    return cell.top < bottom and (top < cell.bottom or len(row) == 1)


def _goes_on_in(row: DrawnRow, cell: DrawnCell) -> int | None:
    """Return the number of the cell that goes on behind those beside it, in the same line."""
    number = cell.lines[0][0].line
    if all(word.line != number for word in row[-1].lines[-1]):
        return None
    line = cell.lines[0]
    below = (n for n, one in enumerate(row) if _is_below(one.lines[-1], line, one.left, one.right))
    return next(below, None)


def _first_lines(row: DrawnRow, cell: DrawnCell) -> Sequence[Cell]:
    """Return the first lines of a cell that is beside a row, if one below them begins before it."""
    end = row[-1].right
    lines = list(itertools.takewhile(lambda one: one[0].left >= end, cell.lines))
    is_part = 0 < len(lines) < len(cell.lines)
    return lines if is_part and _is_beside(row, drawn_cell(lines)) else []


def _last_lines(above: DrawnCell, cell: DrawnCell) -> list[Cell]:
    """Return the last lines of a text that a cell is beside, if those above reach over it."""
    narrow = list(itertools.takewhile(lambda one: one[-1].right <= cell.left, above.lines[::-1]))
    if not narrow or len(narrow) == len(above.lines):
        return []
    lines = [line for line in narrow[::-1] if line[0].bottom > cell.top]
    return lines if lines and _is_beside([drawn_cell(lines)], cell) else []
