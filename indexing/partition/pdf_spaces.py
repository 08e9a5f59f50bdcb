"""Tell the spaces of a PDF page that are not there.

In the scripts of India and its neighbours, letters join into shapes. Chromium, which makes very
many invoices and reports, writes several of them as one, and PDFium takes the first for the whole:
behind it a gap seems to be left free, and a space comes into the middle of the word. But such files
also draw the spaces that there are.
"""

import itertools
import re

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf_boxes import places

NOT_SEEN = "\xad"
"""Stands in the place of such a space, for it is left out wherever text is cleaned."""

MAX_LETTERS = 50_000
"""A page with more, or with more objects, is left as PDFium has it."""

DEPTH = 2
"""Of forms within forms that are looked into."""

MOST = 0.9
"""So many spaces have no place of their own, where the file draws each one by itself."""

# From Devanagari to Lao, Burmese and Khmer.
_JOINING = re.compile("[\u0900-\u0eff\u1000-\u109f\u1780-\u17ff]")
_BETWEEN_LETTERS = re.compile(r"(?<=\S) (?=\S)")
_BLANK = 0.01  # points: what is narrower has nothing drawn in it
_NEAR = 0.05  # of the height of the letters


def without_false_spaces(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> str:
    """Return the text of the page, as PDFium has it, with `NOT_SEEN` in place of false spaces."""
    if raw.isascii() or len(raw) > MAX_LETTERS or not _JOINING.search(raw):
        return raw
    at = [match.start() for match in _BETWEEN_LETTERS.finditer(raw)]
    blanks = _blanks(page)
    if not at or not len(blanks):
        return raw
    spans = [(place + side, place + side + 1) for place in at for side in (-1, 0, 1)]
    width, height = page.get_size()
    boxes = places(page, textpage, raw, spans).reshape(-1, 3, 4) * (width, height, width, height)
    before, spaces, after = boxes.swapaxes(0, 1)
    near = _NEAR * (before[:, 3] - before[:, 1])
    # Such a space has no width, and stands before the end of the letter taken for the whole.
    is_guessed = ~(spaces[:, 2] > spaces[:, 0])
    if is_guessed.mean() < MOST:
        return raw
    is_false = is_guessed & (spaces[:, 0] < before[:, 2] - near)
    for blank_x, blank_y in blanks:
        is_there = (before[:, 2] - near <= blank_x) & (blank_x <= after[:, 0] + near)
        is_there &= (before[:, 1] <= blank_y + near) & (blank_y - near <= before[:, 3])
        is_false &= ~is_there
    letters = list(raw)
    for place in np.array(at)[is_false].tolist():
        letters[place] = NOT_SEEN
    return "".join(letters)


def _blanks(page: pypdfium2.PdfPage) -> np.ndarray:
    """Return where spaces are drawn, in points from the upper left corner."""
    height = page.get_height()
    texts = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=DEPTH)
    bounds = [text.get_bounds() for text in itertools.islice(texts, MAX_LETTERS)]
    blanks = [(left, height - low) for left, low, right, _ in bounds if right - left < _BLANK]
    return np.array(blanks).reshape(-1, 2)
