"""Find where the lines of a PDF page's text stand on it.

PDFium tells the place of each character, and rectangles around the characters of a range. The
latter are one for a word or less, so a line is measured by its first and last character. Only where
these two do not stand on one line (a broken word was put together, PDFium saw no end of a line, the
text runs upwards) the rectangles in between are asked for.
"""

import ctypes
import functools
from collections.abc import Sequence
from itertools import chain, repeat
from math import nan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.boxes import Shares, turned
from indexing.partition.pdf.calls import Answers, Things, compiled, direct, ready_made

SAME_LINE = 0.25
"""How far the middles of two characters on a line lie apart, of the higher one's height."""

LAST_OF_FIRST_PLANE = 0xFFFF
"""Of Unicode: what is behind it takes two of the units that PDFium counts by."""

Span = tuple[int, int]
"""From where a part of the text reaches up to where."""

Rectangle = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the lower left corner."""

Rectangles = npt.NDArray[np.float64]
"""Rows of the same; NaN where not known."""

_NOWHERE: Rectangle = (nan, nan, nan, nan)

_LAST_WITHIN = np.array([0, 1])  # Spans end behind their last character.
_OPEN_PAGES = 16  # at the most that are read in step

Indices = npt.NDArray[np.int_]
"""Rows of the first and the last character of a part, or of one that is both."""

Spans = Sequence[Span] | npt.NDArray[np.int_]
"""Of parts of the text, also as rows of two."""

_count_characters = direct("FPDFText_CountChars", ctypes.c_int)
_get_page_box = direct("FPDF_GetPageBoundingBox", None)
_count_turns = direct("FPDFPage_GetRotation", ctypes.c_int)
_get_loose_box = direct("FPDFText_GetLooseCharBox", None)
_get_index = direct("FPDFText_GetCharIndexFromTextIndex", ctypes.c_int)
_count_parts = direct("FPDFText_CountRects", ctypes.c_int)
_get_part = direct("FPDFText_GetRect", None)

_page_box = pdfium.FS_RECTF()
_page_box_target = ctypes.byref(_page_box)

# Left, top, right and bottom of a box.
_box_answers = Answers(
    np.float32, 4, unknown=nan, is_one_target=True, loop=compiled("boxes_of_letters")
)
_part_answers = Answers(np.float64, 4, unknown=nan, loop=compiled("sides_of_parts"))


def places(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, spans: Spans
) -> Shares:
    """Return where each of these parts of the text stands, also off the page.

    `raw` is the whole text of the page as PDFium returns it.
    """
    return _between(page, textpage, raw, rows_of_spans(spans) - _LAST_WITHIN)


def rows_of_spans(spans: Spans) -> npt.NDArray[np.int_]:
    """Return where parts of the text begin and end as rows of two."""
    if isinstance(spans, np.ndarray):
        return spans
    # `np.array` takes several times as long.
    numbers = chain.from_iterable(spans)
    return np.fromiter(numbers, np.int_, 2 * len(spans)).reshape(-1, 2)


def letter_places(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, letters: Sequence[int]
) -> Shares:
    """Return where each of these letters stands, as `places` does."""
    return _between(page, textpage, raw, np.array(letters, np.int_).reshape(-1, 1))


def _between(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, ends: Indices
) -> Shares:
    """Return where the parts between these letters of the text stand."""
    if _count_characters(textpage.raw) != len(raw):
        ends = _character_indices(textpage, raw, ends)
    return shares(page, _rectangles(textpage, ends))


def shares(page: pypdfium2.PdfPage, rectangles: Rectangles) -> Shares:
    """Return the rectangles as shares of the page, cropped and turned as it is displayed."""
    corner, size, turns = _sheet(page)
    shares = (rectangles - corner) / size
    return turned(shares, turns) if turns else shares


class _Sheet(NamedTuple):
    """Where a page lies: its upper left corner and its size, twice each, and its quarter turns."""

    corner: npt.NDArray[np.float64]
    size: npt.NDArray[np.float64]
    turns: int


@functools.lru_cache(maxsize=_OPEN_PAGES)
def _sheet(page: pypdfium2.PdfPage) -> _Sheet:
    """Return where a page lies, which PDFium looks up in the file each time it is asked."""
    _get_page_box(page.raw, _page_box_target)
    left, top = _page_box.left, _page_box.top
    width, height = _page_box.right - left, _page_box.bottom - top
    corner, size = np.array([left, top] * 2), np.array([width, height] * 2)
    return _Sheet(corner, size, quarter_turns(page))


def forget_sheets() -> None:
    """Forget where pages lie, to be called when one is turned."""
    _sheet.cache_clear()


def quarter_turns(page: pypdfium2.PdfPage) -> int:
    """Return by how many quarter turns clockwise the page is turned when it is displayed."""
    turns: int = _count_turns(page.raw)
    return turns


def letter_indices(textpage: pypdfium2.PdfTextPage, raw: str) -> Sequence[int]:
    """Return which of the page's characters the letters of its text are."""
    if textpage.count_chars() == len(raw):
        return range(len(raw))
    letters = np.arange(len(raw)).reshape(-1, 1)
    return _character_indices(textpage, raw, letters).ravel().tolist()


def _character_indices(textpage: pypdfium2.PdfTextPage, raw: str, ends: Indices) -> Indices:
    """Return which of the page's characters stand at these places of its text.

    Some characters have no text, and one outside of Unicode's first plane is two for PDFium.
    """
    codes = np.frombuffer(raw.encode("utf-32-le", "surrogatepass"), np.uint32)
    wide = np.flatnonzero(codes > LAST_OF_FIRST_PLANE)
    units = np.maximum(ends, 0) + np.searchsorted(wide, ends)
    indices = list(map(_get_index, repeat(textpage.raw), units.ravel().tolist()))
    return np.array(indices, np.int_).reshape(ends.shape)


def _rectangles(textpage: pypdfium2.PdfTextPage, ends: Indices) -> Rectangles:
    """Return what is around each part, given the indices of its first and last character."""
    boxes = _boxes(textpage, ends.T.ravel())
    if ends.shape[1] == 1:
        return boxes
    firsts, lasts = boxes[: len(ends)], boxes[len(ends) :]
    rectangles = np.minimum(firsts, lasts)
    np.maximum(firsts[:, 2], lasts[:, 2], out=rectangles[:, 2])
    # Most begin and end with letters that are as high. What is not known is not equal to anything.
    is_other = firsts[:, 1::2] != lasts[:, 1::2]
    others = (is_other[:, 0] | is_other[:, 1]).nonzero()[0]
    if len(others):
        sides = firsts[others].tolist(), lasts[others].tolist(), ends[others].tolist()
        rectangles[others] = [
            _around_both(first, last) or _around_parts(textpage, *of_part)
            for first, last, of_part in zip(*sides, strict=True)
        ]
    return rectangles


def _around_both(first: Rectangle, last: Rectangle) -> Rectangle | None:
    """Return what is around both characters; None if they do not stand on one line."""
    left, top, right, bottom = first
    other_left, other_top, other_right, other_bottom = last
    apart = abs(top + bottom - other_top - other_bottom) / 2
    if not apart <= SAME_LINE * max(top - bottom, other_top - other_bottom):
        return None
    return (
        min(left, other_left),
        max(top, other_top),
        max(right, other_right),
        min(bottom, other_bottom),
    )


def _boxes(textpage: pypdfium2.PdfTextPage, indices: Things) -> Rectangles:
    """Return the box of each of these characters, as high as its font."""
    return _box_answers.of(_get_loose_box, indices, ready_made(textpage.raw))


def _around_parts(textpage: pypdfium2.PdfTextPage, first: int, last: int) -> Rectangle:
    """Return what is around PDFium's rectangles of these and the characters between them."""
    count = _count_parts(textpage.raw, first, last - first + 1) if 0 <= first <= last else 0
    if count <= 0:
        return _NOWHERE
    lefts, tops, rights, bottoms = _part_answers.of(
        _get_part, range(count), textpage.raw
    ).T.tolist()
    return min(lefts), max(tops), max(rights), min(bottoms)
