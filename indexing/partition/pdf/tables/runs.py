"""Find the runs of lines on a PDF page that may hold a table.

Cheap signs tell: figures beside each other or at the end of a line, wide gaps, lines side by
side, cells of several lines.
"""

import re
from collections.abc import Iterator, Sequence

from indexing.partition.pdf.tables.running_text import begins_at
from indexing.partition.pdf.tables.words import PageText
from indexing.partition.tables import FIGURE_MARKS
from indexing.types import PageBox

MIN_SIGNS = 2
WIDE = 0.52
"""A line has gaps when its letters take more than this of its height, each."""

MIN_WIDE_CHARACTERS = 8
FAR_RIGHT = 3.0  # times the height of a line
MAX_LINES_BETWEEN = 3
MAX_LINES_OF_A_CELL = 12
MAX_LINES_ABOVE = 30
LONGEST_LINE = 180
STEP_BACK = 1.5  # times the height of a line
COLUMN_JUMP = 8.0  # times the height of a line
BESIDE = 0.45  # of the height of a line: figures may be in the middle of an even number of them

_FIGURE = rf"[$€£¥(+–—-]{{0,3}} ?(?:\d[\d{FIGURE_MARKS}]*+|[–—-])[)%]{{0,2}}+"
_FIGURES_AT_END = re.compile(rf"(?:^|\s){_FIGURE} (?:[$€£¥] )?{_FIGURE}(?: %| \))?$")
_END_OF_FIGURE = ".,)%–—-"
_BEFORE_SPACE = _END_OF_FIGURE + "$€£¥(+ "
"""Of two figures at the end."""

LONGEST_FIGURES = 80
"""So many letters at the end of a line may be two figures."""

_FIGURES_BESIDE = re.compile(r"\d[)%]? [$€£¥(+–-]{0,2}\d")

_DATE_OR_AMOUNT = re.compile(
    rf"[$€£¥(+–-]{{0,3}}\d{{1,9}}[{FIGURE_MARKS}/-]\d[\d{FIGURE_MARKS}/-]*"
)


def count_steps(text: PageText) -> int:
    """Count the lines that stand to the one before as those of cells with several lines do.

    That are the first line of the next cell, higher and beyond the end of the cell before, and the
    second one of a cell behind a short one, far to its right. Figures below each other at the ends
    of lines count as well. Columns of text have one for each column.
    """
    width, height = text.size
    count = 0
    last = ""
    above: PageBox | None = None
    for line, box in zip(text.lines, text.boxes, strict=True):
        if box is None:
            continue
        if text.letters.is_from_right:
            box = 1 - box[2], box[1], 1 - box[0], box[3]
        if above is not None:
            indent = (box[0] - above[0]) * width
            is_next_cell = box[1] < above[1] and box[0] >= above[2]
            is_second_line = box[1] > above[1] and indent > FAR_RIGHT * (box[3] - box[1]) * height
            count += is_next_cell or is_second_line or (last.isdecimal() and line[-1:].isdecimal())
        above, last = box, line[-1:]
    return count


def signs_of(text: PageText, have_figures: Sequence[bool]) -> list[bool]:
    """Tell of each line whether it may be the row of a table, or a part of one."""
    width, height = text.size
    shape = width / height
    signs = [False] * len(text.lines)
    above: PageBox | None = None
    for number, (line, box) in enumerate(zip(text.lines, text.boxes, strict=True)):
        if box is None:
            continue
        left, top, right, bottom = box
        length = len(line)
        has_gaps = (
            length >= MIN_WIDE_CHARACTERS
            and (right - left) * shape > WIDE * (bottom - top) * length
        )
        signs[number] = (
            has_gaps
            or have_figures[number]
            or _is_numbered(line)
            or _FIGURES_BESIDE.search(line) is not None
        )
        # Most are below each other, which is told the fastest.
        is_apart = above is not None and (left >= above[2] or right <= above[0])
        if above is not None and is_apart and _side_by_side(above, box):
            signs[number] = signs[number - 1] = True
        above = box
    return signs


def _is_numbered(line: str) -> bool:
    """Tell whether a line begins with a number and ends with a date or an amount."""
    if not (line[:1].isdecimal() and line[-1:].isdecimal()):
        return False
    return _DATE_OR_AMOUNT.fullmatch(line, line.rfind(" ") + 1) is not None


def has_figures_at_end(line: str) -> bool:
    """Tell whether a line ends with two figures, as the row of a table does."""
    # Most lines end with a letter, or with a word and a full stop, and looking takes long.
    end = line[-1:]
    if not (end.isdecimal() or end in _END_OF_FIGURE):
        return False
    space = line.rfind(" ")
    before = line[space - 1 : space]
    if not (before.isdecimal() or before in _BEFORE_SPACE):
        return False
    return _FIGURES_AT_END.search(line, len(line) - LONGEST_FIGURES) is not None


def runs_of(text: PageText, signs: Sequence[bool], running: Sequence[float]) -> Iterator[range]:
    """Yield the runs of lines that may hold a table, with the short lines above and between.

    None begins with lines of running text above its first row.
    """
    end = 0
    at = 0
    while at < len(signs):
        if not signs[at]:
            at += 1
            continue
        start = at
        box = text.boxes[at]
        left = box[0] if box else 0.0
        while (
            start > end
            and at - start < MAX_LINES_ABOVE
            and not begins_at(running[start - 1], left)
            and _goes_on(text, start - 1)
        ):
            start -= 1
        last, behind = _last(text, signs, at)
        stop = last + 1
        if stop < len(signs) and not signs[stop] and _goes_on(text, last):
            stop += 1
        # The last cell may be beside the first of several lines of the one before, or begin above.
        while stop < len(signs) and not signs[stop] and _is_of_row(text, stop):
            stop += 1
        if sum(signs[at:stop]) >= MIN_SIGNS:
            end = stop
            yield range(start, end)
        at = max(behind if behind < len(signs) and signs[behind] else last + 1, stop)


def _last(text: PageText, signs: Sequence[bool], first: int) -> tuple[int, int]:
    """Return the last line with a sign that belongs to the first, and the one not gone to."""
    last, at = first, first + 1
    while at < len(signs) and (at - last <= MAX_LINES_BETWEEN + 1 or _is_open(text, signs, last)):
        if not _goes_on(text, at - 1) and not _is_beside(text, at):
            break
        if signs[at] or _is_beside(text, at):
            last = at
        at += 1
    return last, at


def _is_open(text: PageText, signs: Sequence[bool], number: int) -> bool:
    """Tell whether a row goes on behind the lines of a cell, beside the first of them."""
    ahead = range(number + 1, min(number + 1 + MAX_LINES_OF_A_CELL, len(signs)))
    return any(_is_beside(text, at) for at in ahead)


def _is_of_row(text: PageText, number: int) -> bool:
    """Tell whether a line stands beside one not far before it, or begins little above its end."""
    one, other = text.boxes[number - 1], text.boxes[number]
    if one is None or other is None:
        return False
    height = other[3] - other[1]
    is_back = one[1] - STEP_BACK * height < other[1] < one[3] - height / 2
    return is_back or _is_beside(text, number)


def _is_beside(text: PageText, number: int) -> bool:
    """Tell whether a line stands beside one not far before it."""
    box = text.boxes[number]
    before = text.boxes[max(0, number - MAX_LINES_OF_A_CELL) : number]
    if box is None:
        return False
    _, top, _, bottom = box
    # Most lines are above it, which is told the fastest.
    near = [one for one in before if one and one[3] > top and one[1] < bottom]
    return bool(near) and any(_side_by_side(one, box) for one in near)


def _side_by_side(one: PageBox, other: PageBox) -> bool:
    if one[2] > other[0] and other[2] > one[0]:
        return False
    lower = min(one[3] - one[1], other[3] - other[1])
    shared = min(one[3], other[3]) - max(one[1], other[1])
    return shared > BESIDE * lower


def _goes_on(text: PageText, number: int) -> bool:
    """Tell whether the line below this one may belong to the same table; a blank one always may."""
    below = number + 1
    if not text.lines[below]:
        return True
    if not text.lines[number]:
        number = max(number - 1, 0)
    one, other = text.boxes[number], text.boxes[below]
    if one is None or other is None:
        return False
    if len(text.lines[number]) > LONGEST_LINE or len(text.lines[below]) > LONGEST_LINE:
        return False
    # Mostly it is below.
    return other[1] > one[1] or one[1] - other[1] < COLUMN_JUMP * max(
        one[3] - one[1], other[3] - other[1]
    )
