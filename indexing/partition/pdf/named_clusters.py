"""Know the letters of Thai and Lao that a PDF names once more for the marks over and under them.

Typst writes the text of a letter with its marks for each of their shapes that does not stand on the
line, anew each time. PDFium returns it for each, and goes back on the line to do so.
"""

import re

import numpy as np

from indexing.boxes import Shares
from indexing.partition.pdf.repeated import Letters

NEAREST = 40
"""How many letters the same ones come behind each other, when they are one."""

SAME_LINE = 0.7  # of the height of a line, between the middle of a letter and of a mark on it
SHARED = 0.25  # of the width of the narrower one

_CLUSTER = re.compile(
    "[\u0e01-\u0e2e\u0e81-\u0eae][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd]+"
)


def clusters_named_again(raw: str, boxes: Shares, height: float) -> Letters:
    """Tell which letters and spaces are there once more; `height` is that of a line."""
    is_again = np.zeros(len(raw), np.bool_)
    found: dict[str, int] = {}  # where each was last
    for match in _CLUSTER.finditer(raw):
        at, end = match.span()
        before = found.get(match[0], -NEAREST)
        length = end - at
        if at - before < NEAREST and _share_a_place(
            boxes[before : before + length], boxes[at:end], height
        ):
            is_again[at:end] = True
            # To go back on the line looks like a gap.
            is_again[at - 1] |= raw[at - 1] == " " and not boxes[at - 1, 2] > boxes[at - 1, 0]
        else:
            found[match[0]] = at
    return is_again


def _share_a_place(one: Shares, other: Shares, height: float) -> bool:
    """Tell whether one stands over the other."""
    lefts, tops = np.array([one[:, :2].min(axis=0), other[:, :2].min(axis=0)]).T
    rights, bottoms = np.array([one[:, 2:].max(axis=0), other[:, 2:].max(axis=0)]).T
    is_one_line = abs(tops[0] + bottoms[0] - tops[1] - bottoms[1]) / 2 < SAME_LINE * height
    shared = rights.min() - lefts.max()
    return bool(is_one_line and shared >= SHARED * (rights - lefts).min())
