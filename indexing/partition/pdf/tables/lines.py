"""Lines of words on a PDF page, of the cells that are seen in each, and the columns these fill."""

import bisect
import itertools
from collections.abc import Iterable, Sequence
from math import inf
from statistics import median
from typing import NamedTuple

from indexing.partition.pdf.tables.cells import (
    Cell,
    Row,
    Word,
    cells_of,
    is_value,
    middle_of,
    plain_text,
    rows_of,
)
from indexing.partition.pdf.tables.edges import Edge, reaches_over

GAP = 0.4  # of the height of the words, between two cells; the space between words is less
OVER = 1.0  # points, by which a word may reach into the next column
LONG_PROSE = 22  # characters


class Line(NamedTuple):
    """What stands side by side; in points from the upper left."""

    cells: Row
    middle: float  # of most words; one that was broken may reach over two lines
    top: float
    bottom: float


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Return the lines that words make, from the top."""
    lines = []
    for row in rows_of(words):
        if cells := cells_of(row, GAP):
            middle = median(map(middle_of, row))
            top, bottom = min([word.top for word in row]), max([word.bottom for word in row])
            lines.append(Line(cells, middle, top, bottom))
    return lines


def between(lines: Iterable[Line], top: float, bottom: float) -> list[Line]:
    """Return the lines between two heights."""
    return [line for line in lines if top < line.middle < bottom]


def column_of(cell: Cell, edge: Edge) -> int:
    """Return the number of the column that the cell stands in, from 1."""
    return bisect.bisect(edge.ends, (cell[0].left + cell[-1].right) / 2)


def columns_of(cells: Iterable[Cell], edge: Edge) -> set[int]:
    """Return which columns the cells stand in."""
    return {column_of(cell, edge) for cell in cells}


def runs_over(line: Line, end: float) -> bool:
    """Tell whether a cell reaches over a place."""
    return any(cell[0].left < end - OVER and cell[-1].right > end + OVER for cell in line.cells)


def crosses(line: Line, edge: Edge, parts: Sequence[Edge] = ()) -> bool:
    """Tell whether a cell reaches over the end of a column, other than a heading over several.

    `parts` are edges below the line, across some of the columns.
    """
    return any(
        runs_over(line, end) and not any(reaches_over(part, end, edge) for part in parts)
        for end in edge.ends[1:-1]
    )


def has_figures(lines: Iterable[Line]) -> bool:
    """Tell whether cells behind the first hold figures."""
    return any(is_value(cell) for line in lines for cell in line.cells[1:])


def has_figures_beside(line: Line, edge: Edge) -> bool:
    """Tell whether a column has two figures side by side: there are more columns than rules."""
    figures = [cell for cell in line.cells if is_value(cell)]
    return len(columns_of(figures, edge)) < len(figures)


def has_figures_below(lines: Sequence[Line], edge: Edge) -> bool:
    """Tell whether a column has figures on two lines, as those of several rows are."""
    figures = [columns_of(filter(is_value, line.cells[1:]), edge) for line in lines]
    return any(one & other for one, other in itertools.pairwise(figures))


def is_text(rows: Iterable[Sequence[Line]], edge: Edge) -> bool:
    """Tell whether what may be rows is text in columns, or a list with marks before its items."""
    by_column: dict[int, list[int]] = {}
    for line in itertools.chain.from_iterable(rows):
        for cell in line.cells:
            by_column.setdefault(column_of(cell, edge), []).append(len(plain_text(cell)))
    long = sum(median(lengths) >= LONG_PROSE for lengths in by_column.values())
    return long > 1 or max(by_column[min(by_column)]) == 1


def goes_on_in_one_column(lines: Sequence[Line], edge: Edge) -> bool:
    """Tell whether only a cell behind the first has more lines than one: no row is below names."""
    columns = {column for line in lines[1:] for column in columns_of(line.cells, edge)}
    return len(columns) == 1 and 1 not in columns


def has_words(lines: Iterable[Line], left: float, right: float) -> bool:
    """Tell whether the middle of a word is between two places."""
    words = (word for line in lines for cell in line.cells for word in cell)
    return any(left < (word.left + word.right) / 2 < right for word in words)


def is_one_cell(lines: Iterable[Line], part: Edge) -> bool:
    """Tell whether each line has one cell at most above, or below, an edge."""
    left, right = 2 * part.left, 2 * part.right
    return all(
        sum(left < cell[0].left + cell[-1].right < right for cell in line.cells) < 2
        for line in lines
    )


def least_distance(lines: Iterable[Line], edge: Edge) -> float:
    """Return the least distance of lines below each other in a column."""
    last: dict[int, float] = {}
    least = inf
    for line in lines:
        for column in columns_of(line.cells, edge):
            least = min(least, line.middle - last.get(column, -inf))
            last[column] = line.middle
    return least
