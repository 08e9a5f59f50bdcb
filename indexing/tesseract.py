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

import cv2
import numpy as np

from indexing.ocr_models import Picture

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
FEWEST_LETTERS = b"20"  # of which it shall tell the script
ONLY_SCRIPTS, ONE_LINE = 0, 7  # Tesseract's PSM_OSD_ONLY and PSM_SINGLE_LINE
DOTS_PER_INCH = 200
MARGIN = 10  # pixels of paper around a line, which Tesseract expects
MIN_CONFIDENCE = 0.6

_WITHOUT_MARKS = dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F)])
"""Nobody wrote the marks that say which way a text runs."""

_RULES = "| \n"
"""At an end of a line they are what it takes the rules of a table for."""


@dataclass(frozen=True, slots=True)
class Script:
    """The letters of a picture, and for which of their languages there is data."""

    languages: tuple[str, ...]
    quarter_turns: int = 0  # counter-clockwise, to set the picture upright


def readable_scripts() -> list[str]:
    """Return the scripts that can be read here."""
    if SCRIPTS not in _installed():
        return []
    return [name for name in LANGUAGES if script_of(name) is not None]


def find_script(picture: Picture) -> Script | None:
    """Return in which letters the picture is; None where Tesseract cannot tell or read them."""
    library = _library()
    if library is None or SCRIPTS not in _installed():
        return None
    degrees, name = ctypes.c_int(), ctypes.c_char_p()
    with _started(SCRIPTS, ONLY_SCRIPTS) as handle:
        library.TessBaseAPISetVariable(handle, b"min_characters_to_try", FEWEST_LETTERS)
        _show(library, handle, picture)
        unused = ctypes.byref(ctypes.c_float())
        is_told = library.TessBaseAPIDetectOrientationScript(
            handle, ctypes.byref(degrees), unused, ctypes.byref(name), unused
        )
        told = (name.value or b"").decode() if is_told else ""
    return script_of(told, degrees.value // 90)


def script_of(name: str, quarter_turns: int = 0) -> Script | None:
    """Return the script of a name, with the data there are: as a whole, or for its languages."""
    installed = _installed()
    whole = [data for data in (f"script/{name}", name) if data in installed]
    languages = [one for one in LANGUAGES.get(name, ()) if one in installed]
    if whole:
        return Script((whole[0],), quarter_turns)
    if not languages:
        return None
    beside = [BESIDE] if BESIDE in installed and name not in FROM_RIGHT else []
    return Script((*languages[:MOST_LANGUAGES], *beside), quarter_turns)


def read_lines(lines: Sequence[Picture], languages: Sequence[str]) -> list[tuple[str, float]]:
    """Return the text of each line with how sure it is, from 0 to 1; none if that is little."""
    library = _library()
    assert library is not None
    read = []
    with _started("+".join(languages), ONE_LINE) as handle:
        for line in lines:
            _show(library, handle, _with_margin(line))
            text = library.TessBaseAPIGetUTF8Text(handle)
            written = ctypes.string_at(text).decode() if text else ""
            text_alone = " ".join(written.translate(_WITHOUT_MARKS).strip(_RULES).split())
            read.append((text_alone, library.TessBaseAPIMeanTextConf(handle) / 100))
            library.TessDeleteText(ctypes.c_void_p(text))
    letters = sum(len(text) for text, _ in read)
    sure = sum(len(text) * confidence for text, confidence in read)
    return read if sure >= MIN_CONFIDENCE * max(letters, 1) else []


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


def _with_margin(line: Picture) -> Picture:
    paper = np.median(line.reshape(-1, 3), axis=0).tolist()
    sides = (MARGIN,) * 4
    framed = cv2.copyMakeBorder(line, *sides, cv2.BORDER_CONSTANT, value=paper)
    return np.asarray(framed, dtype=np.uint8)
