"""Find where text is in a picture: turn it upright, cut out its lines, lay them straight."""

import cv2
import numpy as np
import numpy.typing as npt
from rapidocr.ch_ppocr_rec import TextRecInput

from indexing.ocr_models import Mask, Picture, models

Quads = npt.NDArray[np.float32]
"""The four corners of each place where text was found, clockwise from the upper left one."""

DETECTED_PIXELS = 1280 * 905
"""What the detection looks at: an A4 page of 1280 pixels; its time follows their number."""

MAX_DETECTED_PIXELS = 2 * DETECTED_PIXELS
SMALL_PRINT_PIXELS = 11
"""Text less high than this in what the detection saw is looked at again, closer."""

MIN_SIDE = 8
MAX_VOTES = 8
"""Lines that are asked which way up the picture is; the longest know best."""

MAX_PIECES = 3  # of each such line
PIECE_ASPECT = 4
CLEAR_VOTE = 0.5
MAX_READ_TWICE = 3
COVERED = 0.5
LONG = 2  # times the height; what is shorter does not tell how a picture lies
ALIKE = 0.05  # radians, by which words on one line may seem to differ
MIN_CONTRAST = 6.0
"""Of a picture with less there is at most a word on an empty sheet; it is looked at only there."""

INK = 20
"""How much a pixel differs from the paper, of 255, when grain is averaged away."""

INK_MARGIN = 60  # pixels
MAX_INKED = 0.5


def detect(picture: Picture) -> Quads:
    """Return where text is; a word alone on a sheet is only found where the sheet is cut away."""
    has_contrast = float(picture.std()) >= MIN_CONTRAST
    quads = _detect_closely(picture) if has_contrast else np.empty((0, 4, 2), dtype=np.float32)
    if len(quads):
        return quads
    left, top, right, bottom = _inked(picture)
    inked = picture[top:bottom, left:right]
    is_seen = has_contrast and inked.size > MAX_INKED * picture.size
    if is_seen or min(inked.shape[:2]) < MIN_SIDE:
        return quads
    return _detect_closely(np.ascontiguousarray(inked)) + np.array([left, top], dtype=np.float32)


def _inked(picture: Picture) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what is not paper, with a margin; zeros if nothing."""
    grey = cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3))
    ink = np.abs(np.asarray(grey, dtype=np.int16) - np.median(grey)) > INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return 0, 0, 0, 0
    left, top = max(0, columns[0] - INK_MARGIN), max(0, rows[0] - INK_MARGIN)
    return int(left), int(top), int(columns[-1] + INK_MARGIN), int(rows[-1] + INK_MARGIN)


def _detect_closely(picture: Picture) -> Quads:
    quads, scale = _detect_within(picture, DETECTED_PIXELS)
    if not len(quads) or scale >= 1:
        return quads
    small = float(np.median(sides_of(quads).min(axis=1))) * scale
    if small >= SMALL_PRINT_PIXELS:
        return quads
    closer = DETECTED_PIXELS * (SMALL_PRINT_PIXELS / max(small, 1)) ** 2 * 1.5
    return _detect_within(picture, min(closer, MAX_DETECTED_PIXELS))[0]


def _detect_within(picture: Picture, pixels: float) -> tuple[Quads, float]:
    """Return where text is, and how much smaller than the picture was what was looked at."""
    height, width = picture.shape[:2]
    scale = min(1.0, (pixels / (height * width)) ** 0.5)
    detector = models().detector
    # By their number rather than by the longer side, so that a long receipt is not squeezed.
    detector.limit_side_len = max(32, int(max(height, width) * scale))
    found = detector(picture)
    quads = np.empty((0, 4, 2)) if found.boxes is None else found.boxes
    return np.asarray(quads, dtype=np.float32), scale


def set_upright(picture: Picture, quads: Quads) -> tuple[Picture, Quads, int]:
    """Turn the picture so that its text can be read; by quarters, as it was put on the glass."""
    turns = 0
    if not len(quads):
        return picture, quads, turns
    width, height = sides_of(quads).T
    lying = np.sum(width[width > 1.5 * height])
    standing = np.sum(height[height > 1.5 * width])
    if standing > lying:
        turns = 1
        picture = np.ascontiguousarray(np.rot90(picture))
        quads = detect(picture)
    if _is_upside_down(picture, quads):
        turns += 2
        picture = np.ascontiguousarray(np.rot90(picture, 2))
        quads = detect(picture)
    return picture, quads, turns


def _is_upside_down(picture: Picture, quads: Quads) -> bool:
    if not len(quads):
        return False
    longest = quads[np.argsort(-sides_of(quads)[:, 0])[:MAX_VOTES]]
    crops = crops_of(picture, longest)
    votes = _votes_for_turning([piece for crop in crops for piece in _pieces(crop)])
    if abs(votes) >= CLEAR_VOTE:
        return votes > 0
    # The classifier is in doubt, so both ways are read, and the one that makes sense is taken.
    asked = crops[:MAX_READ_TWICE]
    return _confidence([np.rot90(crop, 2) for crop in asked]) > _confidence(asked)


def _votes_for_turning(crops: list[Picture]) -> float:
    """Return the mean vote: 1 where all are upside down, -1 where none is."""
    votes = models().classifier(crops).cls_res or []
    return sum(score if label == "180" else -score for label, score in votes) / max(len(votes), 1)


def _pieces(crop: Picture) -> list[Picture]:
    """Cut pieces of the shape that the classifier was taught with; it squeezes what is longer."""
    width = PIECE_ASPECT * crop.shape[0]
    starts = range(0, max(1, crop.shape[1] - width + 1), width)
    return [crop[:, start : start + width] for start in starts[:MAX_PIECES]]


def _confidence(crops: list[Picture]) -> float:
    return float(np.mean(models().recognizer(TextRecInput(crops)).scores))


def crops_of(picture: Picture, quads: Quads) -> list[Picture]:
    """Cut out what was found, straightened; what stands upright is laid down to be read."""
    crops = []
    sides = np.maximum(sides_of(quads).round(), 1)
    usual = float(np.median(sides[:, 1]))
    for quad, (width, height) in zip(quads, sides, strict=True):
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
        matrix = cv2.getPerspectiveTransform(quad, corners)
        crop: Picture = cv2.warpPerspective(  # type: ignore[assignment]
            picture,
            matrix,
            (int(width), int(height)),
            flags=cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REPLICATE,
        )
        # A digit is higher than wide too, but no higher than the line it stands on.
        if height >= 1.5 * width and height > 1.6 * usual:
            crop = np.ascontiguousarray(np.rot90(crop))
            if _votes_for_turning([crop]) > 0:
                crop = np.ascontiguousarray(np.rot90(crop, 2))
        crops.append(crop)
    return crops


def sides_of(quads: Quads) -> npt.NDArray[np.float32]:
    """Return width and height of each."""
    across = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    down = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    return np.stack([across, down], axis=1)


def uncovered(quads: Quads, covered: Mask) -> Quads:
    """Return those that do not lie where the mask says the text is known."""
    lefts, tops = quads.min(axis=1).astype(int).T
    rights, bottoms = quads.max(axis=1).astype(int).T + 1
    places = zip(lefts, tops, rights, bottoms, strict=True)
    known = [covered[top:bottom, left:right].mean() for left, top, right, bottom in places]
    return quads[np.array(known) < COVERED] if known else quads


def angle_of(quads: Quads) -> float:
    """Return by how much, in radians, the lines fall to the right."""
    width, height = sides_of(quads).T
    long = width > LONG * height
    if not long.any():
        return 0.0
    slopes, width = quads[long, 1] - quads[long, 0], width[long]
    angles = np.arctan2(slopes[:, 1], slopes[:, 0])
    # A stamp set askew may be longer than each line, if not than all together.
    alike = np.abs(angles - _median(angles, width)) < ALIKE
    # Words are framed askew by a pixel or two, which is the less the longer they are.
    return _median(angles[alike], width[alike] ** 3)


def _median(values: npt.NDArray[np.float32], weights: npt.NDArray[np.float32]) -> float:
    """Return the value at half of the weights."""
    order = np.argsort(values)
    counts = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(counts, counts[-1] / 2)])


def straightened(quads: Quads, angle: float) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of each, as if the picture lay straight."""
    width, height = sides_of(quads).T
    cosine, sine = np.cos(angle), np.sin(angle)
    centers = quads.mean(axis=1) @ np.array([[cosine, -sine], [sine, cosine]])
    half = np.stack([width, height], axis=1) / 2
    places = np.hstack([centers - half, centers + half])
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in places]
