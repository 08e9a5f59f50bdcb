"""Set straight what was photographed from the side: its lines and its columns are parallel then."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from indexing.converging_lines import Fall, fall_of
from indexing.leaning_edges import Lean, lean_of
from indexing.ocr_models import Picture
from indexing.text_places import Quads, sides_of

DRIFT = 0.2  # heights of a line: by so much are the ends of the outer lines off
LEANING = 0.25  # and by so much those of edges
ROOM = 2.0  # and so much is left around the text; what lies far from it may reach to the horizon

Matrix = npt.NDArray[np.float64]
"""3 x 3, in homogeneous coordinates."""

Place = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


@dataclass(frozen=True, slots=True)
class Perspective:
    """How a picture was taken: where its places lie when it is set straight."""

    matrix: Matrix
    size: tuple[int, int]  # width and height of the straight picture, that has the text alone

    def straight_picture(self, picture: Picture) -> Picture:
        """Return the picture set straight."""
        straight = cv2.warpPerspective(
            picture, self.matrix, self.size, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(straight, dtype=np.uint8)

    def straight_places(self, quads: Quads) -> Quads:
        """Return the places in the straight picture."""
        return _moved(quads, self.matrix)

    def in_picture(self, place: Place) -> Place:
        """Return where in the picture something lies, given its place in the straight one."""
        left, top, right, bottom = place
        corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]])
        back = np.asarray(np.linalg.inv(self.matrix), dtype=np.float64)
        xs, ys = _moved(corners.astype(np.float32), back)[0].T.tolist()
        return min(xs), min(ys), max(xs), max(ys)


def find_perspective(quads: Quads) -> Perspective | None:
    """Return how a picture was taken, given where text is in it.

    None where its lines and columns are parallel, or it is not known how they lie.
    """
    if not len(quads):
        return None
    (left, top), (right, bottom) = quads.min(axis=(0, 1)), quads.max(axis=(0, 1))
    middle = np.array([(left + right) / 2, (top + bottom) / 2], dtype=np.float32)
    half = max(float(right - left) / 2, 1.0), max(float(bottom - top) / 2, 1.0)
    height = float(np.median(sides_of(quads)[:, 1]))
    centred = np.asarray(quads - middle, dtype=np.float32)
    fall = fall_of(centred, half[1], height)
    if fall is None:
        return None
    level = _moved(centred, _matrix(half, fall, (0.0, 0.0)))
    lean = lean_of(level, half, height, -fall[0])
    converges = abs(fall[1]) * half[0] > DRIFT * height
    leans = lean is not None and _drift(lean, -fall[0]) * half[1] > LEANING * height
    if not converges and not leans:
        return None
    x, y = middle.tolist()
    to_middle = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]])
    room = half[0] + ROOM * height, half[1] + ROOM * height
    to_corner = np.array([[1, 0, room[0]], [0, 1, room[1]], [0, 0, 1]])
    matrix = to_corner @ _matrix(half, fall, lean or (0.0, 0.0)) @ to_middle
    size = round(2 * room[0]), round(2 * room[1])
    return Perspective(np.asarray(matrix, dtype=np.float64), size)


def _drift(lean: Lean, upright: float) -> float:
    """Return by how much edges lean more or less than those of a picture that is but turned."""
    return max(abs(lean[0] - upright), abs(lean[1]))


def _matrix(half: tuple[float, float], fall: Fall, lean: Lean) -> Matrix:
    """Return how places around the middle move where lines fall and edges lean like this."""
    side, end = np.array([-1, 1, 1, -1]), np.array([-1, -1, 1, 1])
    x, y = side * half[0], end * half[1]
    leaning = x + (lean[0] + lean[1] * side) * y
    sources = np.column_stack([leaning, y + (fall[0] + fall[1] * end) * leaning])
    targets = np.column_stack([x, y])
    matrix = cv2.getPerspectiveTransform(sources.astype(np.float32), targets.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64)


def _moved(quads: Quads, matrix: Matrix) -> Quads:
    if not len(quads):  # as in an ink that has no letters
        return quads
    moved = cv2.perspectiveTransform(quads.reshape(-1, 1, 2), matrix)
    return np.asarray(moved, dtype=np.float32).reshape(-1, 4, 2)
