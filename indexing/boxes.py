"""Compute where text stands on a page, in shares of the page as it is displayed."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from indexing.types import PageBox

WHOLE_PAGE: PageBox = (0.0, 0.0, 1.0, 1.0)

DECIMALS = 4
"""A ten-thousandth of a page is less than a tenth of a millimetre."""

Shares = npt.NDArray[np.float64]
"""Rows of left, top, right and bottom, as shares of a page or picture; NaN where not known."""


def box_from_json(values: Sequence[float] | None) -> PageBox | None:
    """Return the box that was written as a list of its four sides, or as null.

    Raises:
        ValueError, TypeError: it is neither.
    """
    if values is None:
        return None
    left, top, right, bottom = map(float, values)
    return left, top, right, bottom


def union(boxes: Iterable[PageBox | None]) -> PageBox | None:
    """Return the smallest box around all that have a place, None if none has."""
    placed = [box for box in boxes if box is not None]
    if not placed:
        return None
    lefts, tops, rights, bottoms = zip(*placed, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def turned(shares: Shares, quarter_turns: int) -> Shares:
    """Return where the same places are when the page is turned clockwise."""
    for _ in range(quarter_turns % 4):
        left, top, right, bottom = shares.T
        shares = np.stack([1 - bottom, left, 1 - top, right], axis=1)
    return shares


def within(shares: Shares, area: PageBox) -> Shares:
    """Return the places in a picture as places on the page, given the area that it covers."""
    left, top, right, bottom = area
    size = right - left, bottom - top
    return shares * (*size, *size) + (left, top, left, top)


def page_boxes(shares: Shares) -> list[PageBox | None]:
    """Return the places as boxes cut off at the edges of the page, None for what lies outside."""
    # `clip` takes several times as long for as few as the lines of a page are.
    boxes = np.minimum(np.maximum(shares, 0), 1).round(DECIMALS).tolist()
    # Comparing with NaN is false, so what is not known has no box either.
    return [
        (left, top, right, bottom) if left < right and top < bottom else None
        for left, top, right, bottom in boxes
    ]
