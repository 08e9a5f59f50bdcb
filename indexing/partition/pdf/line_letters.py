"""Put the letters of a line in the order in which they are read, from where they stand."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from indexing.boxes import Shares
from indexing.partition.reading_order import levels, reading_order

SPACE = 0.1  # of the height of the letters
COLUMN_GAP = 0.9  # the same
SAME_LINE = 0.6  # the same, between the middle of a letter and that of most
MOST = 0.9  # of the letters of a line are at most so high

_ALEFS, _LAM = "اأإآٱ", "ل"


@dataclass(frozen=True, slots=True)
class Line:
    """A line with the boxes of its letters, in any order of those that stand beside each other."""

    text: str
    boxes: Shares

    def is_guessed(self, at: int) -> bool:
        """Tell whether a space is not in the file, but was put where a gap was seen.

        It has no width, and may stand on the wrong side of a letter.
        """
        return self.text[at].isspace() and not self.boxes[at, 2] > self.boxes[at, 0]


@dataclass(frozen=True, slots=True)
class LineReading:
    """In which order the letters of a line are read, and which of them from right to left."""

    order: list[int]
    turned: list[bool]


def read_line(line: Line, *, from_right: bool) -> LineReading | None:
    """Return the order in which the letters are read; None if they do not stand on one line."""
    guessed = [at for at in range(len(line.text)) if line.is_guessed(at)]
    given = [at for at in range(len(line.text)) if not line.is_guessed(at)]
    tops, bottoms = line.boxes[given, 1], line.boxes[given, 3]
    middles, heights = (tops + bottoms) / 2, bottoms - tops
    height = np.median(heights)
    off = np.abs(middles - np.median(middles))
    # Fonts of drawings have letters as high as each is drawn, far below the line or above it.
    highest = np.quantile(heights, MOST)
    if not (off <= SAME_LINE * np.maximum(heights, highest)).all():  # nor if a place is not known
        return None
    clusters, left_over = _spaced(_clusters(line, given), guessed, SPACE * height)
    seen = "".join(line.text[one.letters[0]] for one in clusters)
    gaps = _wide_gaps(seen, clusters, COLUMN_GAP * height)
    found = levels(seen, gaps, from_right=from_right)
    order, turned = [], []
    for number in reading_order(found):
        letters = clusters[number].letters
        order += letters
        turned += [found[number] % 2 == 1] * len(letters)
    _turn_ligatures(order, line)
    return LineReading(order + left_over, turned + [False] * len(left_over))


@dataclass(slots=True)
class _Cluster:
    """A letter with the marks on it."""

    letters: list[int]
    left: float
    right: float


def _clusters(line: Line, given: Sequence[int]) -> list[_Cluster]:
    """Return the letters from left to right, each with its marks."""
    lefts, rights = line.boxes[:, 0], line.boxes[:, 2]
    centers = (lefts + rights) / 2
    is_mark = {at: unicodedata.bidirectional(line.text[at]) == "NSM" for at in given}
    letters = sorted((at for at in given if not is_mark[at]), key=lambda at: (centers[at], at))
    clusters = [_Cluster([at], float(lefts[at]), float(rights[at])) for at in letters]
    marks = sorted(
        (at for at in given if is_mark[at]), key=lambda at: unicodedata.combining(line.text[at])
    )
    # Over its letter; or to its left, where both share the place of one shape.
    reached = np.maximum.accumulate(rights[letters])
    owners = np.searchsorted(reached, centers[marks], "right").tolist()
    for mark, owner in zip(marks, owners, strict=True):
        if owner == len(letters):
            clusters.append(_Cluster([mark], float(lefts[mark]), float(rights[mark])))
        else:
            clusters[owner].letters.append(mark)
            clusters[owner].left = min(clusters[owner].left, float(lefts[mark]))
    return clusters


def _spaced(
    clusters: list[_Cluster], spaces: list[int], least: float
) -> tuple[list[_Cluster], list[int]]:
    """Put spaces into the widest gaps; return those as well for which there is none."""
    gaps = [
        (after.left - before.right, at)
        for at, (before, after) in enumerate(pairwise(clusters), 1)
        if after.left - before.right >= least
    ]
    widest = sorted(at for _, at in sorted(gaps, reverse=True)[: len(spaces)])
    spaced = list(clusters)
    for at, space in zip(reversed(widest), spaces, strict=False):
        left, right = clusters[at - 1].right, clusters[at].left
        spaced.insert(at, _Cluster([space], left, right))
    return spaced, spaces[len(widest) :]


def _wide_gaps(seen: str, clusters: Sequence[_Cluster], least: float) -> list[int]:
    """Return the letters before which so much is left free that another column begins."""
    words = [at for at, letter in enumerate(seen) if not letter.isspace()]
    return [
        after
        for before, after in pairwise(words)
        if clusters[after].left - clusters[before].right > least
    ]


def _turn_ligatures(order: list[int], line: Line) -> None:
    """Lam and alef are often one shape, and may come turned round; nobody writes them so."""
    for at, (one, other) in enumerate(pairwise(order)):
        is_turned = line.text[one] in _ALEFS and line.text[other] == _LAM
        if is_turned and np.array_equal(line.boxes[one], line.boxes[other]):
            order[at], order[at + 1] = other, one
