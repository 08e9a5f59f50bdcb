"""Know the pages of a PDF whose text is written downwards, in columns from the right."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from indexing.partition.pdf.boxes import Rectangles, Span

TALL = 2.0
"""By so many times a line is higher than wide whose letters stand one below the other."""

MOST = 0.5  # of the letters of such scripts, in such lines

_WRITTEN_DOWNWARDS = re.compile("[\u3041-\u30ff\u3400-\u9fff]")  # kana and Han


def columns(text: str, spans: Sequence[Span], stand: Rectangles) -> list[int]:
    """Return which lines of the text are columns, if most of it is in such; else none."""
    widths, heights = (stand[:, 2:] - stand[:, :2]).T
    # What is not known is not higher than anything.
    may_be = np.flatnonzero(heights > TALL * widths).tolist()
    tall = [number for number in may_be if _WRITTEN_DOWNWARDS.search(text, *spans[number])]
    if not tall:
        return []
    written = sum(len(_WRITTEN_DOWNWARDS.findall(text, *spans[number])) for number in tall)
    return tall if written > MOST * len(_WRITTEN_DOWNWARDS.findall(text)) else []


def from_right(tall: Sequence[int], stand: Rectangles, count: int) -> list[int]:
    """Return the numbers of so many lines in order; these are the columns among them.

    PDFium has the columns from the left if they begin at the same height.
    """
    order = list(range(count))
    if all(stand[before, 2] < stand[after, 2] for before, after in pairwise(tall)):
        for place, number in zip(tall, reversed(tall), strict=True):
            order[place] = number
    return order
