"""Blur the dots of which scanners and fax machines make grey in black and white.

Rows of a table with a shaded ground are lost among them otherwise.
"""

import cv2
import numpy as np

from indexing.ocr_models import Picture

DARK = 128
MIN_PIXELS = 2_000_000
"""A page at 150 dpi; the letters of a coarser one are hardly larger than the dots."""

MIN_DOTS = 0.002
"""The share of pixels that are unlike all four beside them; of clean scans a tenth."""

BLUR = 1.0  # pixels


def without_dots(picture: Picture) -> Picture:
    """Return the picture as it is, but blurred if much of it is dots."""
    if picture.shape[0] * picture.shape[1] < MIN_PIXELS or _dots(picture) < MIN_DOTS:
        return picture
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), BLUR), dtype=np.uint8)


def _dots(picture: Picture) -> float:
    dark = picture[:, :, 1] < DARK
    inner = dark[1:-1, 1:-1]
    dots = inner != dark[:-2, 1:-1]
    dots &= inner != dark[2:, 1:-1]
    dots &= inner != dark[1:-1, :-2]
    dots &= inner != dark[1:-1, 2:]
    return int(np.count_nonzero(dots)) / dark.size
