"""Part the lines recognised in a picture at the gutters between columns of text."""

import itertools
import math
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np
import numpy.typing as npt

from indexing.ocr import Line
from indexing.visual_rows import as_one, rows_of

MIN_COLUMN_LINES = 4
MIN_COLUMN_CHARACTERS = 15
"""The lines of a column of text are at least this long; those of a table or receipt are not."""

MAX_SPANNING = 0.35
"""The share of lines that may run over a gutter: headings, captions."""

MAX_SPANNING_FURTHER = 0.1
"""The same of the gutters that part what stands on one side of it."""

FILLED = 0.6
MOST_WHOLE = 0.7
"""Of what stands in a column of text so many are its lines, where a few are found word by word."""

MIN_GOING_ON = 0.3
"""The share of lines that go on with a small letter, in a text of more than two columns."""

ROW_GAP = 0.4  # of the height of a line, more than the usual gap of two
FEWEST_LINES = 5
"""What is parted at one height from side to side more often than each so many lines is in rows."""

FEWEST_OUT_OF_STEP = 4
IN_STEP = 0.25  # of the height of a line, by which others of its row may stand higher or lower
LINES_OF_CELL = 1.6  # heights, from one to the next at most
ROWS = 0.95  # of what stands beside the lines of a column is in rows with them
FULL_COLUMN = 0.8  # of its lines begin below each other
MOST_IN_STEP = 0.5
"""Of lines at heights of their own, so many may stand as if in rows with others by chance."""

_Places = npt.NDArray[np.float64]
_Counts = npt.NDArray[np.int_]


def columns_of(lines: list[Line]) -> Iterator[list[Line]]:
    """Split lines at the gutters between columns of text; what spans them keeps its height."""
    gutter = _gutter(lines)
    if gutter is None:
        yield lines
        return
    left, right, spanning = _sides_of(lines, gutter)
    spanning.sort(key=lambda line: line.middle)
    for upper, lower in zip([None, *spanning], [*spanning, None], strict=True):
        from_y = upper.middle if upper else float("-inf")
        to_y = lower.middle if lower else float("inf")
        for side in (left, right):
            band = [line for line in side if from_y <= line.middle < to_y]
            if band:
                yield from columns_of(band)
        if lower:
            yield [lower]


def _gutter(lines: list[Line]) -> float | None:
    """Return where the page is best cut from top to bottom; None where it is one column.

    Words of justified lines may have been found apart: then the lines tell, put together.
    """
    gutter = _gutter_between(lines)
    if gutter is None and len(lines) >= 2 * MIN_COLUMN_LINES:
        whole = list(itertools.chain.from_iterable(rows_of(lines)))
        gutter = _gutter_between(whole) if len(whole) < len(lines) else None
    return gutter


def _gutter_between(lines: list[Line]) -> float | None:
    if len(lines) < 2 * MIN_COLUMN_LINES:
        return None
    places, crossing = _crossing(lines)
    for fewest in sorted(set(crossing[crossing <= MAX_SPANNING * len(lines)].tolist())):
        gaps = _middles(places, crossing == fewest)
        for place in sorted(gaps, key=lambda x: abs(x - float(np.median(gaps)))):
            if _is_gutter(lines, place):
                return place
    return None


def _crossing(lines: Sequence[Line]) -> tuple[_Places, _Counts]:
    """Return places from the left to the right, and how many lines run over each."""
    lefts = np.array([line.left for line in lines])
    rights = np.array([line.right for line in lines])
    step = median(line.height for line in lines) / 3
    places = np.arange(lefts.min() + step, rights.max(), max(step, 1))
    return places, ((lefts[:, None] < places) & (places < rights[:, None])).sum(axis=0)


def _middles(places: _Places, is_in: npt.NDArray[np.bool_]) -> list[float]:
    """Return of each row of neighbouring places the one in the middle."""
    at = np.flatnonzero(is_in)
    runs = np.split(at, np.flatnonzero(np.diff(at) > 1) + 1)
    return [float(places[run[len(run) // 2]]) for run in runs if len(run)]


def _is_gutter(lines: list[Line], place: float) -> bool:
    left, right, spanning = _sides_of(lines, place)
    if min(len(left), len(right)) < MIN_COLUMN_LINES or not _are_beside(left, right):
        return False
    from_x, to_x = max(line.right for line in left), min(line.left for line in right)
    between = sum(1 for line in spanning if from_x <= line.left and line.right <= to_x)
    if between >= MIN_COLUMN_LINES:  # It runs through a column, not between two.
        return False
    if len(spanning) <= MAX_SPANNING_FURTHER * len(lines) and _are_out_of_step(left, right):
        return True
    sides = [_columns_beside(side) for side in (left, right)]
    columns = [*sides[0], *sides[1]]
    return all(sides) and (len(columns) == 2 or _is_running_text(columns))


def _are_beside(left: list[Line], right: list[Line]) -> bool:
    """Tell whether the lower of the two has most of its height beside the other."""
    tops = [min(line.top for line in side) for side in (left, right)]
    bottoms = [max(line.bottom for line in side) for side in (left, right)]
    lower = min(bottom - top for top, bottom in zip(tops, bottoms, strict=True))
    return min(bottoms) - max(tops) > lower / 2


def _are_out_of_step(left: list[Line], right: list[Line]) -> bool:
    """Tell text side by side of which each has lines at heights of its own, as a menu or a margin.

    What stands in rows does so at the same height, or a little higher or lower all along, or midway
    between the lines of a cell. Of labels in several lines that is so of what stands beside them.
    """
    few, many = sorted((left, right), key=len)
    if len(few) < FEWEST_OUT_OF_STEP or not _begin_below_each_other(few):
        return False
    top, bottom = min(line.top for line in few), max(line.bottom for line in few)
    beside = [line for line in many if top < line.middle < bottom]
    is_in_rows = len(beside) >= len(few) and _in_step(beside, few) >= ROWS
    return not is_in_rows and _in_step(few, many) <= MOST_IN_STEP


def _in_step(lines: list[Line], others: list[Line]) -> float:
    """Return the share of the lines that may be in rows with the others."""
    height = median(line.height for line in lines)
    own, middles = (np.sort([line.middle for line in side]) for side in (lines, others))
    nearest = _nearest(own, middles)
    is_in_step = np.abs(nearest) < IN_STEP * height
    is_in_step |= np.abs(nearest - np.median(nearest)) < IN_STEP * height
    apart = np.diff(middles)
    of_cell = (apart > IN_STEP * height) & (apart < LINES_OF_CELL * height)
    if of_cell.any():
        midway = (middles[:-1] + apart / 2)[of_cell]
        is_in_step |= np.abs(_nearest(own, midway)) < IN_STEP * height / 2
    return float(is_in_step.mean())


def _begin_below_each_other(lines: list[Line]) -> bool:
    """Tell whether most of them are words that do; figures may be those of an axis."""
    left, height = median(line.left for line in lines), median(line.height for line in lines)
    words = [line for line in lines if any(map(str.isalpha, line.text))]
    return sum(abs(word.left - left) < height for word in words) >= FULL_COLUMN * len(lines)


def _nearest(places: _Places, others: _Places) -> _Places:
    """Return how far each is below the nearest of the others."""
    apart = places[:, None] - others[None, :]
    nearest: _Places = apart[np.arange(len(places)), np.abs(apart).argmin(axis=1)]
    return nearest


def _columns_beside(lines: list[Line]) -> list[list[Line]]:
    """Return the columns of text on one side of a gutter, that is itself or several; or none."""
    if _is_column(lines):
        return [lines]
    places, crossing = _crossing(lines)
    further = _middles(places, crossing <= MAX_SPANNING_FURTHER * len(lines))
    columns = [
        [line for line in lines if left <= line.left and line.right <= right]
        for left, right in itertools.pairwise([-math.inf, *further, math.inf])
    ]
    found = [column for column in columns if column]
    return found if len(found) > 1 and all(map(_is_column, found)) else []


def _is_column(lines: list[Line]) -> bool:
    """Tell a column of running text from one of a table or a form."""
    if len(lines) < MIN_COLUMN_LINES:
        return False
    width = max(line.right for line in lines) - min(line.left for line in lines)
    lines = _with_whole_lines(lines)
    full = sum(1 for line in lines if line.right - line.left > FILLED * width)
    return (
        full >= len(lines) / 2 and median(len(line.text) for line in lines) >= MIN_COLUMN_CHARACTERS
    )


def _with_whole_lines(lines: list[Line]) -> list[Line]:
    """Return the lines, put together those few whose words were set apart to fill the column."""
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    near = median(line.height for line in lines)
    rows = rows_of(lines)
    parted = [row for row in rows if len(row) > 1]
    fill = [row for row in parted if row[0].left - left < near and right - row[-1].right < near]
    if len(fill) < len(parted) or len(rows) < MOST_WHOLE * len(lines):
        return lines
    return [as_one(tuple(row)) if len(row) > 1 else row[0] for row in rows]


def _is_running_text(columns: list[list[Line]]) -> bool:
    """Tell columns of text from those of a table with long cells."""
    lines = list(itertools.chain.from_iterable(columns))
    text = "".join(line.text for line in lines)
    going_on = sum(1 for line in lines if line.text[:1].islower())
    if text != text.upper() and going_on < MIN_GOING_ON * len(lines):
        return False
    gaps = _gaps_across(columns)
    return gaps < 2 or max(map(len, columns)) >= FEWEST_LINES * gaps


def _gaps_across(columns: list[list[Line]]) -> int:
    """Return how often all columns are parted at the same height, wider than two lines of one."""
    columns = [sorted(column, key=lambda line: line.top) for column in columns]
    gaps = [b.top - a.bottom for column in columns for a, b in itertools.pairwise(column)]
    lines = sorted(itertools.chain.from_iterable(columns), key=lambda line: line.top)
    wide = float(np.quantile(gaps, 0.25)) + ROW_GAP * median(line.height for line in lines)
    lowest = list(itertools.accumulate((line.bottom for line in lines), max))
    return sum(line.top - bottom > wide for line, bottom in zip(lines[1:], lowest, strict=False))


def _sides_of(lines: list[Line], place: float) -> tuple[list[Line], list[Line], list[Line]]:
    left = [line for line in lines if line.right <= place]
    right = [line for line in lines if line.left >= place]
    spanning = [line for line in lines if line.left < place < line.right]
    return left, right, spanning
