"""Recognise the text of a picture with RapidOCR, and with Tesseract what its models do not know."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, compress
from math import inf

import cv2
import numpy as np
import numpy.typing as npt
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, RuntimeException
from rapidocr.ch_ppocr_rec import TextRecInput
from rapidocr.ch_ppocr_rec.typings import WordInfo
from rapidocr.inference_engine.onnxruntime.main import ONNXRuntimeError

from indexing.coloured_ink import Layer, ink_layers
from indexing.cyrillic_words import with_cyrillic
from indexing.greek import is_greek
from indexing.known_letters import SHORTEST_PART, Knowledge, is_figure, knowledge_of
from indexing.latin_words import with_codes, with_words_from_right
from indexing.leaders import Leader, leaders_of, with_leaders
from indexing.letter_boxes import without_boxes
from indexing.line_parts import parts_of_line
from indexing.ocr_models import Mask, Picture, models
from indexing.perspective import Perspective, Place, find_perspective
from indexing.printed_lines import sheet_of
from indexing.tesseract import (
    FEWER_LETTERS,
    GREEK,
    VIETNAMESE,
    Script,
    find_script,
    read_lines,
    script_of,
)
from indexing.text_places import (
    MIN_SIDE,
    Quads,
    angle_of,
    crops_of,
    detect,
    set_upright,
    sides_of,
    straightened,
    uncovered,
)
from indexing.vietnamese import is_vietnamese

MIN_SCORE = 0.5
SURE_OF_SCRIPT = 0.8  # is what Tesseract reads of the letters of the right script
MIN_SCORE_OF_SHORT_TEXT = 0.8
"""Grain and edges of photographs are read as one or two letters, with little confidence."""

UNKNOWN_LETTERS = (
    "in letters that cannot all be recognised: those of Latin (without the tones of Vietnamese), "
    "Chinese and Japanese can, Greek in part, and others where Tesseract is installed with its "
    "data for the language (Debian: apt install tesseract-ocr tesseract-ocr-rus)"
)
GLANCED_LINES = 10
GLANCED_ASPECT = 14
"""Of so many lines the beginnings, so many times as long as high, tell what a page says."""

MIN_GLANCED = 0.5  # of the length of the longest line

OUT_OF_MEMORY = "it takes more memory than a document may have"

_logger = logging.getLogger(__name__)


class RecognitionFailed(Exception):
    """The picture could not be looked at; the message says why."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, or the part of one that stands apart, and its place in the upright picture.

    Where the picture is a little askew, or was taken from the side, the places are those of the
    straight one.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    is_over_text: bool = False  # stamped over other lines, of which it is none

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
    has_unknown_letters: bool = False  # that is, most of its text or some lines of it
    angle: float = 0.0  # in radians, of its lines before they were straightened
    perspective: Perspective | None = None  # of the upright picture, taken from the side


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
class _Seen:
    """Where lines are in a picture, how each looks, and what the models read in it."""

    quads: Quads
    crops: Sequence[Picture] = ()
    texts: Sequence[str] = ()
    scores: Sequence[float] = ()
    places: Sequence[Sequence[float]] = ()  # of the letters of each, as shares of its width
    leaders: Sequence[Sequence[Leader]] = ()
    are_over_text: Sequence[bool] = ()
    perspective: Perspective | None = None

    @property
    def knowledge(self) -> Knowledge:
        """How well the lines are known, given the place that each takes."""
        return knowledge_of(self.texts, self.scores, self.lengths)

    @property
    def lengths(self) -> npt.NDArray[np.float64]:
        """How many times as long as high the letters of each line are together."""
        sides = np.array([crop.shape[:2] for crop in self.crops], dtype=float).reshape(-1, 2)
        sides = np.maximum(sides, 1)
        led = [sum(leader.width for leader in leaders) for leaders in self.leaders]
        lengths: npt.NDArray[np.float64] = (
            sides.max(axis=1) / sides.min(axis=1) * (1 - np.array(led))
        )
        return lengths


def _recognize(picture: Picture, covered: Mask | None) -> Reading:
    def not_covered(quads: Quads, turns: int) -> Quads:
        return quads if covered is None else uncovered(quads, np.rot90(covered, turns))

    if min(picture.shape[:2]) < MIN_SIDE:
        return Reading((), 0)
    seen, script, turns = _see_upright(picture, not_covered)
    read, has_unknown_letters = _read(seen, script)
    reading = _reading(seen, read, turns % 4)
    return replace(reading, has_unknown_letters=has_unknown_letters)


def _glance(picture: Picture) -> Glance:
    if min(picture.shape[:2]) < MIN_SIDE:
        return Glance()
    seen, script, _ = _see_upright(picture, _some_long, GLANCED_ASPECT)
    read, has_unknown_letters = _read(seen, script)
    if not read:
        return Glance()
    texts, scores = zip(*read, strict=True)
    return Glance(texts, float(np.mean(scores)), has_unknown_letters)


def _some_long(quads: Quads, _: int) -> Quads:
    """Return some of the long lines, all over the picture."""
    if not len(quads):
        return quads
    lengths = sides_of(quads)[:, 0]
    long = quads[lengths >= MIN_GLANCED * lengths.max()]
    some: Quads = long[np.linspace(0, len(long) - 1, min(len(long), GLANCED_LINES)).astype(int)]
    return some


def _see_upright(
    picture: Picture, chosen: Callable[[Quads, int], Quads], aspect: float = inf
) -> tuple[_Seen, Script | None, int]:
    """Return the lines of the picture set upright, a further script of theirs, and the turns.

    What is read of all lines is chosen, given these and the quarter turns by then.
    """
    picture, quads, turns = set_upright(picture, detect(picture))
    layers = [
        replace(layer, quads=chosen(layer.quads, turns)) for layer in ink_layers(picture, quads)
    ]
    seen = _see(layers, aspect)
    script = _further_script(picture, seen)
    if script is None or not script.quarter_turns:
        return seen, script, turns
    turns += script.quarter_turns
    picture = np.ascontiguousarray(np.rot90(picture, script.quarter_turns))
    return _see([Layer(picture, chosen(detect(picture), turns))], aspect), script, turns


def _see(layers: Sequence[Layer], aspect: float) -> _Seen:
    """Let the models read the lines, of each as many of its heights."""
    quads = np.concatenate([layer.quads for layer in layers])
    if not len(quads):
        return _Seen(quads)
    perspective = find_perspective(quads)
    if perspective is not None:
        layers = [_straight(layer, perspective) for layer in layers]
        quads = perspective.straight_places(quads)
    crops = [
        crop[:, : int(min(crop.shape[1], aspect * crop.shape[0]))]
        for layer in layers
        if len(layer.quads)
        for crop in crops_of(layer.picture, layer.quads)
    ]
    recognized = models().recognizer(TextRecInput(crops, return_word_box=True))
    places = [_places(words) for words in recognized.word_results]
    leaders = [leaders_of(crop, place) for crop, place in zip(crops, places, strict=True)]
    are_over = [layer.is_over_text for layer in layers for _ in layer.quads]
    texts, scores = recognized.txts or (), recognized.scores or ()
    return _Seen(quads, crops, texts, scores, places, leaders, are_over, perspective)


def _straight(layer: Layer, perspective: Perspective) -> Layer:
    """Return the layer set straight."""
    picture = perspective.straight_picture(layer.picture)
    return replace(layer, picture=picture, quads=perspective.straight_places(layer.quads))


def _places(words: object) -> list[float]:
    """Return where the letters of a line were read, as shares of its width."""
    assert isinstance(words, WordInfo)  # RapidOCR says otherwise
    steps = chain.from_iterable(words.word_cols)
    return [(step + 0.5) / words.line_txt_len for step in steps]


def _further_script(picture: Picture, seen: _Seen) -> Script | None:
    """Return the script of a text that the models do not know, if Tesseract can read it.

    They may have taken its letters for others that stand upside down.
    """
    if seen.knowledge.is_unknown or seen.knowledge.is_blank:
        return find_script(picture) or _script_of_lines(seen) or _guessed_script(seen)
    if is_vietnamese(seen.texts):
        return script_of(VIETNAMESE)
    if is_greek(seen.texts):
        return script_of(GREEK)
    if not seen.knowledge.has_unknown_parts:
        return _script_of_lines(seen) if seen.knowledge.is_unsure else None
    script = find_script(_without_known(picture, seen)) or _script_of_lines(seen)
    # The lines that are known say which way up the others stand.
    return replace(script, quarter_turns=0) if script is not None else None


def _script_of_lines(seen: _Seen) -> Script | None:
    """Return the script of the lines that Tesseract cannot tell where they stand.

    In a photograph, or at a low resolution, it sees no letters. Greek it may take for Cyrillic, and
    lines that were laid down to be read say nothing of how the picture lies.
    """
    if is_greek(seen.texts):
        return script_of(GREEK)
    script = find_script(sheet_of(list(compress(seen.crops, seen.knowledge.are_doubtful))))
    return None if script is None or script.quarter_turns % 2 else script


def _guessed_script(seen: _Seen) -> Script | None:
    """Return the script of so few letters that it has to be guessed, if they can be read by it."""
    if not seen.knowledge.is_blank:
        return None
    script = find_script(sheet_of(seen.crops), FEWER_LETTERS)
    read = read_lines(seen.crops, script.languages) if script is not None else []
    sure = [one.confidence for one in read if one.text]
    is_read = len(sure) > len(read) / 2 and min(sure) >= SURE_OF_SCRIPT
    return replace(script, quarter_turns=0) if script is not None and is_read else None


def _without_known(picture: Picture, seen: _Seen) -> Picture:
    """Return the picture without the lines that are known."""
    shot = seen.perspective
    rest = picture.copy() if shot is None else shot.straight_picture(picture)
    known = seen.quads[~seen.knowledge.are_unknown].round().astype(np.int32)
    paper = np.median(rest.reshape(-1, 3), axis=0).tolist()
    cv2.fillPoly(rest, list(known), paper)
    return rest


def _read(seen: _Seen, script: Script | None) -> tuple[list[tuple[str, float]], bool]:
    """Return the text of each line and how sure it is; and whether letters are unknown."""
    if script is not None and (read := _by_tesseract(seen, script)):
        is_lost = [not _is_legible(text, score) for text, score in read]
        return read, bool(seen.lengths[is_lost].sum() >= SHORTEST_PART)
    texts, knowledge = seen.texts, seen.knowledge
    is_unknown = knowledge.is_unknown or is_vietnamese(texts) or knowledge.has_unknown_parts
    if is_greek(texts) and not knowledge.is_unknown:
        texts = models().greek_recognizer(TextRecInput(list(seen.crops))).txts or ()
        is_unknown = True
    elif not is_vietnamese(texts):
        texts = [
            "" if lost else text for text, lost in zip(texts, knowledge.are_guessed, strict=True)
        ]
    return list(zip(texts, seen.scores, strict=True)), is_unknown


def _by_tesseract(seen: _Seen, script: Script) -> list[tuple[str, float]]:
    """Return what Tesseract reads in the lines, nothing where it is not sure.

    The models know figures better, and read those of which they are sure, or which are some for
    both; and what else they know well, where only parts of the text are in letters they do not.
    """
    read = list(zip(seen.texts, seen.scores, strict=True))
    knowledge = seen.knowledge
    at = list(range(len(read)))
    if knowledge.has_unknown_parts:
        at = [number for number in at if knowledge.are_doubtful[number]]
    crops = [seen.crops[number] for number in at]
    others = read_lines(crops, script.languages)
    find_latin = with_words_from_right if script.is_from_right else with_codes
    texts = with_cyrillic(find_latin(others, crops[: len(others)]))
    for number, other, text in zip(at, others, texts, strict=False):
        known, _ = read[number]
        is_sure = is_figure(text) or not knowledge.are_doubtful[number]
        if not (is_figure(known) and is_sure):
            read[number] = text, other.confidence
    return read if others else []


def _reading(seen: _Seen, read: Iterable[tuple[str, float]], turns: int) -> Reading:
    """Return what was read with confidence of each place, given its text and how sure that is."""
    angle = angle_of(seen.quads[~np.array(seen.are_over_text, dtype=bool)])
    found = zip(straightened(seen.quads, angle), read, strict=True)
    lines = tuple(
        line
        for number, (place, (text, score)) in enumerate(found)
        if _is_legible(text.strip(), score)
        for line in _lines(seen, number, without_boxes(text.strip()), place)
    )
    return Reading(lines, turns, angle=angle, perspective=seen.perspective)


def _lines(seen: _Seen, number: int, text: str, place: Place) -> Iterator[Line]:
    """Yield the parts of a line, each where its ink is."""
    left, top, right, bottom = place
    crop, width = seen.crops[number], right - left
    is_laid_down = (crop.shape[1] > crop.shape[0]) != (width > bottom - top)
    if is_laid_down or seen.are_over_text[number]:
        yield Line(text, *place, seen.are_over_text[number])
        return
    places = seen.places[number] if text == seen.texts[number].strip() else ()
    if places:
        text = with_leaders(text, seen.leaders[number])
    for part in parts_of_line(crop, text, places):
        yield Line(part.text, left + part.left * width, top, left + part.right * width, bottom)


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
