"""Tell the columns of a table without rules by the places of what stands in its rows."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from indexing.ocr import Line
from indexing.partition.tables import is_number
from indexing.visual_rows import Row, parted_at, parts_of

MIN_TABLE_COLUMNS = 3
MAX_CELL_CHARACTERS = 40
WITHIN = 0.5  # of a part of a line, or of its column
OVER = 0.3  # of the width of a column, by which a cell lies in it
MIN_SECONDS = 3
USUAL = 0.6
"""So many cells of a column have two parts, if it is two columns."""

NEAR = 4  # characters, between a number and the text in the next column

Span = tuple[float, float]
"""From where to where a column reaches."""


def column_spans(rows: list[Row]) -> list[Span] | None:
    """Return from where to where each column reaches.

    Names that nearly touch, or stand beside their figures, hide it; then what is below them tells.
    """
    spans = _spans_told_by(rows, rows)
    if spans is not None:
        return spans
    spans = _spans_told_by(rows[1:], rows)
    return spans if spans is not None and _are_names(rows[0], spans) else None


def _are_names(row: Row, spans: Sequence[Span]) -> bool:
    """Tell whether a text stands in each column."""
    parts = [part for cell in row for part in parts_of(cell)]
    columns = [column_of(part, spans) for part in parts]
    has_figures = any(character.isdigit() for part in parts for character in part.text)
    return columns == list(range(len(spans))) and not has_figures


def _spans_told_by(telling: Sequence[Row], rows: Sequence[Row]) -> list[Span] | None:
    """Return the columns as the rows with the usual cells tell.

    Rows with as many cells may have their empty ones elsewhere; then others tell.
    """
    counts = Counter(len(row) for row in telling if len(row) >= MIN_TABLE_COLUMNS)
    order = sorted(counts, key=lambda count: (counts[count], count), reverse=True)
    widest = max(counts, default=0)
    if order and order[0] < widest:
        # What few rows fill would be taken for a part of the column beside it.
        full = [row for row in telling if len(row) == widest]
        spans = _spans_where(full, rows) if _can_tell(full) else None
        if spans is not None and all(_fits(row, spans) for row in rows):
            return spans
    for usual in order:
        full = [row for row in telling if len(row) == usual]
        if not _can_tell(full):
            return None
        spans = _spans_where(full, rows)
        if spans is not None:
            return spans
    return None


def _can_tell(full: Sequence[Row]) -> bool:
    """Tell whether rows with a cell in each column are several, and of cells rather than text."""
    return len(full) > 1 and (
        median(len(cell.text) for row in full for cell in row) <= MAX_CELL_CHARACTERS
    )


def _spans_where(full: Sequence[Row], rows: Sequence[Row]) -> list[Span] | None:
    """Return the columns as rows with a cell in each tell; None where these lie over each other."""
    tolerance = median(cell.height for row in full for cell in row) / 2
    columns = [_beside(cells, tolerance) for cells in zip(*full, strict=True)]
    count = sum(map(len, columns))
    if not any(sum(len(parts_of(cell)) for cell in row) == count for row in rows):
        columns = [_if_each_has_several(groups) for groups in columns]
    spans = [_span(cells) for groups in columns for cells in groups]
    if all(b[0] - a[1] > -tolerance for a, b in itertools.pairwise(spans)):
        return _with_parts(_with_further(spans, rows, tolerance), rows, tolerance)
    return None


def _fits(row: Row, spans: Sequence[Span]) -> bool:
    """Tell whether each cell stands in a column of its own, and lies over no other."""
    covered = [
        [n for n, span in enumerate(spans) if _shared(cell, span) > OVER * (span[1] - span[0])]
        for cell in row
    ]
    columns = [column_of(cell, spans) for cell in row]
    is_over_one = all(set(over) <= {own} for over, own in zip(covered, columns, strict=True))
    return is_over_one and len(set(columns)) == len(row)


def _with_further(spans: list[Span], rows: Sequence[Row], tolerance: float) -> list[Span]:
    """Return the columns and those that few rows fill, beside them: the notes of a balance."""
    cells = [cell for row in rows if len(row) > len(spans) for cell in row]
    beside = [cell for cell in cells if all(_shared(cell, span) < 0 for span in spans)]
    further = [
        group for group in _apart(beside, 0) if len(group) > 1 and _aligned(group, tolerance)
    ]
    return sorted([*spans, *map(_span, further)])


def _with_parts(spans: Sequence[Span], rows: Sequence[Row], tolerance: float) -> list[Span]:
    """Return the columns, in two where the second parts of their cells begin below each other."""
    parts: list[list[list[Line]]] = [[] for _ in spans]
    for row in rows:
        for number, group in itertools.groupby(
            itertools.chain.from_iterable(map(parts_of, row)), lambda part: column_of(part, spans)
        ):
            parts[number].append(list(group))
    found: list[Span] = []
    for (left, right), cells in zip(spans, parts, strict=True):
        seconds = [cell[1] for cell in cells if len(cell) > 1 and not is_number(cell[1].text)]
        is_usual = len(seconds) >= max(MIN_SECONDS, USUAL * len(cells))
        starts = [second.left for second in seconds]
        if is_usual and max(starts) - min(starts) < tolerance:
            found += [(left, min(starts)), (min(starts), right)]
        else:
            found.append((left, right))
    return found


def _beside(cells: Sequence[Line], gap: float) -> list[list[Line]]:
    """Part figures that stand beside each other in their rows: debit and credit, one for each row.

    What else stands in a column stays together, and what is nearer to each other than the gap, if
    it does not end below each other; but names may have been joined that stand above the figures.
    """
    parts = [part for cell in cells for part in parts_of(cell)]
    groups = _apart(parts, gap)
    if len(groups) == 1:
        groups = _apart(parts, 0)
        if not all(_aligned(group, gap) for group in groups):
            return [list(cells)]
    are_apart = all(is_number(cell.text) or len(parts_of(cell)) == len(groups) for cell in cells)
    return groups if are_apart else [list(cells)]


def _apart(parts: Sequence[Line], gap: float) -> list[list[Line]]:
    """Group what overlaps across, or is no further apart than the gap."""
    groups: list[list[Line]] = []
    right = -math.inf
    for part in sorted(parts, key=lambda part: part.left):
        if part.left > right + gap:
            groups.append([])
        groups[-1].append(part)
        right = max(right, part.right)
    return groups


def _aligned(parts: Sequence[Line], tolerance: float) -> bool:
    """Tell whether the parts end below each other, as figures in a column of their own."""
    rights = [part.right for part in parts]
    return len(parts) > 1 and max(rights) - min(rights) < tolerance


def _span(parts: Sequence[Line]) -> Span:
    return min(part.left for part in parts), max(part.right for part in parts)


def _if_each_has_several(groups: list[list[Line]]) -> list[list[Line]]:
    """Return the groups as they are, or as one if a cell is alone in its own."""
    if min(map(len, groups)) > 1:
        return groups
    return [list(itertools.chain.from_iterable(groups))]


def column_of(cell: Line, spans: Sequence[Span]) -> int:
    """Return the column that the cell shares most with, or is nearest to."""
    shared = [_shared(cell, span) for span in spans]
    return shared.index(max(shared))


def _shared(cell: Line, span: Span) -> float:
    """Return how much of the width they share; below zero, how far they are apart."""
    left, right = span
    return min(cell.right, right) - max(cell.left, left)


def parted(row: Row, spans: Sequence[Span]) -> Row:
    """Return the row with those of its cells parted whose parts stand in a column each."""
    cells: Row = []
    for cell in row:
        parts = parts_of(cell)
        if len(parts) == 1:
            parts = _number_and_text(cell, spans)
        columns = {column_of(part, spans) for part in parts if _is_within(part, spans)}
        cells += parts if len(columns) == len(parts) else [cell]
    return cells


def _number_and_text(cell: Line, spans: Sequence[Span]) -> tuple[Line, ...]:
    """Return the number and the text that were read as one, each in its column; or the cell."""
    for left, right in itertools.pairwise(spans):
        if _shared(cell, right) <= WITHIN * (right[1] - right[0]):
            continue
        both = parted_at(cell, right[0], NEAR)
        if both is not None and is_number(both[0].text):
            # It ends where its characters do, if all are of the same width.
            width = (cell.right - cell.left) * len(both[0].text) / len(cell.text)
            number = replace(both[0], right=cell.left + width)
            if _shared(number, left) > WITHIN * min(width, left[1] - left[0]):
                return number, both[1]
    return (cell,)


def _is_within(part: Line, spans: Sequence[Span]) -> bool:
    left, right = span = spans[column_of(part, spans)]
    return _shared(part, span) > WITHIN * min(part.right - part.left, right - left)
