"""Tell the cells of a table in a picture whose rules run between its rows alone.

They are needed where a cell has several lines; else the places of the words tell the rows as well.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from indexing.column_places import MIN_TABLE_COLUMNS, Span, column_of, column_spans
from indexing.ocr import Line
from indexing.partition.tables import is_number
from indexing.visual_rows import Row, middle, rows_of

MIN_BANDS = 3  # between rules, or above the first and below the last one
CLOSE = 1.15  # times the distance of two lines of a cell: more is between these and a total below
BESIDE = 2.5  # heights of a line, between a rule and a row that has none on its other side
ONE_RULE = 0.6  # the same: rules nearer to each other are one


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that runs from the left to the right."""

    left: float
    right: float
    y: float


def edges_of_rows(
    rules: Sequence[Rule], lines: Sequence[Line]
) -> Iterator[tuple[list[float], list[float]]]:
    """Yield where the columns and the rows of tables are parted."""
    height = median(line.height for line in lines)
    for run in _below_each_other(rules, height):
        left, right = run[0].left - height, run[0].right + height
        beside = [line for line in lines if left <= line.left and line.right <= right]
        bands = _bands([rule.y for rule in run], beside, height)
        if len(bands) < MIN_BANDS or not any(len(band) > 1 for band in bands):
            continue
        firsts = [band[0] for band in bands]
        spans = column_spans(firsts)
        if spans is None or len(spans) < MIN_TABLE_COLUMNS:
            continue
        if all(_is_one_row(band, spans) for band in bands):
            between = [(a[1] + b[0]) / 2 for a, b in itertools.pairwise(spans)]
            ends = [line for band in bands for row in band for line in row]
            yield (
                [min(left, *(line.left for line in ends)), *between, right],
                [
                    min(line.top for line in ends) - 1,
                    *_between(bands),
                    max(line.bottom for line in ends) + 1,
                ],
            )


def _below_each_other(rules: Sequence[Rule], height: float) -> Iterator[list[Rule]]:
    """Yield rules that begin and end at the same places, from the top."""
    left = sorted(rules, key=lambda rule: rule.y)
    while left:
        first = left[0]
        run = [
            rule
            for rule in left
            if abs(rule.left - first.left) < height and abs(rule.right - first.right) < height
        ]
        left = [rule for rule in left if rule not in run]
        apart = [run[0]]
        for rule in run[1:]:
            if rule.y - apart[-1].y > ONE_RULE * height:
                apart.append(rule)
        if len(apart) >= MIN_BANDS - 1:
            yield apart


def _bands(ys: Sequence[float], lines: list[Line], height: float) -> list[list[Row]]:
    """Return the rows of lines between the rules, and the nearest above and below all of them."""
    rows = rows_of(lines)
    between = [
        [row for row in rows if top < middle(row) < bottom]
        for top, bottom in itertools.pairwise(ys)
    ]
    pitch = min(
        (middle(b) - middle(a) for band in between for a, b in itertools.pairwise(band)),
        default=0.0,
    )
    above = [row for row in reversed(rows) if middle(row) < ys[0]]
    below = [row for row in rows if middle(row) > ys[-1]]
    first, last = (
        _near(rows, y, BESIDE * height, CLOSE * pitch)
        for rows, y in ((above, ys[0]), (below, ys[-1]))
    )
    return [band for band in (first[::-1], *between, last) if band]


def _near(rows: Sequence[Row], y: float, beside: float, close: float) -> list[Row]:
    """Return the row next to a rule with its further lines; none where it is one text."""
    near: list[Row] = []
    for row in rows:
        if abs(middle(row) - y) > (close if near else beside):
            break
        near.append(row)
        y = middle(row)
    return near if any(len(row) >= MIN_TABLE_COLUMNS for row in near) else []


def _is_one_row(band: Sequence[Row], spans: Sequence[Span]) -> bool:
    """Tell whether all lines in a band are of one row: no further one has what it has itself."""
    first = {column_of(cell, spans): cell for cell in band[0]}
    for row in band[1:]:
        columns = [column_of(cell, spans) for cell in row]
        if len(set(columns)) == len(first):
            return False
        for column, cell in zip(columns, row, strict=True):
            if is_number(cell.text) and column in first and is_number(first[column].text):
                return False
    return True


def _between(bands: Sequence[Sequence[Row]]) -> list[float]:
    """Return where bands are parted: between the last line of one and the first of the next."""
    return [
        (middle(above[-1]) + middle(below[0])) / 2 for above, below in itertools.pairwise(bands)
    ]
