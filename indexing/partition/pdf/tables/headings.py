"""Tell names that are over several columns from those of single ones, by where they stand."""

from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import Row

MIN_BELOW = 2  # columns
OFF_MIDDLE = 0.15  # of the width of the columns that a name is over


def columns_below(headings: Row, sides: Sequence[tuple[float, float]]) -> Sequence[range]:
    """Return which columns are below each heading; none if not all have as many, and several.

    Of the columns is known where each begins and ends. A heading is above the middle of its own.
    """
    width = len(sides) // max(len(headings), 1)
    if width < MIN_BELOW or width * len(headings) != len(sides):
        return []
    below = [range(first, first + width) for first in range(0, len(sides), width)]
    are_above = all(
        _is_above_middle(heading[0].left + heading[-1].right, sides[one[0]][0], sides[one[-1]][1])
        for heading, one in zip(headings, below, strict=True)
    )
    return below if are_above else []


def _is_above_middle(twice: float, left: float, right: float) -> bool:
    return abs(twice - left - right) <= 2 * OFF_MIDDLE * (right - left)
