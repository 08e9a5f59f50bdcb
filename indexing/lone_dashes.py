"""Find the dashes that stand alone in the cells of a table in a picture: nothing, or not known.

The recognition sees none, or a Chinese one (`一`). Without them a row lacks a cell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from math import ceil, sqrt
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from indexing.drawing import within_memory
from indexing.ocr import Line
from indexing.ocr_models import Mask, Picture
from indexing.text_places import straightened

DASH = "–"
MIN_LINES = 6
MAX_PIXELS = 10_000_000
"""Of a larger picture every second pixel, or fewer, are looked at."""

MAX_FOUND = 500
"""With more, they are grain, or dashes of which lines are drawn."""

INK = 0.7  # times as light as the paper
SHORTEST = 0.2  # of the height of a line
LONGEST = 1.3
THICKEST = 0.22
MIN_ASPECT = 2.2
MIN_INK = 0.5  # of the box around a dash
ROOM_BESIDE = 0.18  # of the height of a line, in which there is no ink; a cell may be as narrow
ROOM_ABOVE = 0.28
ROOM_TO_NEXT = 0.5  # the same, in which there is no further dash, as those of a dashed line
OFF_MIDDLE = 0.25
FAR = 8.0

_CHINESE_ONE = "\u4e00"
_HAN = ("\u3400", "\u9fff")

_Boxes = npt.NDArray[np.int32]


def with_dashes(
    lines: Sequence[Line], picture: Picture, angle: float, known: Mask | None = None
) -> tuple[Line, ...]:
    """Return the lines of the upright picture, which lies askew by an angle, and the dashes.

    A dash stands in a row with a line, and above or below another one, but not where the mask says
    that the text is known.

    Raises:
        RecognitionFailed: memory gave out.
    """
    if len(lines) < MIN_LINES:
        return tuple(lines)
    with within_memory():
        height = median(line.height for line in lines)
        places = straightened(_quads(picture, height, known), angle)
    found = [_dash(place, lines, height) for place in places]
    return (*_with_ones(lines), *filter(None, found))


def _with_ones(lines: Sequence[Line]) -> Iterable[Line]:
    """Return the lines with dashes for Chinese ones, if there is no other Chinese."""
    han = {sign for sign in chain.from_iterable(line.text for line in lines) if _is_han(sign)}
    if han != {_CHINESE_ONE}:
        return lines
    return (replace(one, text=DASH) if one.text == _CHINESE_ONE else one for one in lines)


def _is_han(sign: str) -> bool:
    first, last = _HAN
    return first <= sign <= last


def _quads(picture: Picture, height: float, known: Mask | None) -> npt.NDArray[np.float32]:
    """Return the corners of what looks like a dash and has no ink around it."""
    step = ceil(sqrt(picture.shape[0] * picture.shape[1] / MAX_PIXELS))
    grey, high = picture[::step, ::step, 1], height / step
    ink = (grey < INK * np.median(grey)).astype(np.uint8)
    if known is not None:
        ink[known[::step, ::step]] = 0
    _, _, boxes, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    lefts, tops, widths, heights, areas = boxes[1:].T
    is_dash = (widths >= SHORTEST * high) & (widths <= LONGEST * high)
    is_dash &= (heights <= THICKEST * high) & (widths >= MIN_ASPECT * heights)
    is_dash &= areas >= MIN_INK * widths * heights
    found = boxes[1:][is_dash]
    if len(found) > MAX_FOUND:
        found = found[:0]
    are_alone = [_is_alone(ink, box, high) and not _is_of_line(box, found, high) for box in found]
    alone: _Boxes = found[np.array(are_alone, np.bool_)]
    lefts, tops, widths, heights, _ = alone.T
    rights, bottoms = lefts + widths, tops + heights
    corners = [lefts, tops, rights, tops, rights, bottoms, lefts, bottoms]
    quads: npt.NDArray[np.float32] = (np.stack(corners, axis=1) * step).astype(np.float32)
    return quads.reshape(-1, 4, 2)


def _is_alone(ink: npt.NDArray[np.uint8], box: _Boxes, height: float) -> bool:
    left, top, width, high, area = box.tolist()
    beside, above = int(ROOM_BESIDE * height), int(ROOM_ABOVE * height)
    rows = slice(max(top - above, 0), top + high + above)
    around = ink[rows, max(left - beside, 0) : left + width + beside]
    return bool(np.count_nonzero(around) <= area)


def _is_of_line(box: _Boxes, others: _Boxes, height: float) -> bool:
    """Tell whether another dash stands beside this one."""
    lefts, tops, widths, _, _ = others.T
    left, top, width, _, _ = box.tolist()
    gaps = np.maximum(lefts - left - width, left - lefts - widths)
    is_beside = (np.abs(tops - top) < THICKEST * height) & (gaps > 0)
    return bool((is_beside & (gaps < ROOM_TO_NEXT * height)).any())


def _dash(
    place: tuple[float, float, float, float], lines: Sequence[Line], height: float
) -> Line | None:
    """Return the dash as one of the lines, if it stands in a row and in a column with others."""
    left, top, right, bottom = place
    middle = (top + bottom) / 2
    row = [
        line
        for line in lines
        if abs(line.middle - middle) < OFF_MIDDLE * line.height
        and (line.right < left or right < line.left)
    ]
    is_in_column = any(
        line.left < right
        and left < line.right
        and height / 2 < abs(line.middle - middle) < FAR * height
        for line in lines
    )
    is_of_another = any(
        line.left < right and left < line.right and line.top < middle < line.bottom
        for line in lines
    )
    if not row or not is_in_column or is_of_another:
        return None
    nearest = min(row, key=lambda line: max(line.left - right, left - line.right))
    return Line(DASH, left, nearest.top, right, nearest.bottom)
