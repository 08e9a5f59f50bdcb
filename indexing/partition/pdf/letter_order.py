"""Find where parts of a text stand whose letters are in another order than PDFium has them in.

PDFium is asked of the ends of each piece that is in its order, not of all letters: of a page with
thousands of these a few are moved.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from indexing.boxes import Shares
from indexing.partition.pdf.boxes import Spans

NEW = -2
"""Of a sign that PDFium's text has not; no number behind it is that of a letter."""

Order = npt.NDArray[np.int_]
"""Which of PDFium's letters each letter of a text is."""


def places_in_order(
    find_places: Callable[[Spans], Shares], order: Order, spans: npt.NDArray[np.int_]
) -> Shares:
    """Return where each of these parts of the text stands; NaN for those without a letter.

    `find_places` tells it of parts of PDFium's text.
    """
    around = np.full((len(spans), 4), np.nan)
    (filled,) = (spans[:, 0] < spans[:, 1]).nonzero()
    if not len(filled):
        return around
    pieces = np.array([0, *(np.flatnonzero(np.diff(order) != 1) + 1), len(order)])
    first, last = np.searchsorted(pieces, spans[filled] - [0, 1], "right").T - 1
    counts = last - first + 1
    at = np.cumsum(counts) - counts  # the first piece of each part among those of all parts
    of_part = np.repeat(filled, counts)
    piece = np.repeat(first - at, counts) + np.arange(len(of_part))
    starts = np.maximum(spans[of_part, 0], pieces[piece])
    ends = np.minimum(spans[of_part, 1], pieces[piece + 1])
    (known,) = (order[starts] != NEW).nonzero()
    stand = np.full((len(of_part), 4), np.nan)
    asked = order[starts[known]]
    stand[known] = find_places(np.array([asked, asked + (ends - starts)[known]]).T)
    # These two pass over what is not known.
    around[filled, :2] = np.fmin.reduceat(stand[:, :2], at)
    around[filled, 2:] = np.fmax.reduceat(stand[:, 2:], at)
    return around
