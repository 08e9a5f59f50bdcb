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

import numpy as np
import pypdfium2

from indexing.partition.pdf_boxes import Rectangles, Span
from indexing.partition.pdf_calls import direct
from indexing.partition.pdf_letters import PageLetters

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
    heights = stand[:, 3] - stand[:, 1]
    lowest = heights.min(initial=np.inf, where=np.isfinite(heights))
    # What is not known is not higher than anything.
    numbers = np.flatnonzero(heights > (HIGH * lowest if len(spans) > FEW else 0)).tolist()
    numbers = [number for number in numbers if " " in letters.text[slice(*spans[number])]]
    if not numbers:
        return []
    starts = [spans[number][0] for number in numbers]
    firsts = letters.places(page, textpage, [(start, start + 1) for start in starts])
    is_high = heights[numbers] > HIGH * (firsts[:, 3] - firsts[:, 1])
    is_upright = [angle == 0 for angle in map(_get_angle, repeat(textpage.raw), starts)]
    return [spans[number] for number in np.array(numbers)[is_high & is_upright].tolist()]


def parted(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    lines: Sequence[Span],
) -> PageLetters:
    """Return the letters with the end of a line for each space in these before which one ends."""
    words = [word.span() for line in lines for word in _WORD.finditer(letters.text, *line)]
    lefts, tops, rights, bottoms = letters.places(page, textpage, words).T
    middles = (tops + bottoms) / 2
    # To the right of a cell of several lines the next one may begin higher or lower.
    is_below = (middles[1:] > bottoms[:-1]) & (middles[:-1] < tops[1:]) & (lefts[1:] < rights[:-1])
    text = list(letters.text)
    for number in np.flatnonzero(is_below).tolist():
        end = words[number][1]
        if text[end] == " ":
            text[end] = "\n"
    return replace(letters, text="".join(text))
