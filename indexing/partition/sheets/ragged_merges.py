"""Let the merged cells of a sheet stand below each other that do not quite.

Programs that export a report, and people who lay out a form on a grid of narrow columns, merge
some columns in one row and others in the next.
"""

import bisect
from collections.abc import Collection, Mapping, Sequence

from indexing.partition.merged_cells import Area, Row
from indexing.partition.tables import filled

MAX_COLUMNS = 200
"""A wider cell is merged for its looks, be it a title or a line."""


def without_shared_columns(
    rows: list[Row], areas: Sequence[Area]
) -> tuple[list[Row], Sequence[Area]]:
    """Return the rows and their merged cells without columns in which no cell stands alone.

    Each cell keeps one column at least, and columns that part two tables stay.
    """
    ends = {first: last[1] for first, last in areas if first[1] < last[1]}
    shared = _shared(rows, ends)
    if not shared:
        return rows, areas
    kept = [n for n in range(max(map(len, rows), default=0)) if n not in shared]
    for left, right in sorted({(first[1], end) for first, end in ends.items()}, key=_end):
        at = bisect.bisect_left(kept, left)
        if at == len(kept) or kept[at] > right:
            kept.insert(at, right)
            shared.discard(right)
    moved = [_moved(row, kept, shared) for row in rows]
    if sum(map(filled, moved)) < sum(map(filled, rows)):
        return rows, areas  # Beneath merged cells stand values that nobody sees.
    return moved, [
        ((top, bisect.bisect_left(kept, left)), (bottom, bisect.bisect_right(kept, right) - 1))
        for (top, left), (bottom, right) in areas
    ]


def _shared(rows: Sequence[Row], ends: Mapping[tuple[int, int], int]) -> set[int]:
    """Return the columns in which stand parts of merged cells beside others, and nothing else."""
    shared: set[int] = set()
    tops = {top for top, _ in ends if top < len(rows)}
    not_alone = {top for top in tops if filled(rows[top]) > 1}
    for (top, left), right in ends.items():
        if right - left < MAX_COLUMNS and top in not_alone:
            shared.update(range(left, right + 1))
    for at, row in enumerate(rows):
        if not shared:
            break
        alone = [n for n in shared if n < len(row) and row[n] and (at, n) not in ends]
        shared.difference_update(alone)
    return shared


def _moved(row: Row, kept: Sequence[int], dropped: Collection[int]) -> Row:
    moved = [row[n] for n in kept[: bisect.bisect_left(kept, len(row))]]
    for column in sorted(dropped):
        if column < len(row) and row[column]:
            at = bisect.bisect_left(kept, column)
            moved += [""] * (at + 1 - len(moved))
            moved[at] = moved[at] or row[column]
    return moved


def _end(span: tuple[int, int]) -> int:
    return span[1]
