"""Tell what of a picture is drawn rather than written, and make it ready to be described."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import cv2
import numpy as np
import numpy.typing as npt

from indexing.ocr import OUT_OF_MEMORY, Line, RecognitionFailed
from indexing.ocr_models import Mask, Picture

MIN_SIDE = 100
"""Pixels; what is smaller is a logo or an icon."""

LOOKED_AT = 480  # pixels of the longer side
CELL = 12  # pixels of what is looked at
FILLED = 0.08
INK = 40
"""How much a pixel differs from the paper, of 255."""

RULE = 25  # pixels of length
LONG_RULE = 0.7  # of the shorter side
THICK = 5

MIN_DRAWN = 0.04
MIN_DRAWN_TO_WRITTEN = 0.15
MIN_FRAMED = 0.1
MIN_FRAMED_TO_WRITTEN = 1.3
"""Shares of the picture, found with charts, photographs, scans, forms and receipts."""

MARGIN = 0.05
WHOLE = 0.7

MAX_SIDE = 1024
QUALITY = 85
MAX_ON_PAGE = 20
MAX_IN_DOCUMENT = 200

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""

_Bits = npt.NDArray[np.uint8]


class FigureMaker:
    """Makes the images of one document's figures, of each picture once."""

    def __init__(self) -> None:
        self._made: set[bytes] = set()
        self._on_page = 0

    def begin_page(self) -> None:
        """Count anew how many a page has."""
        self._on_page = 0

    def make(self, picture: Picture, quarter_turns: int = 0, box: Box | None = None) -> bytes:
        """Return the picture set upright, or the box of it, as a JPEG file.

        b"" where it was made before, or as many were made as a model is to be asked about.

        Raises:
            RecognitionFailed: memory gave out.
        """
        if self._on_page >= MAX_ON_PAGE or len(self._made) >= MAX_IN_DOCUMENT:
            return b""
        left, top, right, bottom = box or (0, 0, None, None)
        upright = np.rot90(picture, quarter_turns)[top:bottom, left:right]
        with within_memory():
            _, encoded = cv2.imencode(
                ".jpg", _shrunk(upright, MAX_SIDE), [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
            )
        image = encoded.tobytes()
        digest = hashlib.sha256(image).digest()
        if digest in self._made:
            return b""
        self._made.add(digest)
        self._on_page += 1
        return image


def drawn_part(picture: Picture, lines: Sequence[Line], covered: Mask | None = None) -> Box | None:
    """Return where an upright picture shows more than its words; None where it does not.

    Words are the lines recognised in it, and what the mask covers. What is neither paper nor near
    a word is drawn. The rules of forms and tables are not; but the frames of a diagram are, where
    there is little written in them.

    Raises:
        RecognitionFailed: memory gave out.
    """
    if min(picture.shape[:2]) < MIN_SIDE:
        return None
    with within_memory():
        small = _shrunk(picture, LOOKED_AT)
        scale = max(small.shape) / max(picture.shape)
        written = _written(small.shape[:2], lines, covered, scale)
        ink = _ink(small, written)
        if ink is None:
            return None
        drawn = _cells(ink & ~_rules(ink, RULE))
        framed = _cells(ink & ~_rules(ink, round(LONG_RULE * min(ink.shape))))
    share_written = float(written.mean())
    if not (
        _outweighs(drawn, MIN_DRAWN, MIN_DRAWN_TO_WRITTEN * share_written)
        or _outweighs(framed, MIN_FRAMED, MIN_FRAMED_TO_WRITTEN * share_written)
    ):
        return None
    return _box_with_its_words(picture, _cells(ink), lines, scale)


@contextmanager
def within_memory() -> Iterator[None]:
    """Say of what OpenCV has no memory for that a picture cannot be recognised."""
    try:
        yield
    except (MemoryError, cv2.error) as error:
        raise RecognitionFailed(OUT_OF_MEMORY) from error


def _shrunk(picture: Picture, longest: int) -> Picture:
    height, width = picture.shape[:2]
    scale = min(1.0, longest / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    shrunk = cv2.resize(np.ascontiguousarray(picture), size, interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, dtype=np.uint8)


def _written(
    shape: tuple[int, ...], lines: Sequence[Line], covered: Mask | None, scale: float
) -> _Bits:
    """Return the mask of words, each with half a line around it."""
    height, width = shape[0], shape[1]
    written = np.zeros((height, width), dtype=np.uint8)
    if covered is not None:
        shrunk = cv2.resize(covered.astype(np.uint8), (width, height))
        written |= np.asarray(shrunk, dtype=np.uint8)
    for line in lines:
        left, top, right, bottom = (round(edge * scale) for edge in _with_margin(line))
        written[max(top, 0) : bottom + 1, max(left, 0) : right + 1] = 1
    return written


def _with_margin(line: Line) -> tuple[float, float, float, float]:
    margin = line.height / 2
    return line.left - margin, line.top - margin, line.right + margin, line.bottom + margin


def _ink(small: Picture, written: _Bits) -> _Bits | None:
    """Return what differs from the paper, the commonest colour beside the words."""
    coarse = (small >> 4).astype(np.int32)
    colours = ((coarse[..., 0] << 8) | (coarse[..., 1] << 4) | coarse[..., 2])[written == 0]
    if not len(colours):
        return None
    commonest = int(np.bincount(colours).argmax())
    paper = np.array([commonest >> 8, (commonest >> 4) & 15, commonest & 15]) * 16 + 8
    differs = np.abs(small.astype(np.int16) - paper).max(axis=2) > INK
    ink: _Bits = (differs & (written == 0)).astype(np.uint8)
    return ink


def _rules(ink: _Bits, length: int) -> _Bits:
    """Return the thin lines that lie or stand straight: frames, and the rules of tables."""
    thick = _opened(ink, THICK, THICK)
    straight = _opened(ink, 1, length) | _opened(ink, length, 1)
    blurred = cv2.dilate(straight & ~thick, np.ones((3, 3), np.uint8))
    return np.asarray(blurred, dtype=np.uint8) & ~thick


def _opened(ink: _Bits, height: int, width: int) -> _Bits:
    """Return only what is at least as high and wide."""
    kernel = np.ones((height, width), np.uint8)
    return np.asarray(cv2.morphologyEx(ink, cv2.MORPH_OPEN, kernel), dtype=np.uint8)


def _cells(ink: _Bits) -> Mask:
    """Return which cells of the picture have ink, so that a thin line counts for its reach."""
    height, width = (side // CELL for side in ink.shape)
    cells = ink[: height * CELL, : width * CELL].reshape(height, CELL, width, CELL)
    return np.asarray(cells.mean(axis=(1, 3)) > FILLED)


def _outweighs(cells: Mask, *shares: float) -> bool:
    return cells.size > 0 and float(cells.mean()) >= max(shares)


def _box_with_its_words(picture: Picture, cells: Mask, lines: Sequence[Line], scale: float) -> Box:
    """Return where the ink is, with the words at its edge; the whole, where that is most of it."""
    height, width = picture.shape[:2]
    margin = MARGIN * max(height, width)
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    left, right = columns[0] * CELL / scale - margin, (columns[-1] + 1) * CELL / scale + margin
    top, bottom = rows[0] * CELL / scale - margin, (rows[-1] + 1) * CELL / scale + margin
    words = [
        line
        for line in lines
        if line.left < right and left < line.right and line.top < bottom and top < line.bottom
    ]
    box = (
        max(0, int(min([left, *(line.left for line in words)]))),
        max(0, int(min([top, *(line.top for line in words)]))),
        min(width, int(max([right, *(line.right for line in words)]))),
        min(height, int(max([bottom, *(line.bottom for line in words)]))),
    )
    size = (box[2] - box[0]) * (box[3] - box[1])
    return box if size < WHOLE * width * height else (0, 0, width, height)
