"""Ask PDFium which straight lines, and which filled rectangles, are drawn on a page."""

import ctypes
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.boxes import Rectangle, Rectangles
from indexing.partition.pdf.calls import Answers, Numbers, compiled, direct
from indexing.partition.pdf.pictures import Drawn, bounds_of

MAX_SEGMENTS = 2000
"""As many lines of one path are looked at."""

THICKEST = 3.0  # points
SHORTEST = 5.0  # points

# With plain numbers for pointers.
_get_draw_mode = direct("FPDFPath_GetDrawMode", None, ctypes.c_void_p)

_get_pixels = direct("FPDFImageObj_GetImagePixelSize", None, ctypes.c_void_p)

_mode_answers = Answers(np.intc, 2, loop=compiled("modes_of_paths"))
_pixel_answers = Answers(np.uint32, 2)


def drawn_lines(drawn: Drawn) -> tuple[Rectangles, Rectangles]:
    """Return the straight lines and thin rectangles, and the filled ones, in points.

    They are boxes from the lower left, whichever two corners of each come first.
    """
    lines, fills = _of_paths(drawn.of(pdfium.FPDF_PAGEOBJ_PATH))
    pictures = drawn.of(pdfium.FPDF_PAGEOBJ_IMAGE)
    if not len(pictures):
        return lines, fills
    thin, others = _of_pictures(pictures)
    return np.concatenate([lines, thin]), np.concatenate([fills, others])


def _of_pictures(pictures: Numbers) -> tuple[Rectangles, Rectangles]:
    """Return pictures of a single pixel: so dvips draws rules, which Ghostscript takes over."""
    are_single = (_pixel_answers.of(_get_pixels, pictures) == 1).all(axis=1)
    bounds = bounds_of(pictures)[are_single]
    is_thin, is_long = _shapes(bounds)
    return bounds[is_thin & is_long], bounds[~is_thin]


def _shapes(bounds: Rectangles) -> npt.NDArray[np.bool_]:
    """Tell of each whether it is thin, and whether it is longer than the strokes of letters."""
    widths, heights = np.abs(bounds[:, :2] - bounds[:, 2:]).T
    thicknesses, lengths = np.minimum(widths, heights), np.maximum(widths, heights)
    return np.array([thicknesses <= THICKEST, lengths >= SHORTEST])


def _of_paths(paths: Numbers) -> tuple[Rectangles, Rectangles]:
    bounds = bounds_of(paths)
    is_thin, is_long = _shapes(bounds)
    thin = bounds[is_thin & is_long]
    if is_thin.all():
        return thin, bounds[:0]
    numbers = np.flatnonzero(~is_thin)
    outlines = paths[numbers]
    are_filled, are_stroked = _draw_modes(outlines).T
    stroked = outlines[are_stroked].tolist()
    further = [line for path in stroked for line in _drawn_lines(path) if _is_line(line)]
    fills = bounds[numbers[are_filled]]
    return np.concatenate([thin, further]) if further else thin, fills


def _drawn_lines(pointer: int) -> Iterator[Rectangle]:
    """Yield the straight lines of a path."""
    path = ctypes.cast(pointer, pdfium.FPDF_PAGEOBJECT)
    count = pdfium.FPDFPath_CountSegments(path)
    if count > MAX_SEGMENTS:
        return
    raw_matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(path, raw_matrix)
    matrix = pypdfium2.PdfMatrix.from_raw(raw_matrix)
    x, y = ctypes.c_float(), ctypes.c_float()
    first = last = (0.0, 0.0)
    for number in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, number)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = matrix.on_point(x.value, y.value)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield _between(last, point)
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield _between(point, first)
        last = point


def _between(one: tuple[float, float], other: tuple[float, float]) -> Rectangle:
    (x, y), (x_2, y_2) = one, other
    return min(x, x_2), max(y, y_2), max(x, x_2), min(y, y_2)


def _is_line(box: Rectangle) -> bool:
    left, top, right, bottom = box
    thickness, length = sorted((right - left, top - bottom))
    return thickness <= THICKEST and length >= SHORTEST


def _draw_modes(paths: Numbers) -> npt.NDArray[np.bool_]:
    """Tell of each path whether it is filled, and whether it is drawn along its lines."""
    return _mode_answers.of(_get_draw_mode, paths).astype(np.bool_)
