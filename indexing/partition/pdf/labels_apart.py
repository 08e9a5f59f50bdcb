"""Put the numbers and bullets of items, drawn apart from the lines of a PDF page, before these.

WeasyPrint draws those of lists behind all other text of the page, browsers those of clauses that
float beside their text before it: the numbers of a contract stand in a heap. Where they belong
shows in where they stand.
"""

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from indexing.partition.pdf.boxes import Rectangle, Rectangles, Span
from indexing.partition.pdf.letters import PageLetters
from indexing.partition.pdf.reordered import Piece, reordered

SAME_LINE = 0.35  # of the height of a line, between its middle and that of its label
NEAR = 4.0  # the same, between both
OVER = 0.1  # the same, by which a label may reach over its line
SKIPPED = 3  # numbers at most, from one label to the next: others stand in their lines already

_LABEL = re.compile(
    r"[•◦▪‣●○■□]|§ ?\d{1,4}|(?P<levels>[1-9]\d?(?:\.[1-9]\d?){1,4})\.?"
    r"|\(?(?:\d{1,3}|[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)]"
)
LONGEST_LABEL = 15
"""As many letters has the longest of these."""

_LETTERS = re.compile(r"[^\W\d_]{2}")


def with_labels(letters: PageLetters, spans: Sequence[Span], lines: Rectangles) -> PageLetters:
    """Return the letters with each label in the line beside it; given where all lines stand.

    Where none stands apart, they are the same.
    """
    found = _found(letters.text, spans)
    labels = dict.fromkeys(_labels(found, lines[:, 1]) if found else ())
    if not labels:
        return letters
    stand = _Lines.of(lines, is_from_right=letters.is_from_right)
    beside: dict[int, int] = {}
    for n in labels:
        line = stand.beside(n, in_heap=n - 1 in labels)
        if line is not None:
            beside[n] = line
    owned: dict[int, list[int]] = {}
    for label in beside:
        line = _line_of(label, beside)
        if _LETTERS.search(letters.text, *spans[line]):
            owned.setdefault(line, []).append(label)
    if not owned:
        return letters
    for of_line in owned.values():
        of_line.sort(key=stand.left_of)
    pieces = list(_pieces(len(letters.text), spans, owned))
    return reordered(letters, pieces)


@dataclass(frozen=True, slots=True)
class _Lines:
    """Where lines stand: as in a mirror, if they are read from the right."""

    places: Sequence[Rectangle]
    known: Sequence[int]  # which have a place, from the top
    middles: Sequence[float]  # of the same
    highest: float  # of the same

    @classmethod
    def of(cls, lines: Rectangles, *, is_from_right: bool) -> "_Lines":
        if is_from_right:
            lines = lines[:, [2, 1, 0, 3]] * [-1, 1, -1, 1]
        middles, heights = (lines[:, 1] + lines[:, 3]) / 2, lines[:, 3] - lines[:, 1]
        # What is not known comes last.
        known = middles.argsort()[: np.count_nonzero(middles == middles)]
        highest = float(heights[known].max(initial=0))
        return cls(lines.tolist(), known.tolist(), middles[known].tolist(), highest)

    def left_of(self, line: int) -> float:
        return self.places[line][0]

    def beside(self, label: int, *, in_heap: bool) -> int | None:
        """Return the line that begins next behind a label; None if none does so near to it.

        None as well, if its text follows it already, unless that of other labels does `in_heap`: it
        stands beside the middle of this text.
        """
        _, top, right, bottom = self.places[label]
        middle, reach = (top + bottom) / 2, SAME_LINE * self.highest
        start = bisect.bisect_left(self.middles, middle - reach)
        end = bisect.bisect(self.middles, middle + reach)
        near = zip(self.known[start:end], self.middles[start:end], strict=True)
        behind = [
            (self.left_of(n) - right, n)
            for n, its_middle in near
            if abs(its_middle - middle) < SAME_LINE * self._height(n) and self._is_behind(label, n)
        ]
        if not behind:
            return None
        gap, nearest = min(behind)
        between = range(label + 1, nearest)
        if not in_heap and label < nearest and all(self._is_behind(label, n) for n in between):
            return None
        return nearest if gap < NEAR * self._height(nearest) else None

    def _is_behind(self, label: int, line: int) -> bool:
        left, _, right, _ = self.places[label]
        begin = self.left_of(line)
        return begin > left and begin - right > -OVER * self._height(line)

    def _height(self, line: int) -> float:
        _, top, _, bottom = self.places[line]
        return bottom - top


def _found(text: str, spans: Sequence[Span]) -> dict[int, re.Match[str]]:
    """Return the lines that are like a label: of most pages hardly one is as short."""
    short = [n for n, (start, end) in enumerate(spans) if 0 < end - start <= LONGEST_LABEL]
    return {n: match for n in short if (match := _LABEL.fullmatch(text, *spans[n]))}


def _labels(found: Mapping[int, re.Match[str]], tops: npt.NDArray[np.float64]) -> list[int]:
    """Return the lines that are nothing but a label; those like figures go up down the page."""
    levels = {n: match["levels"].split(".") for n, match in found.items() if match["levels"]}
    lists: dict[Sequence[str], dict[int, int]] = {}
    for n, (*above, number) in levels.items():
        lists.setdefault(tuple(above), {})[int(number)] = n
    of_lists = {
        n
        for numbers in lists.values()
        for (one, before), (other, after) in pairwise(sorted(numbers.items()))
        if other - one <= SKIPPED and tops[before] < tops[after]
        for n in (before, after)
    }
    return [n for n in found if n not in levels or n in of_lists]


def _line_of(label: int, beside: Mapping[int, int]) -> int:
    """Return the line of the label, that of a further label where one follows the other."""
    line = beside[label]
    while line in beside:
        line = beside[line]
    return line


def _pieces(
    length: int, spans: Sequence[Span], owned: Mapping[int, Sequence[int]]
) -> Iterator[Piece]:
    """Yield the pieces of the text with each label at the beginning of its line.

    What is between a label and the next line goes with it.
    """
    starts = [*(start for start, _ in spans), length]
    moved = {label for labels in owned.values() for label in labels}
    at = 0
    for n in sorted({*owned, *moved}):
        yield slice(at, starts[n])
        at = starts[n + (n in moved)]
        for label in owned.get(n, ()):
            yield slice(*spans[label])
            yield " "
    yield slice(at, length)
