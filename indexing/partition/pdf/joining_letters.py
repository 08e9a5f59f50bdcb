"""Read letters that join as they were written, in PDFs that name them by their shapes.

In the scripts of India and its neighbours, letters join into shapes. Chromium, which makes very
many invoices and reports, names several shapes as one. PDFium takes the first of them for the
whole: behind it a gap seems to be left free, and a space comes into the middle of the word. Shapes
that do not stand on the line are named once more, so that their letters come twice.
"""

import itertools
import re

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.boxes import Shares
from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.named_clusters import clusters_named_again
from indexing.partition.pdf.nameless_shapes import nameless_shapes, vowels_with_mark
from indexing.partition.pdf.repeated import Letters, repeated
from indexing.partition.pdf.unnamed import JOINING

NOT_WRITTEN = "\xad"
"""Stands in the place of what was not written, for it is left out wherever text is cleaned."""

MAX_LETTERS = 20_000
"""A page with more, or with more objects, is left as PDFium has it."""

DEPTH = 2
"""Of forms within forms that are looked into."""

MOST = 0.9
"""So many spaces have no place of their own, where the file draws each one by itself."""

SAME_LINE = 0.7  # of the height of a line, between the middle of a letter and of a mark on it
WIDE = 0.7  # of the height of a line; behind a shape taken for several there is half at most
LONGEST_SHAPE = 5
NEAREST = 12
"""How many letters the same ones come behind each other, when they are one shape."""

_JOINING = re.compile(f"[{JOINING}]+")
# Found, or not, in a third of the time; Vietnamese is among them, with several marks on a letter.
_MAY_BE_SHAPES = re.compile("[\u0900-\u17ff\u1e00-\u1eff]")
_BEHIND_JOINING = re.compile(f"(?<=[{JOINING}])[{JOINING}] (?=[{JOINING}])")
_BETWEEN_LETTERS = re.compile(r"(?<=\S) (?=\S)")
_BLANK = 0.01  # points: what is narrower has nothing drawn in it
_NO_GAP = 0.1  # of the height of a line
_NEAR = 0.05  # of the height of the letters


def as_written(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> str:
    """Return the text of the page, as PDFium has it, with `NOT_WRITTEN` for what was not."""
    if raw.isascii() or len(raw) > MAX_LETTERS or not _MAY_BE_SHAPES.search(raw):
        return raw
    is_repeated = repeated(textpage, raw)
    if not is_repeated.any() and not _JOINING.search(raw):
        return raw
    boxes = letter_places(page, textpage, raw, range(len(raw))) * (page.get_size() * 2)
    is_repeated |= _named_again(raw, boxes)
    is_repeated |= clusters_named_again(raw, boxes, _line_height(boxes))
    is_left_out = is_repeated | _false_spaces(raw, boxes, is_repeated, blanks_on(page))
    is_left_out |= _without_gap(raw, boxes)
    is_nameless = nameless_shapes(textpage, raw)
    left_out = (is_left_out | is_nameless).tolist()
    written = [NOT_WRITTEN if out else one for one, out in zip(raw, left_out, strict=True)]
    for at, vowel in vowels_with_mark(raw, boxes, is_nameless):
        written[at] = vowel
    return "".join(written)


def _named_again(raw: str, boxes: Shares) -> Letters:
    """Tell which letters come again at the place where they stand already."""
    is_repeated = np.zeros(len(raw), np.bool_)
    height = _line_height(boxes)

    def is_again(at: int, length: int) -> bool:
        """Tell whether these letters stood there shortly before."""
        letters = raw[at : at + length]
        before = raw.rfind(letters, max(0, at - NEAREST), at)
        while before >= 0:
            if not is_repeated[before] and _share_a_place(
                boxes[before : before + length], boxes[at : at + length], height
            ):
                return True
            before = raw.rfind(letters, max(0, at - NEAREST), before + length - 1)
        return False

    for match in _JOINING.finditer(raw):
        at = match.start()
        while at < match.end():
            lengths = range(min(LONGEST_SHAPE, match.end() - at), 1, -1)
            length = next((n for n in lengths if is_again(at, n)), 0)
            is_repeated[at : at + length] = True
            at += length or 1
    return is_repeated


def _line_height(boxes: Shares) -> float:
    # Shapes of several letters are as high as what is drawn, all others as their font.
    return float(np.nanquantile(boxes[:, 3] - boxes[:, 1], 0.9))


def _share_a_place(one: Shares, other: Shares, height: float) -> bool:
    """Tell whether one stands over the other; `height` is that of a line."""
    lefts, tops = np.array([one[:, :2].min(axis=0), other[:, :2].min(axis=0)]).T
    rights, bottoms = np.array([one[:, 2:].max(axis=0), other[:, 2:].max(axis=0)]).T
    is_one_line = abs(tops[0] + bottoms[0] - tops[1] - bottoms[1]) / 2 < SAME_LINE * height
    return bool(is_one_line and rights.min() - lefts.max() >= (rights - lefts).min() / 2)


def _false_spaces(
    raw: str, boxes: Shares, is_repeated: Letters, blanks: npt.NDArray[np.float64]
) -> Letters:
    """Tell which spaces are not drawn, where the file draws those that there are."""
    is_false = np.zeros(len(raw), np.bool_)
    at = np.array([match.start() for match in _BETWEEN_LETTERS.finditer(raw)], np.int_)
    is_guessed = ~(boxes[at, 2] > boxes[at, 0])
    if not len(at) or not len(blanks) or is_guessed.mean() < MOST:
        return is_false
    own = np.where(is_repeated, 0, np.arange(len(raw)))
    before, after = boxes[np.maximum.accumulate(own)[at - 1]], boxes[at + 1]
    near = _NEAR * (before[:, 3] - before[:, 1])
    # Such a space has no width, and stands before the end of the shape taken for the whole.
    is_within = boxes[at, 0] < before[:, 2] - near
    found = is_guessed & (is_within | is_repeated[at - 1])
    # Between cells nothing is drawn either.
    found &= after[:, 0] - before[:, 2] < WIDE * _line_height(boxes)
    for x, y in blanks:
        is_there = (before[:, 2] - near <= x) & (x <= after[:, 0] + near)
        is_there &= (before[:, 1] <= y + near) & (y - near <= before[:, 3])
        found &= ~is_there
    is_false[at[found]] = True
    return is_false


def _without_gap(raw: str, boxes: Shares) -> Letters:
    """Tell which spaces PDFium saw where there is no gap, in a text that has its own.

    A sign below its letter is narrower than this, and what is behind the sign is not behind a gap.
    """
    is_false = np.zeros(len(raw), np.bool_)
    at = np.array([match.end() - 1 for match in _BEHIND_JOINING.finditer(raw)], np.int_)
    is_guessed = ~(boxes[at, 2] > boxes[at, 0])
    if is_guessed.all():
        return is_false
    reached = np.maximum(boxes[at - 1, 2], boxes[at - 2, 2])
    is_false[at] = is_guessed & (np.abs(boxes[at + 1, 0] - reached) < _NO_GAP * _line_height(boxes))
    return is_false


def blanks_on(page: pypdfium2.PdfPage) -> npt.NDArray[np.float64]:
    """Return where spaces are drawn, in points from the upper left corner."""
    height = page.get_height()
    texts = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=DEPTH)
    bounds = [text.get_bounds() for text in itertools.islice(texts, MAX_LETTERS)]
    blanks = [(left, height - low) for left, low, right, _ in bounds if right - left < _BLANK]
    return np.array(blanks).reshape(-1, 2)
