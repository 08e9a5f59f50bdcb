"""The order in which a person reads what stands on a slide."""

from collections.abc import Iterable
from operator import itemgetter
from typing import TypeVar

SIDE_BY_SIDE = 0.02
"""Of the height of a slide: as little apart begin shapes that are meant to stand beside each other,
for they are moved by hand."""

Shape = TypeVar("Shape")


def in_reading_order(placed: Iterable[tuple[float, float, Shape]], height: float) -> list[Shape]:
    """Return what begins at places, left and top, row by row, on a slide so high."""
    rows: list[list[tuple[float, float, Shape]]] = []
    for one in sorted(placed, key=itemgetter(1)):
        if not rows or one[1] - rows[-1][0][1] > SIDE_BY_SIDE * height:
            rows.append([])
        rows[-1].append(one)
    return [shape for row in rows for _, _, shape in sorted(row, key=itemgetter(0))]
