"""Let cells stand below each other whose borders do not quite: rows whose borders were dragged.

Word and browsers make a column of every gap between two borders, however narrow, and a cell spans
several of them in one row and others in the next.
"""

import bisect
from collections.abc import Collection, Sequence

from indexing.partition.merged_cells import Area, Row


def aligned(rows: Sequence[Row], areas: Collection[Area]) -> tuple[list[Row], list[Area]]:
    """Return the rows and their merged cells in as few columns as keep all that is said apart.

    Each cell that says something keeps a column at least, so that none of one row comes to stand
    on another. Where each column has a cell of its own, nothing is moved.
    """
    ends = {first: last[1] for first, last in areas if first[1] < last[1]}
    if not ends:
        return list(rows), list(areas)
    spans = {
        (left, ends.get((at, left), left))
        for at, row in enumerate(rows)
        for left, text in enumerate(row)
        if text
    }
    kept: list[int] = []
    for left, right in sorted(spans, key=lambda span: span[1]):
        if not kept or kept[-1] < left:
            kept.append(right)
    moved = [
        ((top, bisect.bisect_left(kept, left)), (bottom, bisect.bisect_right(kept, right) - 1))
        for (top, left), (bottom, right) in areas
    ]
    return [_moved(row, kept) for row in rows], [one for one in moved if one[0][1] <= one[1][1]]


def _moved(row: Row, kept: Sequence[int]) -> Row:
    moved = [""] * bisect.bisect_left(kept, len(row))
    for column, text in enumerate(row):
        if text:
            moved[bisect.bisect_left(kept, column)] = text
    return moved
