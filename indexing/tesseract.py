"""Recognise letters that RapidOCR's models do not know, where Tesseract has its data for them.

Tesseract is a library of the system, with data for each language, that may be installed or not. It
runs within the process that reads the document, under its limits and bans.
"""

import ctypes
import functools
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter

import cv2
import numpy as np

from indexing.edge_rules import without_rules
from indexing.ocr_models import Picture
from indexing.printed_lines import as_print, is_uneven

LIBRARIES = ("libtesseract.so.5", "libtesseract.so.4", "libtesseract.5.dylib")

GREEK, VIETNAMESE = "Greek", "Vietnamese"
LANGUAGES: dict[str, tuple[str, ...]] = {
    "Arabic": ("ara", "fas", "urd"),
    "Armenian": ("hye",),
    "Bengali": ("ben", "asm"),
    "Cyrillic": ("rus", "ukr", "bul", "srp", "bel", "mkd", "kaz"),
    "Devanagari": ("hin", "mar", "nep"),
    "Ethiopic": ("amh",),
    "Georgian": ("kat",),
    GREEK: ("ell",),
    "Gujarati": ("guj",),
    "Gurmukhi": ("pan",),
    "Hangul": ("kor",),
    "Hebrew": ("heb", "yid"),
    "Kannada": ("kan",),
    "Khmer": ("khm",),
    "Korean": ("kor",),
    "Lao": ("lao",),
    "Malayalam": ("mal",),
    "Myanmar": ("mya",),
    "Sinhala": ("sin",),
    "Tamil": ("tam",),
    "Telugu": ("tel",),
    "Thai": ("tha",),
    VIETNAMESE: ("vie",),
}
"""By the names of scripts that Tesseract has: the languages written in them, in its words."""

BESIDE = "eng"  # for words and names in Latin
FROM_RIGHT = ("Arabic", "Hebrew")
"""With these, another language costs more words than it finds."""

MOST_LANGUAGES = 3  # each takes its time on each line

SCRIPTS = "osd"  # the data by which the script is told, and which way up it stands
FEWEST_LETTERS, FEWER_LETTERS = 20, 10  # of which it shall tell the script, or may guess it
ONLY_SCRIPTS, ONE_LINE, RAW_LINE = 0, 7, 13
"""Tesseract's PSM_OSD_ONLY, PSM_SINGLE_LINE and, without a search for the line, PSM_RAW_LINE."""

WORD, LEFT, WIDTH, CONFIDENCE, TEXT = 0, 6, 8, 10, 11  # the columns of its tables of words
IS_WORD = "5"
DOTS_PER_INCH = 200
MARGIN = 10  # pixels of paper around a line, which Tesseract expects
SMALLER = 0.5
HEIGHT = 36  # pixels of a line, as which it is read in the end
MIN_CONFIDENCE = 0.6
SURE = 0.88
"""A line that is read with less is shown once more."""

_WITHOUT_MARKS = dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F)])
"""Nobody wrote the marks that say which way a text runs."""

_RULES = "| \n"
"""At an end of a line they are what it takes the rules of a table for."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line: where it is in the picture of that, in pixels, and how sure it is."""

    text: str
    left: int
    right: int
    confidence: float  # from 0 to 1


@dataclass(frozen=True, slots=True)
class ReadLine:
    """What was read in the picture of a line."""

    text: str
    confidence: float  # from 0 to 1
    words: tuple[Word, ...] = ()  # of the text in their order; none where they do not make it up


@dataclass(frozen=True, slots=True)
class Script:
    """The letters of a picture, and for which of their languages there is data."""

    languages: tuple[str, ...]
    quarter_turns: int = 0  # counter-clockwise, to set the picture upright
    is_from_right: bool = False


def readable_scripts() -> list[str]:
    """Return the scripts that can be read here."""
    if SCRIPTS not in _installed():
        return []
    return [name for name in LANGUAGES if script_of(name) is not None]


def find_script(picture: Picture, letters: int = FEWEST_LETTERS) -> Script | None:
    """Return in which letters the picture is; None where Tesseract cannot tell or read them.

    So many of them it has to see; Arabic ones that are joined are one.
    """
    library = _library()
    if library is None or SCRIPTS not in _installed():
        return None
    with _started(SCRIPTS, ONLY_SCRIPTS) as handle:
        library.TessBaseAPISetVariable(handle, b"min_characters_to_try", b"%d" % letters)
        # Among the rules of a table it may take the letters for others, in a smaller picture not.
        return _told(library, handle, picture) or _told(library, handle, _scaled(picture, SMALLER))


def _told(library: ctypes.CDLL, handle: ctypes.c_void_p, picture: Picture) -> Script | None:
    degrees, name = ctypes.c_int(), ctypes.c_char_p()
    _show(library, handle, picture)
    unused = ctypes.byref(ctypes.c_float())
    is_told = library.TessBaseAPIDetectOrientationScript(
        handle, ctypes.byref(degrees), unused, ctypes.byref(name), unused
    )
    return script_of((name.value or b"").decode(), degrees.value // 90) if is_told else None


def script_of(name: str, quarter_turns: int = 0) -> Script | None:
    """Return the script of a name, with the data there are: as a whole, or for its languages."""
    installed = _installed()
    whole = [data for data in (f"script/{name}", name) if data in installed]
    languages = [one for one in LANGUAGES.get(name, ()) if one in installed]
    is_from_right = name in FROM_RIGHT
    if whole:
        return Script((whole[0],), quarter_turns, is_from_right)
    if not languages:
        return None
    beside = [BESIDE] if BESIDE in installed and not is_from_right else []
    return Script((*languages[:MOST_LANGUAGES], *beside), quarter_turns, is_from_right)


def read_lines(lines: Sequence[Picture], languages: Sequence[str]) -> list[ReadLine]:
    """Return what is read in each line; nothing of any if little of it is sure."""
    library = _library()
    assert library is not None
    with _started("+".join(languages), ONE_LINE) as handle:
        read = [_read(library, handle, line) for line in lines]
    letters = sum(len(line.text) for line in read)
    sure = sum(len(line.text) * line.confidence for line in read)
    return read if sure >= MIN_CONFIDENCE * max(letters, 1) else []


def _read(library: ctypes.CDLL, handle: ctypes.c_void_p, line: Picture) -> ReadLine:
    """Return what it reads in a line, or if that is more in its print.

    At the edge of a shadow it leaves out what lies in that, and is sure of the rest.
    """
    read = _surest(library, handle, without_rules(line))
    if read.confidence < SURE or is_uneven(line):
        printed = _surest(library, handle, without_rules(as_print(line)))
        return max(read, printed, key=lambda line: len(line.text) * line.confidence)
    return read


def _surest(library: ctypes.CDLL, handle: ctypes.c_void_p, line: Picture) -> ReadLine:
    """Return what it reads in a line, as large as it likes it or, if it is surer, as it is."""
    smaller = min(1, HEIGHT / len(line))
    read = _line(library, handle, line, smaller)
    if read.confidence < SURE and smaller < 1:
        read = max(read, _line(library, handle, line), key=attrgetter("confidence"))
    if not read.text:
        # It looks for the line first, and may find none where one fills the picture.
        library.TessBaseAPISetPageSegMode(handle, RAW_LINE)
        read = _line(library, handle, line)
        library.TessBaseAPISetPageSegMode(handle, ONE_LINE)
    return read


def _line(
    library: ctypes.CDLL, handle: ctypes.c_void_p, line: Picture, scale: float = 1
) -> ReadLine:
    """Let it read the picture of a line, so many times as large."""
    _show(library, handle, _with_margin(_scaled(line, scale)))
    text = _clean(_taken(library, library.TessBaseAPIGetUTF8Text(handle)))
    confidence = library.TessBaseAPIMeanTextConf(handle) / 100
    words = _words(_taken(library, library.TessBaseAPIGetTsvText(handle, 0)), scale)
    is_whole = [word.text for word in words] == text.split()
    return ReadLine(text, confidence, tuple(words) if is_whole else ())


def _taken(library: ctypes.CDLL, text: int | None) -> str:
    """Return a text of the library's, which is let go."""
    taken = ctypes.string_at(text).decode() if text else ""
    library.TessDeleteText(ctypes.c_void_p(text))
    return taken


def _words(table: str, scale: float) -> list[Word]:
    """Return the words of a table of them, where they are in the picture before it was scaled."""
    words = []
    for row in (line.split("\t") for line in table.splitlines()):
        if row[WORD] == IS_WORD and (text := _clean(row[TEXT])):
            left = int(row[LEFT]) - MARGIN
            right = left + int(row[WIDTH])
            confidence = float(row[CONFIDENCE]) / 100
            words.append(Word(text, round(left / scale), round(right / scale), confidence))
    return words


def _clean(text: str) -> str:
    return " ".join(text.translate(_WITHOUT_MARKS).strip(_RULES).split())


@functools.cache
def _library() -> ctypes.CDLL | None:
    for name in LIBRARIES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        for function in (
            library.TessBaseAPICreate,
            library.TessBaseAPIGetUTF8Text,
            library.TessBaseAPIGetTsvText,
            library.TessBaseAPIGetAvailableLanguagesAsVector,
        ):
            function.restype = ctypes.c_void_p
        if hasattr(library, "omp_set_num_threads"):
            library.omp_set_num_threads(1)  # One for each processor takes more, and longer.
        return library
    return None


@functools.cache
def _installed() -> frozenset[str]:
    """Return for which languages and scripts there is data; none without Tesseract."""
    library = _library()
    if library is None:
        return frozenset()
    with _started(SCRIPTS, ONLY_SCRIPTS) as handle:
        names = library.TessBaseAPIGetAvailableLanguagesAsVector(handle)
        array = ctypes.cast(names, ctypes.POINTER(ctypes.c_char_p))
        found: list[str] = []
        while (name := array[len(found)]) is not None:
            found.append(name.decode())
        library.TessDeleteTextArray(ctypes.c_void_p(names))
    return frozenset(found)


@contextmanager
def _started(languages: str, mode: int) -> Iterator[ctypes.c_void_p]:
    library = _library()
    assert library is not None
    handle = ctypes.c_void_p(library.TessBaseAPICreate())
    try:
        # It looks for its data where it was built to; without them it reads nothing.
        library.TessBaseAPIInit3(handle, None, languages.encode())
        library.TessBaseAPISetVariable(handle, b"debug_file", os.devnull.encode())
        library.TessBaseAPISetPageSegMode(handle, mode)
        yield handle
    finally:
        library.TessBaseAPIDelete(handle)


def _show(library: ctypes.CDLL, handle: ctypes.c_void_p, picture: Picture) -> None:
    """Give it a picture, of which it makes a copy."""
    grey = np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    height, width = grey.shape
    library.TessBaseAPISetImage(
        handle, grey.ctypes.data_as(ctypes.c_void_p), width, height, 1, width
    )
    library.TessBaseAPISetSourceResolution(handle, DOTS_PER_INCH)


def _scaled(picture: Picture, scale: float) -> Picture:
    scaled = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(scaled, np.uint8)


def _with_margin(line: Picture) -> Picture:
    paper = np.median(line.reshape(-1, 3), axis=0).tolist()
    sides = (MARGIN,) * 4
    framed = cv2.copyMakeBorder(line, *sides, cv2.BORDER_CONSTANT, value=paper)
    return np.asarray(framed, dtype=np.uint8)
