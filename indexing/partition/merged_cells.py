"""Write what stands in the merged cells of a sheet where each of its rows and columns needs it."""

import bisect
from collections.abc import Iterable, Mapping, Sequence

from indexing.partition.tables import filled, is_number

Area = tuple[tuple[int, int], tuple[int, int]]
"""First and last cell, (row, column)."""

MAX_CATEGORY_CHARACTERS = 100
"""A longer text beside several rows is a remark, and no name that each needs."""

MIN_NAMES = 2
"""A heading is above several names; above one that is as wide it is another line of a form."""

MAX_LEVELS = 4
"""Of headings above one another."""

Row = list[str]
Span = tuple[int, int]  # the first and the last column


def write_out_merged(rows: list[Row], merged: Iterable[Area]) -> None:
    """Join headings over several columns with those below; repeat names beside several rows.

    "2024" over "Sales" and "Profit" becomes "2024 Sales" and "2024 Profit"; "North" beside three
    rows stands in each of them.
    """
    merged = sorted(merged)
    headings = _headings(rows, _wide_by_row(merged))
    for top in sorted(headings):
        for span in headings[top]:
            _join(rows, top, span)
        _lower_labels(rows, top)
    holds = [any(row) for row in rows]
    reached: dict[int, int] = {}  # the last row of a column that is done, should areas overlap
    for (top, left), (bottom, right) in merged:
        if (
            left == right
            and top - 1 not in headings
            and reached.get(left, -1) < top < min(bottom, len(rows))
        ):
            _repeat(rows, left, range(top, min(bottom + 1, len(rows))), holds)
            reached[left] = bottom


def _wide_by_row(merged: Iterable[Area]) -> dict[int, list[Span]]:
    """Return the merged cells of one row each; none overlaps another, whatever the file says."""
    by_row: dict[int, list[Span]] = {}
    for (top, left), (bottom, right) in merged:
        spans = by_row.setdefault(top, [])
        if top == bottom and left < right and not (spans and left <= spans[-1][1]):
            spans.append((left, right))
    return by_row


def _headings(rows: Sequence[Row], wide: Mapping[int, list[Span]]) -> dict[int, set[Span]]:
    """Return the merged cells of each row that are headings of the names below them.

    Other merged cells are as wide for their looks: the name of a good, the label of a sum, what was
    filled into a form.
    """
    headings: dict[int, set[Span]] = {}
    levels: dict[int, int] = {}  # of headings, the row itself and those below
    begins: dict[int, int] = {}  # the first column of all that they are headings of
    for top in sorted(wide, reverse=True):
        if not wide[top] or top + 1 >= len(rows) or not any(rows[top + 1]):
            continue
        lower, below = headings.get(top + 1, set()), wide.get(top + 1, [])
        named = [span for span in wide[top] if _cell(rows[top], span[0])]
        found = {one for one in named if one in lower or _is_above_names(one, rows[top + 1], below)}
        first = min(_first_filled(rows[top + 1]), begins.get(top + 1, len(rows[top + 1])))
        # A single one that stands above the names of the rows too is a title.
        is_title = filled(rows[top]) == 1 and wide[top][0][0] <= first
        level = levels.get(top + 1, 0) + 1
        if (
            is_title
            or level > MAX_LEVELS
            or len(found) <= _count_labels(rows[top], rows[top + 1], wide[top])
        ):
            continue
        headings[top], levels[top], begins[top] = found, level, first
    return headings


def _is_above_names(span: Span, below: Row, spans_below: Sequence[Span]) -> bool:
    """Tell whether several names fill the width below a merged cell."""
    left, right = span
    names = below[left : right + 1]
    ends = (bisect.bisect(spans_below, (column, -1)) for column in (left, right + 1))
    covered = sum(last - first for first, last in spans_below[slice(*ends)])
    is_full = filled(names) + covered > right - left
    return is_full and filled(names) >= MIN_NAMES and not any(map(is_number, names))


def _count_labels(row: Row, below: Row, spans: Sequence[Span]) -> int:
    """Count the cells beside the merged ones that have something below: labels, as in a form."""
    within = {n for left, right in spans for n in range(left, min(right + 1, len(row)))}
    pairs = enumerate(zip(row, below, strict=False))
    return sum(1 for n, (label, other) in pairs if label and other and n not in within)


def _first_filled(row: Row) -> int:
    return next(n for n, cell in enumerate(row) if cell)


def _join(rows: list[Row], top: int, span: Span) -> None:
    """Write a heading in front of those below it."""
    left, right = span
    name, below = rows[top][left], rows[top + 1][left : right + 1]
    rows[top + 1][left : right + 1] = [f"{name} {cell}" if cell else "" for cell in below]
    rows[top][left] = ""


def _lower_labels(rows: list[Row], top: int) -> None:
    """Move the labels beside emptied headings down, where the row below leaves room."""
    rows[top + 1] += [""] * (len(rows[top]) - len(rows[top + 1]))
    for column, label in enumerate(rows[top]):
        if label and not rows[top + 1][column]:
            rows[top + 1][column], rows[top][column] = label, ""


def _repeat(rows: list[Row], column: int, span: range, holds: Sequence[bool]) -> None:
    """Repeat the name beside several rows in those of them that hold anything."""
    name = _cell(rows[span[0]], column)
    if not name or len(name) > MAX_CATEGORY_CHARACTERS or is_number(name):
        return
    for at in span[1:]:
        if holds[at] and not _cell(rows[at], column):
            rows[at] += [""] * (column + 1 - len(rows[at]))
            rows[at][column] = name


def _cell(row: Row, column: int) -> str:
    return row[column] if column < len(row) else ""
