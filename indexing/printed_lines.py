"""Show lines that were cut out of a picture as if they were printed: dark, on white paper."""

from collections.abc import Sequence

import cv2
import numpy as np

from indexing.ocr_models import Picture

HEIGHT = 40  # pixels of each line on a sheet
MARGIN = 20  # pixels around it

SURROUNDINGS = 1.5  # heights of the line, within which most is paper
WIDEST = 255  # pixels of the same, that OpenCV knows
FAINTEST = 24
"""How much darker than the paper, of 255, letters are; grain is not made as dark as they."""

DARKEST = 0.98  # of the pixels are lighter

DARKER_PART, UNEVEN = 0.1, 64
"""By so much, of 255, the paper of a line differs of which at least such a part is in a shadow."""


def sheet_of(lines: Sequence[Picture]) -> Picture:
    """Return the lines below each other on a sheet, all of one height."""
    shown = [as_print(scaled(line)) for line in lines]
    pitch = HEIGHT + MARGIN
    width = max((line.shape[1] for line in shown), default=0) + 2 * MARGIN
    sheet = np.full((MARGIN + pitch * len(shown), width, 3), 255, np.uint8)
    for number, line in enumerate(shown):
        top = MARGIN + pitch * number
        sheet[top : top + HEIGHT, MARGIN : MARGIN + line.shape[1]] = line
    return sheet


def is_uneven(line: Picture) -> bool:
    """Tell whether a shadow lies over a part of the line."""
    dark, light = np.quantile(_paper(_grey(line)), (DARKER_PART, 1 - DARKER_PART))
    return bool(light - dark > UNEVEN)


def as_print(line: Picture) -> Picture:
    """Return the line dark on white, without what light and shadow make of its paper."""
    grey = _grey(line)
    paper = _paper(grey)
    darker, lighter = cv2.subtract(paper, grey), cv2.subtract(grey, paper)
    ink = darker if darker.sum(dtype=float) >= lighter.sum(dtype=float) else lighter
    darkest = max(float(np.quantile(ink, DARKEST)), FAINTEST)
    shown = 255 - np.minimum(ink * (255 / darkest), 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def scaled(line: Picture) -> Picture:
    """Return the line as high as those of a sheet."""
    width = max(1, round(line.shape[1] * HEIGHT / len(line)))
    way = cv2.INTER_AREA if len(line) > HEIGHT else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(line, (width, HEIGHT), interpolation=way), dtype=np.uint8)


def _grey(line: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(line, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _paper(grey: Picture) -> Picture:
    around = min(int(SURROUNDINGS * len(grey)), WIDEST) | 1
    return np.asarray(cv2.medianBlur(grey, around), dtype=np.uint8)
