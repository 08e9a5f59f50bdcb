"""Put cells of several lines into their rows that are drawn behind all those of one line.

So LibreOffice prints sheets: cells of one line row by row, and then those of several lines.
"""

import itertools
from collections.abc import Iterator, Sequence
from statistics import median

from indexing.partition.pdf.tables.drawn_cells import DrawnCell, DrawnRow, distance_below
from indexing.partition.pdf.tables.drawn_groups import AS_NEAR, at_gaps
from indexing.types import PageBox

OVERLAP = 1.0  # points
WITHIN = 4.0  # times the height of a line may cells reach above or below those of one line
BESIDE = 0.3  # the same, to their left or right


def lines_behind(boxes: Sequence[PageBox | None], run: range) -> range:
    """Return the lines behind a run that stand between its own: mostly there are none."""
    end = run.stop
    bottom = max((one[3] for number in run if (one := boxes[number])), default=0.0)
    if end == len(boxes) or not (box := boxes[end]) or box[3] > bottom:
        return range(end, end)
    around = _around([one for number in run if (one := boxes[number])])
    while end < len(boxes) and (box := boxes[end]) and _is_within(box, around, box[3] - box[1]):
        end += 1
    return range(run.stop, end)


def in_their_rows(rows: Sequence[DrawnRow]) -> list[DrawnRow]:
    """Return the rows with the cells that are drawn later; none where rows are drawn in order."""
    if not any(two[0].top < one[0].top for one, two in itertools.pairwise(rows)):
        return []
    rows = list(at_gaps(rows, AS_NEAR * line_distance_within(rows)))
    first = _first_above(rows)
    if not first:
        return []
    earlier, later = (
        list(itertools.chain.from_iterable(some)) for some in (rows[:first], rows[first:])
    )
    height = median(cell.bottom - cell.top for cell in earlier)
    around = _around([cell[1:] for cell in earlier])
    if not all(_is_within(cell[1:], around, height) for cell in later):
        return []
    found = [sorted(row, key=lambda cell: cell.left) for row in _side_by_side([*earlier, *later])]
    are_apart = all(
        one.right < two.left + OVERLAP for row in found for one, two in itertools.pairwise(row)
    )
    return found if are_apart else []


def line_distance_within(rows: Sequence[DrawnRow]) -> float:
    """Return how far two lines of a cell mostly are apart; 0 if no cell has two."""
    distances = [
        distance_below(above, below)
        for row in rows
        for cell in row
        for above, below in itertools.pairwise(cell.lines)
    ]
    return max(median(distances), 0.0) if distances else 0.0


def _first_above(rows: Sequence[DrawnRow]) -> int:
    """Return the number of the first row that is above the one before; 0 if none is."""
    pairs = enumerate(itertools.pairwise(rows), 1)
    return next((n for n, (one, two) in pairs if two[0].bottom <= one[0].top), 0)


def _around(boxes: Sequence[PageBox]) -> PageBox:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _is_within(box: PageBox, around: PageBox, height: float) -> bool:
    near, beside = WITHIN * height, BESIDE * height
    return (
        around[0] - beside < box[0]
        and box[2] < around[2] + beside
        and around[1] - near < box[1]
        and box[3] < around[3] + near
    )


def _side_by_side(cells: Sequence[DrawnCell]) -> Iterator[DrawnRow]:
    """Yield the cells that are beside one another, from the top."""
    row: DrawnRow = []
    bottom = 0.0
    for cell in sorted(cells, key=lambda cell: cell.top):
        if row and cell.top > bottom - OVERLAP:
            yield row
            row = []
        bottom = max(bottom, cell.bottom) if row else cell.bottom
        row.append(cell)
    if row:
        yield row
