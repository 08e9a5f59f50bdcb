"""Read the lines of a PDF page that PDFium tears apart.

It takes the text of a page as written from top to bottom where more of the page's height than of
its width has text: a list of a few narrow columns. An object of the text that does not stand below
the one before then is a line of its own: a cell, a word, a ligature that its font does not have, or
each letter of what browsers print. One that does, goes on with the line: a whole table may be one.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.boxes import Rectangles, quarter_turns
from indexing.partition.pdf.calls import Numbers
from indexing.partition.pdf.pictures import Drawn, bounds_of

FULL_WIDTH = 0.8
"""Text over so much of its width is never taken as written from top to bottom."""

SAMPLED = (10, 100)  # objects

SAME_LINE = 0.25  # of the height of a line, between the middles of two
OVER = 0.3  # the same, by which one letter may reach over the next

_SPACES = "    ".encode("utf-16-le") + b"\0\0"
_FONT = b"Helvetica"
_HEIGHT = 4.0  # points


def are_torn(lines: Rectangles) -> bool:
    """Tell whether a line begins to the right of the one before; given where they stand."""
    lefts, tops, rights, bottoms = lines.T
    heights = bottoms - tops
    highest = np.maximum(heights[1:], heights[:-1])
    apart = np.abs(tops[1:] + bottoms[1:] - tops[:-1] - bottoms[:-1]) / 2
    gaps = lefts[1:] - rights[:-1]
    # What is not known is not smaller than anything.
    return bool(((apart < SAME_LINE * highest) & (gaps > -OVER * highest)).any())


def is_read_downwards(
    page: pypdfium2.PdfPage, drawn: Callable[[], Drawn], lines: Rectangles
) -> bool:
    """Tell whether PDFium takes the text of the page as written from top to bottom, as it finds it.

    Of a page that is turned, that is right.
    """
    if quarter_turns(page) % 2:
        return False
    texts = drawn().of(pdfium.FPDF_PAGEOBJ_TEXT)
    # These two pass over what is not known.
    full = FULL_WIDTH * (np.fmax.reduce(lines[:, 2]) - np.fmin.reduce(lines[:, 0]))
    # Of most pages some lines suffice.
    for count in SAMPLED:
        filled, _ = _filled(_bounds(page, texts[:count])[:, ::2])
        if filled > full:
            return False
    bounds = _bounds(page, texts)
    (across, width), (down, height) = _filled(bounds[:, ::2]), _filled(bounds[:, 1::2])
    return width > 0 and across / width <= min(FULL_WIDTH, down / height)


def _bounds(page: pypdfium2.PdfPage, objects: Numbers) -> npt.NDArray[np.int_]:
    """Return left, bottom, right and top of each object on the page, in whole points."""
    # `np.clip` takes several times as long for as few as most are.
    whole = np.minimum(np.maximum(bounds_of(objects), 0), page.get_size() * 2).astype(np.int_)
    lefts, bottoms, rights, tops = whole.T
    on_page: npt.NDArray[np.int_] = whole[(lefts < rights) & (bottoms < tops)]
    return on_page


def _filled(ranges: npt.NDArray[np.int_]) -> tuple[int, int]:
    """Count the points that lie in one of the ranges, and all from the first to the last."""
    if not len(ranges):
        return 0, 0
    starts, ends = ranges.T
    end = int(ends.max())
    changes = np.bincount(starts, minlength=end + 1) - np.bincount(ends)
    return int(np.count_nonzero(np.cumsum(changes))), end - int(starts.min())


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
