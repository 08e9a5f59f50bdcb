"""Find where the lines of a PDF page's text stand on it.

PDFium tells the place of each character, and rectangles around the characters of a range. The
latter are one for a word or less, so a line is measured by its first and last character. Only where
these two do not stand on one line (a broken word was put together, PDFium saw no end of a line, the
text runs upwards) the rectangles in between are asked for.
"""

import ctypes
import struct
from array import array
from collections.abc import Sequence
from itertools import repeat
from math import nan

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.boxes import Shares, page_boxes, turned
from indexing.partition.blocks import line_spans
from indexing.types import PageBox

SAME_LINE = 0.25
"""How far the middles of two characters on a line lie apart, of the higher one's height."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the lower left corner; NaN where not known."""

_UNKNOWN: Rectangle = (nan, nan, nan, nan)
_TWO_RECTANGLES = struct.Struct("8f")

# PDFium's own functions with plain numbers for pointers, called without letting other threads run:
# several times as fast, for two characters of each line.
_get_loose_box = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)


def line_boxes(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str
) -> list[PageBox | None]:
    """Return the box of each line of the page's text, None for blank lines and those off the page.

    `raw` is the whole text as PDFium returns it; the lines are those of its `page_text`.
    """
    ends = [(start, end - 1) for start, end in line_spans(raw)]
    if textpage.count_chars() != len(raw):
        ends = [_character_indices(textpage, raw, places) for places in ends]
    return page_boxes(_shares(page, _rectangles(textpage, ends)))


def _character_indices(
    textpage: pypdfium2.PdfTextPage, raw: str, places: tuple[int, int]
) -> tuple[int, int]:
    """Return which of the page's characters stand at these places of its text.

    Some characters have no text, and one outside of Unicode's first plane is two for PDFium.
    """
    units = [len(raw[:place].encode("utf-16-le", "surrogatepass")) // 2 for place in places]
    first, last = (pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, unit) for unit in units)
    return first, last


def _rectangles(
    textpage: pypdfium2.PdfTextPage, ends: Sequence[tuple[int, int]]
) -> list[Rectangle]:
    """Return what is around each line, given the indices of its first and last character."""
    values = array("f", [nan]) * (8 * len(ends))
    address, size = values.buffer_info()
    addresses = range(address, address + size * values.itemsize, _TWO_RECTANGLES.size // 2)
    indices = [index for first_and_last in ends for index in first_and_last]
    pointer = ctypes.cast(textpage.raw, ctypes.c_void_p).value
    # Both boxes are as high as their fonts.
    list(map(_get_loose_box, repeat(pointer), indices, addresses))
    rectangles: list[Rectangle] = []
    for (first, last), (left, top, right, bottom, left_2, top_2, right_2, bottom_2) in zip(
        ends, _TWO_RECTANGLES.iter_unpack(values), strict=True
    ):
        apart = abs(top + bottom - top_2 - bottom_2) / 2
        if first > last:
            rectangles.append(_UNKNOWN)
        elif apart <= SAME_LINE * max(top - bottom, top_2 - bottom_2):
            both = (left, top, right, bottom), (left_2, top_2, right_2, bottom_2)
            rectangles.append(_around(both))
        else:
            rectangles.append(_around(_parts(textpage, first, last) or [_UNKNOWN]))
    return rectangles


def _parts(textpage: pypdfium2.PdfTextPage, first: int, last: int) -> list[Rectangle]:
    """Return PDFium's rectangles around these and the characters between them."""
    count = textpage.count_rects(first, last - first + 1)
    parts = (textpage.get_rect(number) for number in range(count))
    return [(left, top, right, bottom) for left, bottom, right, top in parts]


def _around(rectangles: Sequence[Rectangle]) -> Rectangle:
    """Return what is around all of them."""
    lefts, tops, rights, bottoms = zip(*rectangles, strict=True)
    return min(lefts), max(tops), max(rights), min(bottoms)


def _shares(page: pypdfium2.PdfPage, rectangles: Sequence[Rectangle]) -> Shares:
    """Return the rectangles as shares of the page, cropped and turned as it is displayed."""
    left, bottom, right, top = page.get_bbox()
    width, height = right - left, top - bottom
    origin, size = np.array([left, top, left, top]), np.array([width, -height, width, -height])
    return turned((np.array(rectangles) - origin) / size, page.get_rotation() // 90)
