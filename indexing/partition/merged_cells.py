"""Write what stands in the merged cells of a sheet where each of its rows and columns needs it."""

import bisect
from collections.abc import Iterable, Sequence

from indexing.partition.tables import filled, is_number

Area = tuple[tuple[int, int], tuple[int, int]]
"""First and last cell, (row, column)."""

MAX_CATEGORY_CHARACTERS = 100
"""A longer text beside several rows is a remark, and no name that each needs."""

Row = list[str]
Span = tuple[int, int]  # the first and the last column


def write_out_merged(rows: list[Row], merged: Iterable[Area]) -> None:
    """Join headings over several columns with those below; repeat names beside several rows.

    "2024" over "Sales" and "Profit" becomes "2024 Sales" and "2024 Profit"; "North" beside three
    rows stands in each of them.
    """
    merged = sorted(merged)
    wide = _wide_by_row(merged)
    headings: set[int] = set()  # rows
    for top, spans in wide.items():
        if top + 1 >= len(rows):
            continue
        below = wide.get(top + 1, [])
        # A single name above all that there is below it is a title. Counted once for all of a row.
        is_alone = filled(rows[top]) == 1
        all_below = filled(rows[top + 1]) if is_alone else 0
        if [_join(rows, top, span, below, all_below) for span in spans].count(True):
            _lower_labels(rows, top)
            headings.add(top + 1)
    holds = [any(row) for row in rows]
    reached: dict[int, int] = {}  # the last row of a column that is done, should areas overlap
    for (top, left), (bottom, right) in merged:
        if (
            left == right
            and top not in headings
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


def _join(
    rows: list[Row], top: int, span: Span, spans_below: Sequence[Span], title_over: int
) -> bool:
    """Write a heading in front of those below it, if they are headings that fill its width.

    One above `title_over` cells is a title.
    """
    left, right = span
    name, below = _cell(rows[top], left), rows[top + 1][left : right + 1]
    if not name or any(map(is_number, below)) or filled(below) == title_over:
        return False
    ends = (bisect.bisect(spans_below, (column, -1)) for column in (left, right + 1))
    within = slice(*ends)
    covered = sum(last - first for first, last in spans_below[within])
    if filled(below) + covered <= right - left:
        return False
    rows[top + 1][left : right + 1] = [f"{name} {cell}" if cell else "" for cell in below]
    rows[top][left] = ""
    return True


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
