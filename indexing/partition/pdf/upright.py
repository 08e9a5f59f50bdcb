"""Turn a PDF page until most of its text stands upright: only then PDFium finds lines in order."""

import ctypes
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import repeat
from math import pi

import numpy as np
import pypdfium2

from indexing.boxes import DECIMALS, turned
from indexing.partition.pdf.boxes import forget_sheets, quarter_turns
from indexing.partition.pdf.calls import direct
from indexing.partition.pdf.mirrored import is_mirrored
from indexing.types import PageBox

SAMPLED_LETTERS = 60

_get_angle = direct("FPDFText_GetCharAngle", ctypes.c_float)


def turns_to_upright(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> int:
    """Return by how many quarter turns clockwise most of the text would come to stand upright.

    `raw` is the text of the page as PDFium returns it.
    """
    step = len(raw) // SAMPLED_LETTERS + 1
    letters = [place for place in range(0, len(raw), step) if raw[place].isalnum()]
    angles = list(map(_get_angle, repeat(textpage.raw), letters))
    if not any(angles) and not quarter_turns(page):
        return 0
    turns: Counter[int] = Counter()
    for letter, angle in zip(letters, angles, strict=True):
        # PDFium counts clockwise too, so what runs upwards has an angle of three quarter turns.
        turn = -round(angle / (pi / 2)) % 4
        if turn and is_mirrored(textpage, letter):
            turn += 2  # The angle is that of the line, which a mirror turns round.
        turns[turn % 4] += 1
    if not turns:
        return 0
    ((of_most, _),) = turns.most_common(1)
    return int((of_most - quarter_turns(page)) % 4)


@contextmanager
def turned_page(page: pypdfium2.PdfPage, quarter_turns: int) -> Iterator[pypdfium2.PdfTextPage]:
    """Turn the page clockwise for as long as the text of it so turned is read."""
    rotation = page.get_rotation()
    page.set_rotation((rotation + 90 * quarter_turns) % 360)
    forget_sheets()
    try:
        with closing(page.get_textpage()) as textpage:
            yield textpage
    finally:
        page.set_rotation(rotation)
        forget_sheets()


def turned_back(box: PageBox | None, quarter_turns: int) -> PageBox | None:
    """Return a box on the page that was turned clockwise as a box on the page as it is."""
    if box is None:
        return None
    left, top, right, bottom = turned(np.array([box]), -quarter_turns)[0].round(DECIMALS).tolist()
    return left, top, right, bottom
