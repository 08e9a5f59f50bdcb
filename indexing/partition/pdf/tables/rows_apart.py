"""Tell where rows whose cells have several lines are parted, in columns that are known.

The lines of a cell stand nearer to each other than two rows do, and what stands side by side has
its tops, its middles, or its bottoms at one height, in all rows alike.
"""

import bisect
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from indexing.partition.pdf.tables.cells import Cell, Word, height_of, is_value, rows_of
from indexing.partition.pdf.tables.distances import line_distances, middle_of_line

MIN_FIGURES = 2  # side by side, and rows that have some
ALIGNED = 0.3  # of the distance of two lines
FIGURES_ROWS = 0.7  # of the rows have figures, and a label
SEVERAL_LINES = 0.3  # of the rows have more than one
OVERLAP = 1.0  # points
BROKEN = 1.6  # times as high as others is a word that reaches over two lines


class _Cell(NamedTuple):
    """Lines that stand together in a column; in points from the upper left."""

    column: int  # from 1
    top: float
    bottom: float
    middles: tuple[float, float, float]  # of the first line, of all, of the last
    lines: int
    values: int  # how many of the lines are figures


def rows_apart(words: Sequence[Word], ends: Sequence[float]) -> list[float]:
    """Return at which heights the rows of a table are parted; none where this is not sure.

    Of the columns is known where each ends.
    """
    if not words:
        return []
    columns: dict[int, list[Word]] = {}
    for word in unbroken(words):
        columns.setdefault(bisect.bisect(ends, (word.left + word.right) / 2), []).append(word)
    if 1 not in columns:
        return []
    lines = {number: list(rows_of(column)) for number, column in columns.items()}
    if len(lines[1]) < (1 + SEVERAL_LINES / 2) * min(map(len, lines.values())):
        return []
    cells, line = _all_cells(lines)
    if not cells or any(cell.values and cell.lines > 1 for cell in cells):
        return []
    for place in range(3):
        rows = list(_side_by_side(cells, place, ALIGNED * line))
        if _are_rows(rows):
            sides = [(min(c.top for c in row), max(c.bottom for c in row)) for row in rows]
            return [(one[1] + two[0]) / 2 for one, two in itertools.pairwise(sides)]
    return []


def unbroken(words: Sequence[Word]) -> list[Word]:
    """Return the words, and of those that were broken the part on each line."""
    heights = list(map(height_of, words))
    height = median(heights)
    if max(heights) < BROKEN * height:
        return list(words)
    parts: list[Word] = []
    for word in words:
        if word.bottom - word.top < BROKEN * height:
            parts.append(word)
        else:
            middle, other = word.top + height / 2, word.bottom - height / 2
            parts.append(word._replace(bottom=word.top + height, middle=middle))
            parts.append(word._replace(top=word.bottom - height, middle=other))
    return parts


def _all_cells(columns: Mapping[int, Sequence[Cell]]) -> tuple[list[_Cell], float]:
    """Return what stands together in columns of lines, and how far two of these are apart.

    There is nothing where no rows are seen.
    """
    middles = {number: list(map(middle_of_line, lines)) for number, lines in columns.items()}
    line, close = line_distances(middles.values())
    if not line:
        return [], 0.0
    return [
        cell
        for number, lines in columns.items()
        for cell in _cells(number, lines, middles[number], close)
    ], line


def _cells(
    column: int, lines: Sequence[Cell], middles: Sequence[float], close: float
) -> Iterator[_Cell]:
    """Yield the lines of a column that stand together, so high up their middles."""
    start = 0
    for end in range(1, len(lines) + 1):
        if end < len(lines) and middles[end] - middles[end - 1] < close:
            continue
        cell = lines[start:end]
        first, last = middles[start], middles[end - 1]
        top, bottom = min([word.top for word in cell[0]]), max([word.bottom for word in cell[-1]])
        values = sum(map(is_value, cell)) if column > 1 else 0
        yield _Cell(column, top, bottom, (first, (first + last) / 2, last), len(cell), values)
        start = end


def _side_by_side(cells: Iterable[_Cell], place: int, near: float) -> Iterator[list[_Cell]]:
    """Yield the cells that are at one height: by their tops, middles, or bottoms."""
    row: list[_Cell] = []
    for cell in sorted(cells, key=lambda cell: cell.middles[place]):
        if row and cell.middles[place] - row[0].middles[place] > near:
            yield row
            row = []
        row.append(cell)
    yield row


def _are_rows(rows: Sequence[Sequence[_Cell]]) -> bool:
    """Tell whether cells are side by side in rows below each other, mostly figures and a label."""
    if any(len({cell.column for cell in row}) < len(row) for row in rows):
        return False
    for above, row in itertools.pairwise(rows):
        if max(c.bottom for c in above) > min(c.top for c in row) + OVERLAP:
            return False
    named = sum(min(c.column for c in row) == 1 and any(c.values for c in row) for row in rows)
    several = sum(any(c.lines > 1 for c in row) for row in rows)
    fewest = max(MIN_FIGURES, FIGURES_ROWS * len(rows))
    return named >= fewest and several >= SEVERAL_LINES * len(rows)
