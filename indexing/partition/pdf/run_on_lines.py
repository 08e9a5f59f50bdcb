"""Part the lines of a PDF page between which PDFium sees no end of a line.

It looks for one between objects of the text that are high enough for the size of their font. Where
programs draw large letters small, a full stop, a dash or the mark of an item is not, if it is drawn
by itself: the lines before it and behind it come as one.
"""

import ctypes
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat
from math import inf, isfinite

import numpy as np
import pypdfium2

from indexing.partition.pdf.boxes import Rectangles, Span
from indexing.partition.pdf.calls import direct
from indexing.partition.pdf.letters import PageLetters

HIGH = 1.6
"""By so many times several lines are higher than a letter; one with raised letters is less."""

FEW = 10
"""On a page of so few lines each may be several."""

_WORD = re.compile(r"\S+")

_get_angle = direct("FPDFText_GetCharAngle", ctypes.c_float)


def run_on_lines(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    spans: Sequence[Span],
    stand: Rectangles,
) -> list[Span]:
    """Return the lines that are several below each other; given where all of them stand."""
    heights = (stand[:, 3] - stand[:, 1]).tolist()
    least = HIGH * min(filter(isfinite, heights), default=inf) if len(spans) > FEW else 0
    # What is not known is not higher than anything.
    may_be = [
        (span, height)
        for span, height in zip(spans, heights, strict=True)
        if height > least and " " in letters.text[span[0] : span[1]]
    ]
    if not may_be:
        return []
    starts = [start for (start, _), _ in may_be]
    firsts = letters.places(page, textpage, [(start, start + 1) for start in starts])
    of_letters = (firsts[:, 3] - firsts[:, 1]).tolist()
    angles = map(_get_angle, repeat(textpage.raw), starts)
    return [
        span
        for (span, height), of_letter, angle in zip(may_be, of_letters, angles, strict=True)
        if height > HIGH * of_letter and angle == 0
    ]


def parted(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    lines: Sequence[Span],
) -> PageLetters:
    """Return the letters with the end of a line for each space in these before which one ends.

    Where there is none, they are the same.
    """
    words = [word.span() for line in lines for word in _WORD.finditer(letters.text, *line)]
    lefts, tops, rights, bottoms = letters.places(page, textpage, words).T
    middles = (tops + bottoms) / 2
    # To the right of a cell of several lines the next one may begin higher or lower.
    is_below = (middles[1:] > bottoms[:-1]) & (middles[:-1] < tops[1:]) & (lefts[1:] < rights[:-1])
    text = letters.text
    ends = [words[number][1] for number in np.flatnonzero(is_below).tolist()]
    spaces = [end for end in ends if text[end] == " "]
    if not spaces:
        return letters
    starts = [0, *(space + 1 for space in spaces)]
    parts = [text[start:end] for start, end in zip(starts, [*spaces, len(text)], strict=True)]
    return replace(letters, text="\n".join(parts))
