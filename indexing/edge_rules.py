"""Take the rules of a table off the picture of a line, for they are read as letters or spoil it."""

import cv2
import numpy as np
import numpy.typing as npt

from indexing.ocr_models import Picture

BESIDE, OVER = 0.35, 0.15
"""How far from the edges rules stand, in heights of the line: to the sides, above and below."""

SPAN = 0.9  # of the side along which a rule runs, unless it leaves the picture
STRAIGHT = 0.4  # of that, in one piece: a rule may be a little askew
THICK = 3  # pixels
INK = 50  # so much darker or lighter than the paper, of 255

_Bits = npt.NDArray[np.uint8]


def without_rules(line: Picture) -> Picture:
    """Return the picture of a line with paper in place of the rules along its edges."""
    height = len(line)
    grey = cv2.cvtColor(line, cv2.COLOR_BGR2GRAY).astype(np.int16)
    ink = (np.abs(grey - np.median(grey)) > INK).astype(np.uint8)
    ruled = np.zeros_like(ink)
    for turns in range(4):
        depth = max(1, round((OVER if turns % 2 else BESIDE) * height))
        np.rot90(ruled, turns)[:, :depth] |= _rules(np.rot90(ink, turns)[:, :depth])
    if not ruled.any():
        return line
    bare = line.copy()
    bare[ruled.astype(bool)] = np.median(line.reshape(-1, 3), axis=0)
    return bare


def _rules(ink: _Bits) -> _Bits:
    """Return the rules that run down at the left edge, with what lies close beside them."""
    height = len(ink)
    close = np.ones((1, THICK), np.uint8)
    piece = np.ones((max(1, round(STRAIGHT * height)), 1), np.uint8)
    thick = cv2.dilate(np.ascontiguousarray(ink), close)
    straight = cv2.morphologyEx(thick, cv2.MORPH_OPEN, piece)
    count, places, boxes, _ = cv2.connectedComponentsWithStats(straight)
    rules = []
    for number in range(1, count):
        left, top, _, long, _ = boxes[number]
        leaves = left <= THICK and (top == 0 or top + long == height)
        if leaves or long >= SPAN * height:
            rules.append(number)
    return cv2.dilate(np.isin(places, rules).astype(np.uint8), close).astype(np.uint8)
