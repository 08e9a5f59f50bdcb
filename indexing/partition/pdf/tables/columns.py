"""Tell the columns of a table without ruling lines from where the cells of its rows stand."""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from indexing.partition.pdf.tables.cells import Row

MAX_COLUMNS = 40


class Column(NamedTuple):
    """From where to where a column reaches, in points."""

    left: float
    right: float
    rows: int  # that have it; 0 of one that is told by its name

    def is_between(self, left: float, right: float) -> bool:
        return left < self.left and self.right < right

    def is_over(self, other: "Column") -> bool:
        return self.left < other.right and other.left < self.right

    def joined_with(self, others: Sequence["Column"]) -> "Column":
        lefts, rights, _ = zip(self, *others, strict=True)
        return Column(min(lefts), max(rights), self.rows)


def columns_seen(rows: Sequence[Row]) -> list[Column]:
    """Return the columns of rows; cells that span several make none."""
    cells = itertools.chain.from_iterable(rows)
    widths = [((right := cell[-1].right) - (left := cell[0].left), left, right) for cell in cells]
    # From the left to the right none is over another, so that they are found by halving.
    lefts: list[float] = []
    rights: list[float] = []
    counts: list[int] = []
    for _, left, right in sorted(widths, key=itemgetter(0)):
        first, end = bisect_right(rights, left), bisect_left(lefts, right)
        if end <= first:
            lefts.insert(first, left)
            rights.insert(first, right)
            counts.insert(first, 1)
            if len(counts) > MAX_COLUMNS:
                return []
        elif end - first == 1:
            if left < lefts[first]:
                lefts[first] = left
            if right > rights[first]:
                rights[first] = right
            counts[first] += 1
    return list(map(Column, lefts, rights, counts))
