"""Find where letters stand that a PDF draws as several shapes, and the lines that they are in.

Fonts of today draw the dots of an Arabic letter by themselves. Programs write the letter once for
all its shapes, and PDFium takes the place of the first for that of the whole: a dot below or above
the line, behind which it sees the end of this line.
"""

import itertools
from collections.abc import Collection
from math import nan

import numpy as np
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.blocks import line_spans
from indexing.partition.pdf.boxes import Rectangle, letter_places, shares
from indexing.partition.pdf.joining_letters import NOT_WRITTEN, blanks_on
from indexing.partition.pdf.line_letters import COLUMN_GAP
from indexing.partition.pdf.pictures import bounds_of, first_objects
from indexing.partition.pdf.repeated import repeated, text_written_for, texts_written
from indexing.partition.reading_order import has_letters_from_right

MAX_OBJECTS = 50_000
"""Of a page with more these are looked at."""

NARROW = 1e-6  # of the page, the width of a space that is drawn but whose width is not known
SAME_LINE = 0.5  # of the height of the letters, between the middles of two parts of a line


def with_shapes(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str
) -> tuple[str, Shares] | None:
    """Return the text, its lines in one piece, and where its letters stand; None without shapes.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    texts = list(texts_written(textpage, raw))
    around = _around_shapes(page, {text for text in texts if text})
    if not around:
        return None
    boxes = letter_places(page, textpage, raw, range(len(raw)))
    is_shaped = [text in around for text in texts]
    boxes[is_shaped] = shares(page, np.array([around[text] for text in texts if text in around]))
    written = list(raw)
    for at in np.flatnonzero(repeated(textpage, raw)).tolist():
        written[at] = NOT_WRITTEN
    for (start, end), (other, behind) in itertools.pairwise(line_spans(raw)):
        if _are_one(boxes[start:end], boxes[other:behind]):
            written[end:other] = " " * (other - end)
    blanks = blanks_on(page) / page.get_size()
    is_drawn = boxes[:, 2] > boxes[:, 0]
    is_spaced = len(blanks) or any(written[at] == " " for at in np.flatnonzero(is_drawn).tolist())
    text = "".join(written)
    for start, end in line_spans(text):
        if has_letters_from_right(text[start:end]):
            _on_line(written, boxes, slice(start, end), blanks if is_spaced else None)
    return "".join(written), boxes


def _around_shapes(page: pypdfium2.PdfPage, texts: Collection[int]) -> dict[int, Rectangle]:
    """Return what is around the shapes that each of these texts is written for, if several."""
    if not texts:
        return {}
    drawn = first_objects(page, MAX_OBJECTS)
    named = [(text, one) for one in drawn if (text := text_written_for(one)) in texts]
    if len(named) == len({text for text, _ in named}):
        return {}
    bounds = bounds_of([one for _, one in named])
    shapes: dict[int, list[int]] = {}
    for number, (text, _) in enumerate(named):
        shapes.setdefault(text, []).append(number)
    around: dict[int, Rectangle] = {}
    for text, numbers in shapes.items():
        lows, highs = bounds[numbers].min(axis=0).tolist(), bounds[numbers].max(axis=0).tolist()
        around[text] = lows[0], highs[3], highs[2], lows[1]
    return around


def _are_one(part: Shares, other: Shares) -> bool:
    """Tell whether letters stand on one line with others."""
    (one, height), (another, other_height) = _middle(part), _middle(other)
    return abs(one - another) < SAME_LINE * max(height, other_height)


def _middle(letters: Shares) -> tuple[float, float]:
    """Return where the middle of letters is, and how high they are; NaN for none."""
    seen = letters[letters[:, 2] > letters[:, 0]]
    if not len(seen):
        return nan, nan
    tops, bottoms = seen[:, 1], seen[:, 3]
    return float(np.median(tops + bottoms)) / 2, float(np.median(bottoms - tops))


def _on_line(written: list[str], boxes: Shares, line: slice, blanks: Shares | None) -> None:
    """Give spaces their place; leave out those seen between shapes where the file has its own.

    `blanks` are where the file draws spaces by themselves; None where it has none of its own.
    """
    is_space = np.array([one.isspace() for one in written[line]], np.bool_)
    is_guessed = is_space & ~(boxes[line, 2] > boxes[line, 0])
    given = boxes[line][~is_guessed]
    middle, height = _middle(given)
    guessed = (np.flatnonzero(is_guessed) + line.start).tolist()
    if blanks is not None:
        left, right = given[:, 0].min(), given[:, 2].max()
        is_here = np.abs(blanks[:, 1] - middle) < height
        is_here &= (left <= blanks[:, 0]) & (blanks[:, 0] <= right)
        here = blanks[is_here, 0].tolist()
        for at, x in zip(guessed, here, strict=False):
            boxes[at, [0, 2]] = x, x + NARROW
        for at in guessed[len(here) + _wide_gaps(given, COLUMN_GAP * height) :]:
            written[at] = NOT_WRITTEN
    # Shapes are as high as what is drawn, and so are their middles.
    boxes[line, 1] = np.minimum(boxes[line, 1], middle - height / 2)
    boxes[line, 3] = np.maximum(boxes[line, 3], middle + height / 2)
    boxes[guessed, 1], boxes[guessed, 3] = middle - height / 2, middle + height / 2


def _wide_gaps(letters: Shares, least: float) -> int:
    """Return how many gaps between letters are as wide as that before another column."""
    sides = letters[np.argsort(letters[:, 0])][:, [0, 2]]
    reached = np.maximum.accumulate(sides[:, 1])
    return int((sides[1:, 0] - reached[:-1] > least).sum())
