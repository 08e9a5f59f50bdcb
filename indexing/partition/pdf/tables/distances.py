"""Tell how far the rows of a table and the lines of its cells stand apart, and out of line."""

import itertools
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import median

from indexing.partition.pdf.tables.cells import Row, Word

FARTHEST = 1.3  # times the least distance of two lines of a cell is another one
APART = 1.12  # times as far as lines of a cell are two rows


def out_of_line(left: float, right: float) -> float:
    """Return how far two things above each other are out of line where they are the least.

    That is at one of their sides or in their middle. Given is by how much these differ, in points.
    """
    return min(abs(left), abs(right), abs(left + right) / 2)


def distance_of(above: Row, below: Row) -> float:
    """Return how far below a row another one stands, in points."""
    return below[0][0].middle - above[0][0].middle


def distances_of(rows: Sequence[Row]) -> list[float]:
    """Return how far below the one before each row is; 0 of the first one."""
    middles = [median([word.middle for cell in row for word in cell]) for row in rows]
    return [0.0, *(below - above for above, below in itertools.pairwise(middles))]


def middle_of_line(line: Sequence[Word]) -> float:
    """Return how high up the middle of most of its words is."""
    return line[0].middle if len(line) == 1 else median([word.middle for word in line])


def line_distances(columns: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return how far two lines of a cell are apart, and how far at most; 0 if no rows are seen.

    Of the lines of each column is known how high up their middles are.
    """
    distances = sorted(
        below - above for middles in columns for above, below in itertools.pairwise(middles)
    )
    farthest = FARTHEST * distances[0] if distances else 0.0
    steps = [(two / one, one, two) for one, two in itertools.pairwise(distances) if one <= farthest]
    step, one, two = max(steps, default=(0.0, 0.0, 0.0))
    return (distances[0], sqrt(one * two)) if step > APART else (0.0, 0.0)
