"""Recognise the text of a picture with RapidOCR: turned upright, then line by line.

The models lie in RapidOCR's wheel and are named by their path, so nothing is ever downloaded.
"""

import copy
import functools
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import rapidocr
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, RuntimeException
from rapidocr.ch_ppocr_cls import TextClassifier
from rapidocr.ch_ppocr_det import TextDetector
from rapidocr.ch_ppocr_rec import TextRecInput, TextRecognizer
from rapidocr.inference_engine.onnxruntime.main import ONNXRuntimeError
from rapidocr.utils.parse_parameters import ParseParams

from indexing.greek import GreekDecoder, is_greek
from indexing.tesseract import GREEK, VIETNAMESE, Script, find_script, read_lines, script_of
from indexing.vietnamese import is_vietnamese

Picture = npt.NDArray[np.uint8]
"""Rows of pixels, each blue, green and red."""

Mask = npt.NDArray[np.bool_]
"""As many rows and columns as its picture."""

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
MIN_CONTRAST = 6.0
"""Of a picture with less there is at most a word on an empty sheet; it is looked at only there."""

INK = 20
"""How much a pixel differs from the paper, of 255, when grain is averaged away."""

INK_MARGIN = 60  # pixels
MAX_INKED = 0.5

MIN_SCORE = 0.5
MIN_SCORE_OF_SHORT_TEXT = 0.8
"""Grain and edges of photographs are read as one or two letters, with little confidence."""

UNKNOWN_LETTERS = (
    "in letters that cannot all be recognised: those of Latin (without the tones of Vietnamese), "
    "Greek, Chinese and Japanese can, and others where Tesseract is installed with its data for "
    "the language (Debian: apt install tesseract-ocr tesseract-ocr-rus)"
)
FEWEST_KNOWN = 0.6
"""Letters for each height of a line that its lines are long, below which most are not known.

Receipts have from 1.6 on, Chinese 1.1; what is made of Cyrillic, Korean, Arabic, Hebrew, Thai or
Devanagari has 0.3 at most.
"""

SHORTEST_TEXT = 20  # the same heights: of less than a line there is nothing to say

GLANCED_LINES = 10
GLANCED_ASPECT = 14
"""Of so many lines the beginnings, so many times as long as high, tell what a page says."""

MIN_GLANCED = 0.5  # of the length of the longest line

WHEEL = Path(rapidocr.__file__).parent
MODELS = WHEEL / "models"

PARAMETERS: dict[str, object] = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Det.model_path": str(MODELS / "PP-OCRv6_det_small.onnx"),
    "Det.limit_type": "max",
    # The score of a place is taken within its outline: single digits beside a column are kept.
    "Det.score_mode": "slow",
    "Cls.model_path": str(MODELS / "ch_ppocr_mobile_v2.0_cls_mobile.onnx"),
    "Rec.model_path": str(MODELS / "PP-OCRv6_rec_small.onnx"),
    # One line at a time, none padded to the width of another: half the time.
    "Rec.rec_batch_num": 1,
    "Rec.rec_img_shape": [3, 48, 48],
}


OUT_OF_MEMORY = "it takes more memory than a document may have"

_FIGURE = re.compile(r"[-+(]?[$€£¥]? ?[0-9][0-9 .,:/-]*%?[$€£¥]?\)?")

_logger = logging.getLogger(__name__)


class RecognitionFailed(Exception):
    """The picture could not be looked at; the message says why."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, or the part of one that stands apart, and its place in the upright picture.

    Where the picture is a little askew, the places are those of the straightened one.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Reading:
    """What was recognised in a picture."""

    lines: tuple[Line, ...]
    quarter_turns: int  # counter-clockwise, to set the picture upright
    has_unknown_letters: bool = False  # so has most of its text
    angle: float = 0.0  # in radians, of its lines before they were straightened


@dataclass(frozen=True, slots=True)
class Glance:
    """What a few lines of a picture say, all over it."""

    texts: tuple[str, ...] = ()
    score: float = 0.0  # how sure that is, from 0 to 1
    has_unknown_letters: bool = False


def recognize(picture: Picture, covered: Mask | None = None) -> Reading:
    """Return the lines of the picture, but those that lie where the mask says they are known.

    Raises:
        RecognitionFailed: memory or the libraries gave out.
    """
    with _failing_as_one():
        return _recognize(picture, covered)


def glance(picture: Picture) -> Glance:
    """Return what some of the lines of the picture begin with, in a fraction of the time of all.

    Raises:
        RecognitionFailed: memory or the libraries gave out.
    """
    with _failing_as_one():
        return _glance(picture)


@contextmanager
def _failing_as_one() -> Iterator[None]:
    """Let what the libraries raise become `RecognitionFailed`."""
    try:
        yield
    except MemoryError as error:
        raise RecognitionFailed(OUT_OF_MEMORY) from error
    except (ONNXRuntimeError, RuntimeException, Fail, cv2.error) as error:
        if "bad_alloc" in str(error) or "Insufficient memory" in str(error):
            raise RecognitionFailed(OUT_OF_MEMORY) from error
        _logger.warning("A picture cannot be looked at", exc_info=error)
        raise RecognitionFailed("the text recognition failed on it; see the log") from error


@dataclass(frozen=True, slots=True)
class _Models:
    detector: TextDetector
    classifier: TextClassifier
    recognizer: TextRecognizer
    greek_recognizer: TextRecognizer


@dataclass(frozen=True, slots=True)
class _Seen:
    """Where lines are in a picture, how each looks, and what the models read in it."""

    quads: Quads
    crops: Sequence[Picture] = ()
    texts: Sequence[str] = ()
    scores: Sequence[float] = ()

    @property
    def has_unknown_letters(self) -> bool:
        """Tell whether most letters were found but not known: too few are for their place."""
        sides = np.array([crop.shape[1::-1] for crop in self.crops], dtype=np.float32)
        return _has_unknown_letters(self.texts, sides.reshape(-1, 2))


def _recognize(picture: Picture, covered: Mask | None) -> Reading:
    if min(picture.shape[:2]) < MIN_SIDE:
        return Reading((), 0)
    picture, quads, turns = _set_upright(picture, _detect(picture))
    covered = None if covered is None else np.rot90(covered, turns)
    seen = _see(picture, quads, covered)
    script = _further_script(picture, seen)
    if script is not None and script.quarter_turns:
        turns += script.quarter_turns
        picture = np.ascontiguousarray(np.rot90(picture, script.quarter_turns))
        covered = None if covered is None else np.rot90(covered, script.quarter_turns)
        seen = _see(picture, _detect(picture), covered)
    read, has_unknown_letters = _read(seen, script)
    reading = _reading(seen.quads, read, turns % 4)
    return replace(reading, has_unknown_letters=has_unknown_letters)


def _glance(picture: Picture) -> Glance:
    if min(picture.shape[:2]) < MIN_SIDE:
        return Glance()
    picture, quads, _ = _set_upright(picture, _detect(picture))
    seen = _see(picture, _glanced(quads), None, GLANCED_ASPECT)
    script = _further_script(picture, seen)
    if script is not None and script.quarter_turns:
        picture = np.ascontiguousarray(np.rot90(picture, script.quarter_turns))
        seen = _see(picture, _glanced(_detect(picture)), None, GLANCED_ASPECT)
    read, has_unknown_letters = _read(seen, script)
    if not read:
        return Glance()
    texts, scores = zip(*read, strict=True)
    return Glance(texts, float(np.mean(scores)), has_unknown_letters)


def _glanced(quads: Quads) -> Quads:
    """Return some of the long lines, all over the picture."""
    if not len(quads):
        return quads
    lengths = _sides(quads)[:, 0]
    long = quads[lengths >= MIN_GLANCED * lengths.max()]
    some: Quads = long[np.linspace(0, len(long) - 1, min(len(long), GLANCED_LINES)).astype(int)]
    return some


def _see(picture: Picture, quads: Quads, covered: Mask | None, aspect: int | None = None) -> _Seen:
    """Let the models read the lines, but those that are covered; up to an aspect of each."""
    if covered is not None:
        quads = _uncovered(quads, covered)
    if not len(quads):
        return _Seen(quads)
    crops = [crop[:, : aspect and aspect * crop.shape[0]] for crop in _crops(picture, quads)]
    recognized = _models().recognizer(TextRecInput(crops))
    return _Seen(quads, crops, recognized.txts or (), recognized.scores or ())


def _further_script(picture: Picture, seen: _Seen) -> Script | None:
    """Return the script of a text that the models do not know, if Tesseract can read it.

    They may have taken its letters for others that stand upside down.
    """
    if seen.has_unknown_letters:
        return find_script(picture)
    if is_vietnamese(seen.texts):
        return script_of(VIETNAMESE)
    return script_of(GREEK) if is_greek(seen.texts) else None


def _read(seen: _Seen, script: Script | None) -> tuple[list[tuple[str, float]], bool]:
    """Return the text of each line and how sure it is; and whether most letters are unknown."""
    if script is not None and (read := _by_tesseract(seen, script)):
        return read, False
    texts, is_unknown = seen.texts, seen.has_unknown_letters
    if is_greek(texts) and not is_unknown:
        texts = _models().greek_recognizer(TextRecInput(list(seen.crops))).txts or ()
    return list(zip(texts, seen.scores, strict=True)), is_unknown or is_vietnamese(texts)


def _by_tesseract(seen: _Seen, script: Script) -> list[tuple[str, float]]:
    """Return what Tesseract reads in the lines, nothing where it is not sure.

    What is a figure for both is read by the models, which know them better.
    """
    read = read_lines(seen.crops, script.languages)
    known = zip(seen.texts, seen.scores, strict=True)
    return [
        one if _FIGURE.fullmatch(one[0]) and _FIGURE.fullmatch(other[0]) else other
        for one, other in zip(known, read, strict=False)
    ]


def _reading(quads: Quads, read: Iterable[tuple[str, float]], turns: int) -> Reading:
    """Return what was read with confidence of each place, given its text and how sure that is."""
    angle = _angle(quads)
    found = zip(_straightened(quads, angle), read, strict=True)
    lines = tuple(
        Line(text.strip(), *place)
        for place, (text, score) in found
        if _is_legible(text.strip(), score)
    )
    return Reading(lines, turns, angle=angle)


def load_models() -> None:
    """Load what the first recognition would have to wait for."""
    _models()


@functools.cache
def _models() -> _Models:
    """Load the models, once in each process."""
    cv2.setNumThreads(1)
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    config = ParseParams.update_batch(ParseParams.load(WHEEL / "config.yaml"), PARAMETERS)
    for part in (config.Det, config.Cls, config.Rec):
        part.engine_cfg = config.EngineConfig.onnxruntime
    config.Rec.font_path = None
    recognizer = TextRecognizer(config.Rec)
    greek = copy.copy(recognizer)
    # It is called like RapidOCR's own.
    greek.postprocess_op = GreekDecoder(recognizer.postprocess_op.character)  # type: ignore[assignment]
    return _Models(TextDetector(config.Det), TextClassifier(config.Cls), recognizer, greek)


def _detect(picture: Picture) -> Quads:
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
    small = float(np.median(_sides(quads).min(axis=1))) * scale
    if small >= SMALL_PRINT_PIXELS:
        return quads
    closer = DETECTED_PIXELS * (SMALL_PRINT_PIXELS / max(small, 1)) ** 2 * 1.5
    return _detect_within(picture, min(closer, MAX_DETECTED_PIXELS))[0]


def _detect_within(picture: Picture, pixels: float) -> tuple[Quads, float]:
    """Return where text is, and how much smaller than the picture was what was looked at."""
    height, width = picture.shape[:2]
    scale = min(1.0, (pixels / (height * width)) ** 0.5)
    detector = _models().detector
    # By their number rather than by the longer side, so that a long receipt is not squeezed.
    detector.limit_side_len = max(32, int(max(height, width) * scale))
    found = detector(picture)
    quads = np.empty((0, 4, 2)) if found.boxes is None else found.boxes
    return np.asarray(quads, dtype=np.float32), scale


def _set_upright(picture: Picture, quads: Quads) -> tuple[Picture, Quads, int]:
    """Turn the picture so that its text can be read; by quarters, as it was put on the glass."""
    turns = 0
    if not len(quads):
        return picture, quads, turns
    width, height = _sides(quads).T
    lying = np.sum(width[width > 1.5 * height])
    standing = np.sum(height[height > 1.5 * width])
    if standing > lying:
        turns = 1
        picture = np.ascontiguousarray(np.rot90(picture))
        quads = _detect(picture)
    if _is_upside_down(picture, quads):
        turns += 2
        picture = np.ascontiguousarray(np.rot90(picture, 2))
        quads = _detect(picture)
    return picture, quads, turns


def _is_upside_down(picture: Picture, quads: Quads) -> bool:
    if not len(quads):
        return False
    longest = quads[np.argsort(-_sides(quads)[:, 0])[:MAX_VOTES]]
    crops = _crops(picture, longest)
    votes = _votes_for_turning([piece for crop in crops for piece in _pieces(crop)])
    if abs(votes) >= CLEAR_VOTE:
        return votes > 0
    # The classifier is in doubt, so both ways are read, and the one that makes sense is taken.
    asked = crops[:MAX_READ_TWICE]
    return _confidence([np.rot90(crop, 2) for crop in asked]) > _confidence(asked)


def _votes_for_turning(crops: list[Picture]) -> float:
    """Return the mean vote: 1 where all are upside down, -1 where none is."""
    votes = _models().classifier(crops).cls_res or []
    return sum(score if label == "180" else -score for label, score in votes) / max(len(votes), 1)


def _pieces(crop: Picture) -> list[Picture]:
    """Cut pieces of the shape that the classifier was taught with; it squeezes what is longer."""
    width = PIECE_ASPECT * crop.shape[0]
    starts = range(0, max(1, crop.shape[1] - width + 1), width)
    return [crop[:, start : start + width] for start in starts[:MAX_PIECES]]


def _confidence(crops: list[Picture]) -> float:
    return float(np.mean(_models().recognizer(TextRecInput(crops)).scores))


def _crops(picture: Picture, quads: Quads) -> list[Picture]:
    """Cut out what was found, straightened; what stands upright is laid down to be read."""
    crops = []
    sides = np.maximum(_sides(quads).round(), 1)
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


def _sides(quads: Quads) -> npt.NDArray[np.float32]:
    """Return width and height of each."""
    across = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    down = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    return np.stack([across, down], axis=1)


def _uncovered(quads: Quads, covered: Mask) -> Quads:
    lefts, tops = quads.min(axis=1).astype(int).T
    rights, bottoms = quads.max(axis=1).astype(int).T + 1
    places = zip(lefts, tops, rights, bottoms, strict=True)
    known = [covered[top:bottom, left:right].mean() for left, top, right, bottom in places]
    return quads[np.array(known) < COVERED] if known else quads


def _angle(quads: Quads) -> float:
    """Return by how much, in radians, the lines fall to the right."""
    width, height = _sides(quads).T
    long = width > LONG * height
    if not long.any():
        return 0.0
    slopes = quads[long, 1] - quads[long, 0]
    angles = np.arctan2(slopes[:, 1], slopes[:, 0])
    order = np.argsort(angles)
    # Words are framed askew by a pixel or two, which is the less the longer they are.
    counts = np.cumsum(width[long][order] ** 3)
    return float(angles[order][np.searchsorted(counts, counts[-1] / 2)])


def _straightened(quads: Quads, angle: float) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of each, as if the picture lay straight."""
    width, height = _sides(quads).T
    cosine, sine = np.cos(angle), np.sin(angle)
    centers = quads.mean(axis=1) @ np.array([[cosine, -sine], [sine, cosine]])
    half = np.stack([width, height], axis=1) / 2
    places = np.hstack([centers - half, centers + half])
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in places]


def _has_unknown_letters(texts: Sequence[str], sides: npt.NDArray[np.float32]) -> bool:
    """Tell whether most letters were found but not known: too few are for the place they take."""
    sides = np.maximum(sides, 1)
    length = float((sides.max(axis=1) / sides.min(axis=1)).sum())
    # The dots before a page number are known as well, and every sign that stands in a row.
    known = sum(len(re.findall(r"[^\W_]|(\S)(?=\1\1)", text)) for text in texts)
    return length >= SHORTEST_TEXT and known < FEWEST_KNOWN * length


def _is_legible(text: str, score: float) -> bool:
    """Keep what was read with confidence; a figure more readily than a stray letter."""
    words = [character for character in text if character.isalnum()]
    if not words or score < MIN_SCORE:
        return False
    if len(text) > 3 and len(set(text)) == 1:
        # Dots, links of a chain and the keys of a drawn telephone are read as rows of one sign.
        return False
    is_figure = any(character.isdigit() for character in words)
    return is_figure or len(words) > 2 or score >= MIN_SCORE_OF_SHORT_TEXT
