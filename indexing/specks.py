"""Take away the specks of dirt that fax machines and copiers leave on a page in black and white.

Among many of them no text is found, be it ever so legible.
"""

import cv2
import numpy as np
import numpy.typing as npt

from indexing.ocr_models import Mask, Picture

DARK = 128
STEP = 8
GREY = range(64, 192)
MAX_GREY = 0.02
"""So much of the pixels of a page in black and white is grey; of thermal paper, 0.03 and more."""

SPECK = 0.13
"""Of the height of the letters; a full stop is a fifth of it."""

LETTER = range(8, 100)  # pixels high, the parts of a picture that may be letters
FEWEST_LETTERS = 10
FEWEST_SPECKS = 300
SPECKS_PER_LETTER = 0.5
FILTER, FILTERED_HEIGHT = 3, 16
"""Of the pixels around it each has the middle shade: strokes of letters so high are as wide."""

MIN_HEIGHT_OF_HOLES = 12  # In smaller letters the holes of an "e" are as small.

_WIDTH, _HEIGHT = 2, 3  # columns of the statistics of OpenCV


def without_specks(picture: Picture) -> Picture:
    """Return the picture as it is, or without the specks if it is full of them."""
    sample = picture[::STEP, ::STEP, 1]
    is_grey = (sample >= GREY.start) & (sample < GREY.stop)
    if np.count_nonzero(is_grey) > MAX_GREY * is_grey.size:
        return picture
    dark = picture[:, :, 1] < DARK
    parts, sizes, heights = _parts(dark, connectivity=8)
    letters = heights[(heights >= LETTER.start) & (heights < LETTER.stop)]
    if len(letters) < FEWEST_LETTERS:
        return picture
    height = float(np.sort(letters)[len(letters) // 2])
    are_specks = sizes <= int(SPECK * height)
    count = np.count_nonzero(are_specks)
    if count < max(FEWEST_SPECKS, SPECKS_PER_LETTER * len(letters)):
        return picture
    if height >= FILTERED_HEIGHT:
        return np.asarray(cv2.medianBlur(picture, FILTER), np.uint8)
    clean = picture.copy()
    clean[are_specks[parts]] = 255
    if height >= MIN_HEIGHT_OF_HOLES:
        parts, sizes, _ = _parts(clean[:, :, 1] >= DARK, connectivity=4)
        clean[(sizes <= int(SPECK * height))[parts]] = 0
    return clean


def _parts(
    mask: Mask, connectivity: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return of each pixel to which part it belongs, and of the parts the longer side and height.

    The first part is what lies around all of them, which is endless here.
    """
    _, parts, found, _ = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=connectivity
    )
    sizes = np.maximum(found[:, _WIDTH], found[:, _HEIGHT])
    sizes[0], heights = np.iinfo(np.int32).max, found[:, _HEIGHT].copy()
    heights[0] = 0
    return np.asarray(parts, np.int32), np.asarray(sizes, np.int32), np.asarray(heights, np.int32)
