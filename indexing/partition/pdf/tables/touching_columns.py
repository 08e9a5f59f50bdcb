"""Tell columns apart where texts stand right behind figures, as on a printed sheet.

A spreadsheet has its figures on the right of their cells and its texts on the left, so that both
meet at the rule that is not printed, with hardly a space between them. What ends there is as
different in its width as what begins there, where a figure and its unit would be aligned as one;
or the file has no space there, though it has others.
"""

import bisect
import itertools
import re
from collections.abc import Callable, Iterator, Sequence, Set
from operator import attrgetter
from typing import NamedTuple

from indexing.partition.pdf.tables.cells import (
    CELL_GAP,
    Cell,
    Row,
    SpacedWord,
    Word,
    left_of,
    line_of,
)
from indexing.partition.tables import FIGURE_MARKS

ALIGNED = 1.0  # points
DIFFERENT = 0.2  # points, of two widths
MIN_ROWS = 3

FIGURE_BEFORE_TEXT = re.compile(rf"[(+–-]?\d[\d{FIGURE_MARKS}]*[)%]? [^\W\d_]")
"""What two cells look like that are one word, for there is hardly a space between them."""

_FIGURE = re.compile(rf"[(+–-]?\d[\d{FIGURE_MARKS}]*[)%]?")

EachOf = Callable[[set[int]], Sequence[SpacedWord]]
"""Returns the words of lines, line by line."""


class Touch(NamedTuple):
    """Where the figures of a column end, and the texts of the next one begin."""

    end: float
    start: float

    @property
    def middle(self) -> float:
        return (self.end + self.start) / 2


class _Pair(NamedTuple):
    """A figure, and the text right behind it in its row."""

    line: int
    left: float
    end: float
    start: float
    right: float
    is_spaced: bool


def touches_of(words: Sequence[Word], each_of: EachOf) -> list[Touch]:
    """Return where columns of words touch."""
    joined = [word for word in words if FIGURE_BEFORE_TEXT.match(word.text)]
    joined += _close_figures(words)
    if len(joined) < MIN_ROWS:
        return []
    each = each_of(set(map(line_of, joined)))
    # What is before the first word of a line says nothing; browsers may draw no space at all.
    has_spaces = any(
        other.is_spaced
        for one, other in itertools.pairwise(each)
        if one.word.line == other.word.line
    )
    pairs = sorted(_pairs(joined, each), key=attrgetter("start"))
    starts = [pair.start for pair in pairs]
    touches: list[Touch] = []
    for first, pair in enumerate(pairs):
        if touches and pair.start - touches[-1].start < ALIGNED:
            continue
        here = pairs[first : bisect.bisect_left(starts, pair.start + ALIGNED)]
        if _are_columns(here, has_spaces=has_spaces):
            touch = Touch(max(one.end for one in here), pair.start)
            if not _is_run_over(touch, {one.line for one in here}, words):
                touches.append(touch)
    return touches


def with_touching_parted(row: Row, touches: Sequence[Touch]) -> Row:
    """Return the row, its cells parted where columns touch."""
    return [part for cell in row for part in _parts(cell, touches)] if touches else row


def _close_figures(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the figures with a text behind them that stands as near as those of one cell."""
    for figure, text in itertools.pairwise(words):
        is_close = figure.line == text.line and (
            0 < text.left - figure.right < CELL_GAP * figure.height
        )
        if is_close and text.text[0].isalpha() and _FIGURE.fullmatch(figure.text):
            yield figure


def _pairs(joined: Sequence[Word], each: Sequence[SpacedWord]) -> Iterator[_Pair]:
    """Yield the figures that are, or begin, these words, with the words behind them."""
    begun: dict[int, list[float]] = {}
    for word in joined:
        begun.setdefault(word.line, []).append(word.left)
    for line, of_line in itertools.groupby(each, lambda one: one.word.line):
        in_line = sorted(of_line, key=lambda one: left_of(one.word))
        for (figure, _), (text, is_spaced) in itertools.pairwise(in_line):
            if any(abs(figure.left - left) < DIFFERENT for left in begun[line]):
                yield _Pair(line, figure.left, figure.right, text.left, text.right, is_spaced)


def _are_columns(pairs: Sequence[_Pair], *, has_spaces: bool) -> bool:
    if len(pairs) < MIN_ROWS:
        return False
    _, lefts, ends, _, rights, are_spaced = zip(*pairs, strict=True)
    if max(ends) - min(ends) > ALIGNED:
        return False
    are_different = min(max(lefts) - min(lefts), max(rights) - min(rights)) > DIFFERENT
    return are_different or (has_spaces and not any(are_spaced))


def _is_run_over(touch: Touch, lines: Set[int], words: Sequence[Word]) -> bool:
    """Tell whether words of more lines than touch there, among these, leave no room for a rule."""
    over = {word.line for word in words if word.left < touch.end and touch.start < word.right}
    among = [line for line in over - lines if min(lines) < line < max(lines)]
    return len(among) > len(lines)


def _parts(cell: Cell, touches: Sequence[Touch]) -> Iterator[Cell]:
    start = 0
    for at, (one, other) in enumerate(itertools.pairwise(cell), 1):
        if any(
            abs(one.right - touch.end) < ALIGNED and abs(other.left - touch.start) < ALIGNED
            for touch in touches
        ):
            yield cell[start:at]
            start = at
    yield cell[start:]
