"""Put the raised and lowered letters of a PDF page into their lines: `25 m²`, `CO₂`, `the 5ᵗʰ`.

PDFium ends a line before an object that stands higher or lower than the one before it, and again
behind it: a sentence comes in pieces. What stands right beside the letter before it and at its
height, but is smaller or larger, is on the line of that letter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pypdfium2

from indexing.partition.pdf.boxes import Rectangle, Rectangles, Span
from indexing.partition.pdf.joining_letters import NOT_WRITTEN
from indexing.partition.pdf.letters import PageLetters
from indexing.partition.pdf.powers import may_be_power

SMALLER = (0.45, 0.9)
"""Times the height of the letters beside them; far larger ones begin a chapter."""

OVER = 0.3  # of the height of the higher letter, by which one may reach over the next
SPACE = 0.15  # the same, from which on there is a space between the two
NEAR = 0.5  # the same; what is farther apart is not beside each other

LOOKED_AT = 12
"""So many letters on both sides tell what is written between."""

_MARK = re.compile(r"\d{1,3}|[*∗†‡§]{1,3}")
# Behind words and numbers, but not behind the signs of units, elements and formulas.
_MARK_BEHIND = re.compile(r"(?:\d|[^\W\d_A-Z]{3})\n\d|\S\S\n\(\d")


@dataclass(frozen=True, slots=True)
class _Pair:
    """The last letter of a line and the first one of the next."""

    gap: float  # as the following, of the height of the higher letter
    smaller: float  # the height of the other one
    down: float  # how far its middle is below the top of the higher one
    is_next_smaller: bool

    @classmethod
    def of(cls, before: Rectangle, after: Rectangle) -> "_Pair":
        """Compare where the two stand."""
        small, large = sorted((before, after), key=_height)
        height = _height(large) or np.nan
        down = (small[1] + small[3]) / 2 - large[1]
        gap = after[0] - before[2]
        return cls(gap / height, _height(small) / height, down / height, small is after)

    @property
    def is_on_a_line(self) -> bool:
        """Whether one is right beside the other, at its height."""
        least, most = SMALLER
        is_beside = -OVER < self.gap < NEAR and 0 < self.down < 1
        return is_beside and least < self.smaller < most


def with_raised(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    spans: Sequence[Span],
    lines: Rectangles,
) -> PageLetters:
    """Return the letters without the ends of lines beside such ones; given where the lines stand.

    Where there is none, they are the same.
    """
    torn = _may_be_torn(lines)
    if not torn:
        return letters
    ends = [(spans[number][1], spans[number + 1][0]) for number in torn]
    beside = [at for end, start in ends for at in ((end - 1, end), (start, start + 1))]
    boxes = (letters.places(page, textpage, beside) * (page.get_size() * 2)).tolist()
    pairs = map(_Pair.of, boxes[::2], boxes[1::2])
    text, joined = letters.text, 0
    parts: list[str] = []
    for number, (end, start), pair in zip(torn, ends, pairs, strict=True):
        if not pair.is_on_a_line:
            continue
        line, _ = spans[number]
        # What was put behind a letter is not the whole of its line any more.
        before = text[max(end - LOOKED_AT, line - (line == joined > 0)) : end]
        between = _between(before, text[start : start + LOOKED_AT], pair)
        parts += [text[joined:end], between.ljust(start - end, NOT_WRITTEN)]
        joined = start
    return replace(letters, text="".join([*parts, text[joined:]])) if parts else letters


def _may_be_torn(lines: Rectangles) -> list[int]:
    """Return behind which lines the next one goes on at the same height."""
    lefts, tops, rights, bottoms = lines.T
    # Around a line of letters of several heights the box is as high as what is drawn.
    most = 2 * np.maximum(bottoms[1:] - tops[1:], bottoms[:-1] - tops[:-1])
    gaps = lefts[1:] - rights[:-1]
    # What is not known is not smaller than anything.
    may_be = (tops[1:] < bottoms[:-1]) & (tops[:-1] < bottoms[1:])
    may_be &= (gaps > -OVER * most) & (gaps < NEAR * most)
    return np.flatnonzero(may_be).tolist()


def _between(before: str, after: str, pair: _Pair) -> str:
    """Return what is written between the two letters, given the texts they end and begin."""
    is_chapter = len(before) == 1 and before.isupper() and after[0].isalpha()
    if pair.gap > SPACE or is_chapter:
        return " "
    if not pair.is_next_smaller:
        return " " if _MARK.fullmatch(before) and after[0].isalnum() else ""
    if pair.down < 0.5 and may_be_power(before, after):
        return "^"
    return " " if _MARK_BEHIND.search(f"{before[-3:]}\n{after[:2]}") else ""


def _height(box: Rectangle) -> float:
    return box[3] - box[1]
