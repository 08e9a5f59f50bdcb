"""Read the lines of a PDF page that PDFium tears apart.

It takes the text of a page as written from top to bottom where more of the page's height than of
its width has text: a list of a few narrow columns. Each object of the text then is a line of its
own, which is a word, or a letter in what browsers print.
"""

import ctypes
from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf_boxes import Rectangles

MIN_TORN = 3
TORN = 0.4  # of the lines
"""Other pages have a tenth at most; of those that PDFium has torn, nearly all are."""

SAME_LINE = 0.25  # of the height of a line, between the middles of two
NEAR = 0.3  # the same, between two words or letters

_SPACES = "    ".encode("utf-16-le") + b"\0\0"
_FONT = b"Helvetica"
_HEIGHT = 4.0  # points


def are_torn(lines: Rectangles) -> bool:
    """Tell whether many lines begin right behind the one before; given where they stand."""
    lefts, tops, rights, bottoms = lines.T
    heights = bottoms - tops
    highest = np.maximum(heights[1:], heights[:-1])
    apart = np.abs(tops[1:] + bottoms[1:] - tops[:-1] - bottoms[:-1]) / 2
    gaps = lefts[1:] - rights[:-1]
    # What is not known is not smaller than anything.
    count = ((apart < SAME_LINE * highest) & (np.abs(gaps) < NEAR * highest)).sum()
    return bool(count >= max(MIN_TORN, TORN * len(lines)))


@contextmanager
def widened_page(page: pypdfium2.PdfPage) -> Iterator[pypdfium2.PdfTextPage]:
    """Give the page text over all of its width, for as long as its lines are read: spaces."""
    spaces = pdfium.FPDFPageObj_NewTextObj(page.pdf, _FONT, 1.0)
    text = ctypes.create_string_buffer(_SPACES)
    pdfium.FPDFText_SetText(spaces, ctypes.cast(text, pdfium.FPDF_WIDESTRING))
    sides = [ctypes.c_float() for _ in range(4)]
    pdfium.FPDFPageObj_GetBounds(spaces, *sides)
    length = sides[2].value - sides[0].value
    left, bottom, right, _ = page.get_bbox()
    # Spaces have no height. As they rise towards the right, all of them together have one.
    across, up = (right - left) / length, _HEIGHT / length
    pdfium.FPDFPageObj_Transform(spaces, across, up, 0, 1, left, bottom)
    pdfium.FPDFPage_InsertObject(page, spaces)
    try:
        with closing(page.get_textpage()) as textpage:
            yield textpage
    finally:
        pdfium.FPDFPage_RemoveObject(page, spaces)
        pdfium.FPDFPageObj_Destroy(spaces)
