"""Tell the rows of a table by the numbers, dates or times that they begin with.

Where cells stand in the middle of their rows, or at the bottom, a text of several lines begins
above the number. The lines of a row stand nearer to each other than two rows do, and its number is
in the same place in all rows.
"""

import itertools
from bisect import bisect, bisect_left
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from indexing.partition.pdf.tables.cells import Row
from indexing.partition.pdf.tables.distances import distances_of

LONGEST_NUMBER = 12  # characters
MIN_NUMBERS = 2
SEVERAL_LINES = 0.3  # of the rows have more than one
APART = 1.05  # times as far as lines of a row are two rows
ALIGNED = 0.3  # of the distance of two lines


class _Span(NamedTuple):
    """Lines of a row, and which of them has its number."""

    start: int
    number: int
    end: int


def numbered_rows(rows: Sequence[Row]) -> list[range]:
    """Return which lines make a row each, in the longest list of them; none if this is not sure.

    Where numbers are at the top of their rows, as nearly everywhere, nothing of a row is above its
    number.
    """
    numbers = [at for at, row in enumerate(rows) if _is_numbered(row)]
    lists = sorted(_lists(rows, numbers), key=len)
    if not lists or len(lists[-1]) < MIN_NUMBERS:
        return []
    numbers = lists[-1]
    if numbers[-1] - numbers[0] + 1 == len(numbers):
        return []
    distances = distances_of(rows)
    heights = [row[0][0].height for row in rows[numbers[0] : numbers[-1] + 1]]
    between = [distances[one + 1 : other + 1] for one, other in itertools.pairwise(numbers)]
    cut = _cut(between, max(heights) - min(heights))
    if not cut:
        return []
    spans = list(_spans(rows, distances, numbers, cut))
    if sum(span.end - span.start > 1 for span in spans) < SEVERAL_LINES * len(spans):
        return []
    places = list(itertools.accumulate(distances))
    for aligned in (_with_middles, _with_bottoms):
        if found := aligned(spans, places, ALIGNED * cut):
            return [range(span.start, span.end) for span in found]
    return []


def _is_numbered(row: Row) -> bool:
    text = row[0][0].text
    return len(row) > 1 and len(text) <= LONGEST_NUMBER and any(map(str.isdecimal, text))


def _lists(rows: Sequence[Row], numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield numbers below each other with nothing between them but lines on their right."""
    found = list(numbers[:1])
    for above, at in itertools.pairwise(numbers):
        one, other = rows[above][0][-1], rows[at][0][-1]
        right = max(one.right, other.right)
        is_below = rows[at][0][0].left < one.right and rows[above][0][0].left < other.right
        if not is_below or any(row[0][0].left < right for row in rows[above + 1 : at]):
            yield found
            found = []
        found.append(at)
    yield found


def _cut(between: Sequence[Sequence[float]], unsure: float) -> float:
    """Return how far apart lines of a row are at most; 0 if some rows may be as near.

    Distances are unsure by as much as the heights of lines differ, that are those of their letters.
    """
    close = max((sorted(one)[-2] for one in between if len(one) > 1), default=0.0)
    far = min(map(max, between))
    return sqrt(close * far) if far > max(APART * close, close + unsure) else 0.0


def _spans(
    rows: Sequence[Row], distances: Sequence[float], numbers: Sequence[int], cut: float
) -> Iterator[_Span]:
    """Yield the rows around numbers, all lines that are near to the next one."""
    for number in numbers:
        right = rows[number][0][-1].right
        start, end = number, number + 1
        while start and distances[start] < cut and rows[start - 1][0][0].left >= right:
            start -= 1
        while end < len(rows) and distances[end] < cut and rows[end][0][0].left >= right:
            end += 1
        yield _Span(start, number, end)


def _with_middles(spans: Sequence[_Span], places: Sequence[float], near: float) -> list[_Span]:
    """Return the rows, if their numbers are in the middle, without texts above and below them all.

    `places` are those of all lines.
    """
    first, last = spans[0], spans[-1]
    top = 2 * places[first.number] - places[first.end - 1] - near
    bottom = 2 * places[last.number] - places[last.start] + near
    start = bisect_left(places, top, first.start, first.number)
    end = bisect(places, bottom, last.number, last.end)
    found = [first._replace(start=start), *spans[1:-1], last._replace(end=end)]
    offs = (places[one.start] + places[one.end - 1] - 2 * places[one.number] for one in found)
    return found if all(abs(off) < 2 * near for off in offs) else []


def _with_bottoms(spans: Sequence[_Span], places: Sequence[float], near: float) -> list[_Span]:
    """Return the rows, if their numbers are at the bottom, without a text below them all."""
    *others, last = spans
    found = [*others, last._replace(end=last.number + 1)]
    return found if all(one.number + 1 == one.end for one in found) else []
