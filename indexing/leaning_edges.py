"""Tell how the edges of columns lean in a picture, as in a photograph taken from above."""

import numpy as np
import numpy.typing as npt

from indexing.text_places import Quads

MOST = 0.16
NEIGHBOURS = 12  # on an edge that count
COARSE, FINE = 0.5, 0.2
"""Heights of a line: edges no further apart are alike."""

BETTER, MORE = 1.2, 12
"""Times as many ends as on edges that do not lean stand on those that do, and by so many more: of
few lines some stand below each other by chance, however edges are thought to lean.
"""

Lean = tuple[float, float]
"""How far to the right an edge in the middle goes with each step down, and what is added to that
at the right edge of the picture.
"""

_Values = npt.NDArray[np.float64]


def lean_of(quads: Quads, half: tuple[float, float], height: float, upright: float) -> Lean | None:
    """Return how edges lean, told by where level lines begin and end; None if as is expected.

    The places are those from the middle of a picture, with half of its width and height around;
    `height` is that of a line, and `upright` how edges lean that stand upright on the lines.
    """
    ends = [quads[:, side].mean(axis=1).astype(np.float64) for side in ([0, 3], [1, 2])]
    step = COARSE * height / half[1]
    around = np.arange(-MOST, MOST + step / 2, step)
    leans = np.array([(lean, change) for lean in around for change in around])
    counts = _alike(ends, leans, half[0], COARSE * height)
    lean = leans[_least(leans, counts, upright)]
    close = np.linspace(-step, step, 9)
    leans = lean + np.array([(more, change) for more in close for change in close])
    leans = np.vstack([leans, [[upright, 0.0]]])
    counts = _alike(ends, leans, half[0], FINE * height)
    if counts.max() < max(BETTER * counts[-1], counts[-1] + MORE):
        return None
    found = leans[_least(leans, counts, upright)]
    return float(found[0]), float(found[1])


def _least(leans: _Values, counts: _Values, upright: float) -> int:
    """Return the number of that which leans least among those that fit best but for chance.

    A single edge, as of a letter with a ragged right side, says nothing of how others lean.
    """
    drifts = np.abs(leans - (upright, 0.0)).max(axis=1)
    return int(np.argmin(np.where(counts > counts.max() - MORE, drifts, np.inf)))


def _alike(ends: list[_Values], leans: _Values, half_width: float, near: float) -> _Values:
    """Return how many ends are on an edge with others, for each way in which edges may lean."""
    count = np.zeros(len(leans))
    for places in ends:
        x, y = places.T
        leaning = leans[:, :1] + leans[:, 1:] * (x / half_width)
        foot = np.sort(x - leaning * y, axis=1)
        for away in range(1, min(NEIGHBOURS, len(x))):
            count += (foot[:, away:] - foot[:, :-away] < near).sum(axis=1)
    return count
