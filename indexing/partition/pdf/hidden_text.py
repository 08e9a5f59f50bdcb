"""Judge the text that lies unseen over or below the picture of a page.

Scanners put there what they recognised: mostly well, in any language. Old ones recognised little
or garbage, some were set to another language, and some programs write it in a wrong encoding. What
such a text is worth shows where a few lines of the picture are read and looked up in it.
"""

import ctypes
import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

import pypdfium2
import pypdfium2.raw as pdfium

from indexing.ocr import Glance
from indexing.partition.pdf.pictures import Drawn
from indexing.stop_words import COMMON_WORDS

SAMPLED_LETTERS = 24
MAX_SEEN_ALPHA = 25  # of 255
MAX_SEEN = 3  # of the letters that are sampled: of a stamp

FEWEST_LETTERS = 1 / 400  # for each square point; with less of them something may be left out
READS_WELL = 0.08  # the share of common words
HAS_SENTENCES = 0.15  # the same
FAR_FEWER = 0.3

MIN_SCORE = 0.85
"""What was recognised less surely says nothing about a text."""

MIN_SCORE_OF_WORDS = 0.95
MIN_WORDS_IN_COMMON = 0.65
"""What was recognised so surely shares more words with a text that is well recognised."""

SHORTEST_WORD = 4
FEWEST_WORDS = 8

RUN = 5  # letters, which two texts rarely share by chance
SHORTEST_LINE = 2 * RUN
BY_CHANCE = 0.25
MAX_MISSING = 0.3
"""Of the lines of the picture, as many are not in a text that is another or has a half of it."""

FEWEST_ACCENTS = 5
HALF_THE_ACCENTS = 0.5
"""With fewer for its letters than what was recognised has, a text was read as another language."""

MAX_FOREIGN = 0.05
"""Of the letters of a text; with more it cannot be compared with what is recognised."""

_WORD = re.compile(r"[^\W\d_]+")
_NO_LETTERS = re.compile(r"[\W_]+")
_PLAIN = str.maketrans("łøđßıæœ", "lodsiao")
_LATIN = re.compile("[a-z\u00df-\u024f\u1e00-\u1eff]")
# Letters that are not recognised, or not as well: but for Latin, without those of Vietnamese, and
# Chinese and Japanese ones all there are.
_FOREIGN = re.compile("[^\\W\\d_\u0000-\u024f\u1e00-\u1e9f\u3040-\u30ff\u3400-\u9fff]")


class Worth(Enum):
    """What the text of the file is worth beside what is seen."""

    KEPT = "kept"
    DOUBTFUL = "doubtful"  # but there is no better one
    WRONG = "wrong"


@dataclass(slots=True)
class HiddenTexts:
    """What is known of the hidden texts of a document, from page to page."""

    are_good: bool | None = None  # as the first one was

    def need_a_look(self, text: str, size: float) -> bool:
        """Tell whether the text of a page, of so many square points, is to be compared with it."""
        return not self.are_good or len(text) < FEWEST_LETTERS * size or not _reads_well(text)

    def judge(self, text: str, seen: Glance) -> Worth:
        """Return what the text is worth, given what some lines of the page say."""
        worth = _worth(text, seen)
        if self.are_good is None:
            self.are_good = worth is Worth.KEPT
        return worth


def is_hidden(textpage: pypdfium2.PdfTextPage, drawn: Drawn) -> bool:
    """Tell whether most of the text is not seen: it has no colour, or lies below the picture."""
    (pictures,) = (drawn.types == pdfium.FPDF_PAGEOBJ_IMAGE).nonzero()
    if not len(pictures) and not drawn.count_of(pdfium.FPDF_PAGEOBJ_FORM):
        return False
    below = set(drawn.objects[: pictures[0]].tolist() if len(pictures) else ())
    count = textpage.count_chars()
    unseen = seen = 0
    for at in range(0, count, 1 + count // SAMPLED_LETTERS):
        if not (text := pdfium.FPDFText_GetTextObject(textpage, at)):
            continue
        if _is_invisible(text) or _address(text) in below:
            unseen += 1
        else:
            seen += 1
        if seen > MAX_SEEN:  # as on most pages, which this should cost little
            return False
    return unseen > 0


def _address(text: object) -> int:
    return ctypes.cast(text, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


def _is_invisible(text: object) -> bool:
    if pdfium.FPDFTextObj_GetTextRenderMode(text) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE:
        return True
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    has_colour = pdfium.FPDFPageObj_GetFillColor(text, red, green, blue, alpha)
    return bool(has_colour) and alpha.value <= MAX_SEEN_ALPHA


def _worth(text: str, seen: Glance) -> Worth:
    is_foreign = _is_foreign(text)
    if seen.has_unknown_letters:
        # What another program took for Latin letters is no language.
        return Worth.KEPT if is_foreign or _reads_well(text) else Worth.DOUBTFUL
    if seen.score < MIN_SCORE:
        return Worth.KEPT
    in_picture = _common_share(" ".join(seen.texts))
    is_wrong = in_picture >= HAS_SENTENCES and _common_share(text) < FAR_FEWER * in_picture
    if not is_foreign or _is_foreign(" ".join(seen.texts)):
        is_wrong = is_wrong or _has_other_lines(text, seen) or _has_other_words(text, seen)
    is_wrong = is_wrong or _lacks_accents(text, seen)
    return Worth.WRONG if is_wrong else Worth.KEPT


def _has_other_lines(text: str, seen: Glance) -> bool:
    lines = [_runs(line) for line in map(_letters, seen.texts) if len(line) >= SHORTEST_LINE]
    runs = _runs(_letters(text))
    missing = sum(len(line & runs) <= BY_CHANCE * len(line) for line in lines)
    return bool(lines) and missing >= MAX_MISSING * len(lines)


def _has_other_words(text: str, seen: Glance) -> bool:
    """Tell whether many words are not the same; those at the ends of what was seen may be cut."""
    seen_text = " ".join(one.rpartition(" ")[0] for one in seen.texts)
    words = _long_words(seen_text)
    if seen.score < MIN_SCORE_OF_WORDS or len(words) < FEWEST_WORDS or not _is_latin(seen_text):
        return False
    known = set(_long_words(text))
    return sum(word in known for word in words) < MIN_WORDS_IN_COMMON * len(words)


def _lacks_accents(text: str, seen: Glance) -> bool:
    """Tell whether accents are missing that were surely recognised in a part of the page."""
    accents, letters = _count_accents(text)
    seen_accents, seen_letters = _count_accents(" ".join(seen.texts))
    return (
        seen.score >= MIN_SCORE_OF_WORDS
        and seen_accents >= max(FEWEST_ACCENTS, accents)
        and accents * seen_letters < HALF_THE_ACCENTS * seen_accents * letters
    )


def _count_accents(text: str) -> tuple[int, int]:
    """Return how many Latin letters are none of the plain ones, and how many there are."""
    letters = _LATIN.findall(unicodedata.normalize("NFC", text.casefold()))
    return sum(not letter.isascii() for letter in letters), len(letters)


def _long_words(text: str) -> list[str]:
    words = map(_letters, _WORD.findall(text))
    return [word for word in words if len(word) >= SHORTEST_WORD]


def _reads_well(text: str) -> bool:
    return not _is_latin(text) or _is_foreign(text) or _common_share(text) >= READS_WELL


def _is_foreign(text: str) -> bool:
    return len(_FOREIGN.findall(text)) > MAX_FOREIGN * len(text)


def _is_latin(text: str) -> bool:
    letters = "".join(_WORD.findall(text.casefold()))
    return 2 * len(_LATIN.findall(letters)) >= len(letters)


def _common_share(text: str) -> float:
    words = _WORD.findall(text.casefold())
    return sum(word in COMMON_WORDS for word in words) / max(len(words), 1)


def _letters(text: str) -> str:
    """Return the letters and digits alone, without the accents that are easily overlooked."""
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_PLAIN)
    return _NO_LETTERS.sub("", "".join(one for one in plain if not unicodedata.combining(one)))


def _runs(letters: str) -> set[str]:
    return {letters[at : at + RUN] for at in range(len(letters) - RUN + 1)}
