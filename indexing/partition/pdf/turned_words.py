"""Put together what stands on its side on a PDF page whose text stands upright.

PDFium ends a line, or sees a space, before each object of such a text: it looks for the next one to
the right. Programs draw a few letters each, with the distance of some put right in between.
"""

import ctypes
import re
from collections.abc import Sequence
from itertools import pairwise, repeat
from math import pi

import numpy as np
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.pdf.boxes import letter_places, quarter_turns
from indexing.partition.pdf.calls import direct
from indexing.partition.pdf.joining_letters import NOT_WRITTEN

MAX_PARTS = 5000
"""A page with more is left as PDFium has it."""

NEAR = 0.15  # of the height of the letters; what is farther apart is another word
SAME_TEXT = 1.0  # the same; what is farther apart is another text
OVER = 0.3  # the same, by which one letter may reach over the next
SAME_LINE = 0.25  # the same, between the middles of two letters

_LINE = re.compile(r"\S[^\n]*")
_PART = re.compile(r"\S+")

_get_angle = direct("FPDFText_GetCharAngle", ctypes.c_float)
_is_generated = direct("FPDFText_IsGenerated", ctypes.c_int)


def with_turned_words(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> str:
    """Return the text with such words put together, and as long as it was.

    `raw` is that of the page as PDFium has it.
    """
    upright = quarter_turns(page)
    lines = [match.start() for match in _LINE.finditer(text)]
    has_angles = upright or any(map(_get_angle, repeat(textpage.raw), lines))
    if not (has_angles and any(_turns(textpage, lines, upright))):
        return text
    parts = [match.span() for match in _PART.finditer(text)]
    if len(parts) > MAX_PARTS:
        return text
    turns = _turns(textpage, [start for start, _ in parts], upright)
    between = [
        (before[1], after[0], turn)
        for (before, turn), (after, next_turn) in pairwise(zip(parts, turns, strict=True))
        if turn == next_turn != 0
    ]
    if not between:
        return text
    ends = [at for end, start, _ in between for at in (end - 1, start)]
    boxes = letter_places(page, textpage, raw, ends) * (page.get_size() * 2)
    written = list(text)
    for (end, start, turn), before, after in zip(between, boxes[::2], boxes[1::2], strict=True):
        gap = _gap(before, after, turn)
        is_made_up = all(map(_is_generated, repeat(textpage.raw), range(end, start)))
        if gap <= NEAR and is_made_up:
            written[end:start] = NOT_WRITTEN * (start - end)
        elif gap <= SAME_TEXT:
            written[end:start] = " " + NOT_WRITTEN * (start - end - 1)
    return "".join(written)


def _turns(textpage: pypdfium2.PdfTextPage, letters: Sequence[int], upright: int) -> list[int]:
    """Return by how many quarter turns clockwise each of these letters is displayed."""
    angles = map(_get_angle, repeat(textpage.raw), letters)
    return [(round(angle / (pi / 2)) + upright) % 4 if angle or upright else 0 for angle in angles]


def _gap(before: Shares, after: Shares, turn: int) -> float:
    """Return how far the next letter stands behind, of their height; more than any if beside."""
    one, other = (np.array([box]) for box in (before, after))
    (_, top, right, bottom), (next_left, next_top, _, next_bottom) = (
        _turned(box, turn)[0].tolist() for box in (one, other)
    )
    height = max(bottom - top, next_bottom - next_top)
    is_beside = abs(top + bottom - next_top - next_bottom) / 2 <= SAME_LINE * height
    gap = (next_left - right) / height if height else np.inf
    return gap if is_beside and gap >= -OVER else np.inf


def _turned(boxes: Shares, turn: int) -> Shares:
    """Return the boxes as they stand where text that is turned by so many quarters is upright."""
    for _ in range(turn):
        left, top, right, bottom = boxes.T
        boxes = np.array([top, -right, bottom, -left]).T
    return boxes
