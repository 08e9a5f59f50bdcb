"""Put lines together again that PDFium tears at a mark high above a letter from the right.

The two dashes that end many an Arabic word (tanween) stand above its alef, the highest letter that
there is. PDFium takes them for the beginning of another line: the words behind them come first,
and the words before them in a line of their own.
"""

import itertools
import re

import numpy as np
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.blocks import line_spans
from indexing.partition.pdf.boxes import Span, letter_places
from indexing.partition.pdf.joining_letters import NOT_WRITTEN

NEAR = 1.0  # of the height of the letters, between the two parts of a line
SAME_LINE = 0.5  # the same, between their middles

_MARK = "[\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670]"
_MARK_AT_EDGE = re.compile(f"^{_MARK}|{_MARK}(?=\r?$)", re.MULTILINE)
_IS_MARK = re.compile(_MARK)


def with_whole_lines(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    raw: str,
    placed: tuple[str, Shares] | None,
) -> tuple[str, Shares] | None:
    """Return the text with whole lines, and where its letters stand; what is known if none is torn.

    What is known is a text as long as `raw`, that of the page as PDFium has it, or nothing.
    """
    if not _MARK_AT_EDGE.search(raw):
        return placed
    text, boxes = placed or (raw, letter_places(page, textpage, raw, range(len(raw))))
    points = boxes * (page.get_size() * 2)
    written, stand = list(text), boxes.copy()
    for one, other in itertools.pairwise(_lines_of_letters(text)):
        if _are_torn(text, points, one, other):
            ends = [at for at in range(one[1], other[0]) if text[at] in "\r\n"]
            for at in ends:
                written[at] = NOT_WRITTEN
            stand[ends] = stand[_letters(text, one)[0]]
            # The space behind the word is now the first or the last sign of its part.
            outer = [at for at in (one[0] - 1, other[1]) if text[at : at + 1] == " "]
            for at, space in zip(ends, outer, strict=False):
                written[at], stand[at] = " ", stand[space]
    return placed if "".join(written) == text else ("".join(written), stand)


def _lines_of_letters(text: str) -> list[Span]:
    """Return the lines that are not of marks alone."""
    return [span for span in line_spans(text) if _letters(text, span)]


def _letters(text: str, span: Span) -> list[int]:
    """Return the letters of a part that are neither spaces nor marks."""
    return [at for at in range(*span) if not text[at].isspace() and not _IS_MARK.match(text[at])]


def _are_torn(text: str, points: Shares, one: Span, other: Span) -> bool:
    """Tell whether two lines with a mark at an end, or between, stand side by side, close."""
    parts = [text[slice(*one)], text[slice(*other)], text[one[1] : other[0]].strip()]
    if not any(map(_MARK_AT_EDGE.search, parts)):
        return False
    (left, middle, right, height), (start, beside, end, as_high) = (
        _around(points[_letters(text, span)]) for span in (one, other)
    )
    height = max(height, as_high)
    gap = max(start - right, left - end)
    return abs(middle - beside) < SAME_LINE * height and -NEAR * height < gap < NEAR * height


def _around(letters: Shares) -> tuple[float, float, float, float]:
    """Return where letters begin, their middle, where they end, and how high they are."""
    lefts, tops, rights, bottoms = letters.T
    middle = float(np.median(tops + bottoms)) / 2
    return float(lefts.min()), middle, float(rights.max()), float(np.median(bottoms - tops))
