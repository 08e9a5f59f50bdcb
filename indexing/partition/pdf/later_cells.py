"""Put the cells that LibreOffice's Calc draws behind all others of a page into their rows.

Those in which two scripts meet are drawn so, as `単価(円)` and `3월 입고` are: of a sheet in
Chinese, Japanese or Korean every second one. So are those of several lines, which are left where
they are.
"""

from bisect import bisect_right
from weakref import WeakKeyDictionary

import numpy as np
import pypdfium2

from indexing.partition.pdf.boxes import Rectangles

SAME_LINE = 0.5  # of the height of a line, from its middle to that of one beside it
NEARER = 0.95  # times the distance of rows, at most, is that of the lines of a cell

_CALC = "Calc"
_are_of_calc: WeakKeyDictionary[pypdfium2.PdfDocument, bool] = WeakKeyDictionary()


def is_of_calc(pdf: pypdfium2.PdfDocument) -> bool:
    """Tell whether the document is a printed sheet, which is asked once for all pages."""
    if pdf not in _are_of_calc:
        _are_of_calc[pdf] = pdf.get_metadata_value("Creator") == _CALC
    return _are_of_calc[pdf]


def cells_in_rows(lines: Rectangles) -> list[int]:
    """Return the order of lines, those that are drawn later in the rows of the others.

    Lines are given in points from the upper left. What begins beside the sheet, as a chart does,
    stays behind it.
    """
    middles, heights = (lines[:, 1] + lines[:, 3]) / 2, lines[:, 3] - lines[:, 1]
    goes_back = middles[1:] < middles[:-1] - SAME_LINE * heights[1:]
    first = int(goes_back.argmax()) + 1
    if not goes_back.any() or np.isnan(lines[:first]).any():
        return list(range(len(lines)))
    behind = _left_behind(lines, first)
    rows = np.maximum.accumulate(middles[:first]).tolist()
    places = [(row, left) for row, left in zip(rows, lines[:, 0].tolist(), strict=False)]
    moved = [number for number in range(first, len(lines)) if number not in behind]
    for number in moved:
        near = SAME_LINE * heights[number]
        at = bisect_right(rows, middles[number] + near) - 1
        is_beside = at >= 0 and abs(rows[at] - middles[number]) < near
        places.append((rows[at] if is_beside else middles[number], lines[number, 0]))
    placed = zip(places, [*range(first), *moved], strict=True)
    return [*(number for _, number in sorted(placed)), *sorted(behind)]


def _left_behind(lines: Rectangles, first: int) -> set[int]:
    """Return which lines, from the first that is drawn later on, are in no row of the others."""
    lefts, tops, rights, bottoms = lines.T
    # What has no place, as an empty line, is not smaller than anything.
    is_beside = ~((lefts < rights[:first].max()) & (lefts[:first].min() < rights))
    steps = np.diff((tops + bottoms) / 2)
    pitch = steps[: first - 1][steps[: first - 1] > SAME_LINE * (bottoms - tops)[1:first]]
    is_below = (lefts[1:] < rights[:-1]) & (lefts[:-1] < rights[1:]) & (steps > 0)
    goes_on = is_below & (steps < NEARER * pitch.min(initial=np.inf)) & bool(len(pitch))
    is_of_several = np.concatenate([[False], goes_on]) | np.concatenate([goes_on, [False]])
    return {
        number for number in np.flatnonzero(is_beside | is_of_several).tolist() if number >= first
    }
