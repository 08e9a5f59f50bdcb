"""Tell how lines converge in a picture, as in a photograph taken from the side."""

import numpy as np
import numpy.typing as npt

from indexing.text_places import Quads, sides_of

LONG = 6.0
"""Times the height; the slope of what is shorter is not known, but that to the next one is."""

NEXT = 8.0  # heights: no further apart are two words of a row
ALIKE = 1.5  # No word of a row is more times as high as the next one.
STEEPEST, MOST_CHANGE = 0.2, 0.15
STEP = 0.01
NEAR = 0.008  # of the slope that is expected where it stands a line is one of them
BLUR = 0.1  # heights of a line, by which the middle of a word may be off
FEWEST = 8  # slopes that are known
MOST = 0.6  # of the lengths fit
SURE = 4  # standard errors

Fall = tuple[float, float]
"""The slope of a line in the middle of a picture, and what is added to it at the lower edge."""

_Values = npt.NDArray[np.float64]


def fall_of(quads: Quads, half: float, height: float) -> Fall | None:
    """Return how lines fall to the right; None where most do not fit together.

    Their places are those from the middle, with half of the picture's height above and below;
    `height` is that of a line. Where it is not sure that the slope changes, it does not.
    """
    at, slopes, lengths = _slopes(quads)
    if len(slopes) < FEWEST:
        return None
    shares = at / half
    middle = np.arange(-STEEPEST, STEEPEST + STEP / 2, STEP)[:, None, None]
    changes = np.arange(-MOST_CHANGE, MOST_CHANGE + STEP / 2, STEP)[:, None]
    is_near = np.abs(slopes - middle - changes * shares) < np.maximum(NEAR, BLUR * height / lengths)
    fitting = is_near @ lengths
    best = np.unravel_index(np.argmax(fitting), fitting.shape)
    if fitting[best] < MOST * lengths.sum():
        return None
    fits = is_near[best]
    return _fitted(shares[fits], slopes[fits], lengths[fits])


def _slopes(quads: Quads) -> tuple[_Values, _Values, _Values]:
    """Return at which heights what slopes are known, over which lengths.

    They are those of long lines, and those between words that are next to each other.
    """
    width, height = sides_of(quads).T
    is_long = width > LONG * height
    across = ((quads[:, 1] - quads[:, 0]) + (quads[:, 2] - quads[:, 3])) / 2
    middles = quads.mean(axis=1)
    steps, at = [*across[is_long]], [*middles[is_long, 1]]
    short = np.flatnonzero(~is_long)
    short = short[np.argsort(middles[short, 0])]
    for number, one in enumerate(short):
        apart = middles[short[number + 1 :]] - middles[one]
        ratio = height[short[number + 1 :]] / height[one]
        is_next = (np.abs(apart[:, 1]) < height[one] / 2) & (apart[:, 0] < NEXT * height[one])
        is_next &= (apart[:, 0] > height[one]) & (ratio < ALIKE) & (ratio > 1 / ALIKE)
        if is_next.any():
            steps.append(apart[np.argmax(is_next)])
            at.append(middles[one, 1])
    lengths = np.array([step[0] for step in steps], dtype=float)
    return np.array(at, dtype=float), np.array([y / x for x, y in steps], dtype=float), lengths


def _fitted(shares: _Values, slopes: _Values, lengths: _Values) -> Fall:
    equations = np.column_stack([np.ones(len(shares)), shares]) * lengths[:, None]
    if np.ptp(shares) > 0:
        found, *_ = np.linalg.lstsq(equations, slopes * lengths, rcond=None)
        error = float(((equations @ found - slopes * lengths) ** 2).sum()) / len(shares)
        slope, change = found.tolist()
        if change**2 > SURE**2 * error * float(np.linalg.inv(equations.T @ equations)[1, 1]):
            return slope, change
    return float(np.average(slopes, weights=lengths**2)), 0.0
