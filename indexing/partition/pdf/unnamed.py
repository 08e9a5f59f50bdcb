"""Find PDF pages whose text is not what is seen, because their fonts do not name their letters.

PDFium then returns the numbers that these have in the font. In old files they are those of ASCII,
so that the text can be read all the same; in others they are counted from somewhere else (`9HQX DX`
for `Venu au`). A page may have fonts of both kinds, and others that name their letters.

Fonts of India and its neighbours name letters, and not always all the shapes that these join into.
Tesseract and some programs for PDFs number letters as Unicode does, and say so in one range for all
of them. Of that PDFium takes the first 256 only; the others come with their numbers, and are right.
"""

import ctypes
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import repeat
from unicodedata import name

import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.calls import direct
from indexing.stop_words import COMMON_WORDS

MAX_UNREADABLE = 0.2
MAX_UNNAMED = 0.1
SAMPLED_CHARACTERS = 300
SAMPLED_NAMES = 64
MIN_COMMON_WORDS = 0.05

MIN_WORDS = 8
"""With fewer, as in formulas, the letters without names are not judged by themselves."""

MAX_CHARACTERS = 50_000
"""As many of a page are asked for their names."""

NAMED = " "

LAST_NAMED = "\xff"  # of a range from 0 on
MOST_SCRIPTS = 3  # that a language is written in: Japanese
MIN_OF_SCRIPTS = 0.9

JOINING = "\u0900-\u0eff\u1000-\u109f\u1780-\u17ff"
"""The scripts from Devanagari to Lao, Burmese and Khmer, whose letters join into shapes."""

# What PDFium returns for letters of which the font does not say what they are.
_UNREADABLE = re.compile("[\x00\x01\x03-\x08\x0e-\x1f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
_WORD = re.compile(r"\w{3,}")
_IS_JOINING = re.compile(f"[{JOINING}]")

_has_error = direct("FPDFText_HasUnicodeMapError", ctypes.c_int)
_get_text_object = direct("FPDFText_GetTextObject", ctypes.c_void_p)
_get_font = direct("FPDFTextObj_GetFont", ctypes.c_void_p, ctypes.c_void_p)


def are_unnamed(textpage: pypdfium2.PdfTextPage, numbers: Iterable[int]) -> list[bool]:
    """Tell of each of these letters of the page whether its font does not say what it is."""
    # It is -1 for a number that no letter has.
    return [error == 1 for error in map(_has_error, repeat(textpage.raw), numbers)]


def is_garbled(textpage: pypdfium2.PdfTextPage, text: str) -> bool:
    """Tell whether much of the text is not what is seen."""
    sample = text[:: 1 + len(text) // SAMPLED_CHARACTERS]
    if len(_UNREADABLE.findall(sample)) > MAX_UNREADABLE * max(len(sample), 1):
        return True
    count = textpage.count_chars()
    numbers = range(0, count, 1 + count // SAMPLED_NAMES)
    if sum(are_unnamed(textpage, numbers)) <= MAX_UNNAMED * len(numbers):
        return False
    unnamed = _unnamed_text(textpage)
    if len(unnamed) - unnamed.count(NAMED) <= MAX_UNNAMED * len(unnamed):
        return False
    words = _words(unnamed)
    if len(words) < MIN_WORDS:
        words = _words(text)
    return sum(word in COMMON_WORDS for word in words) <= MIN_COMMON_WORDS * len(words)


def _unnamed_text(textpage: pypdfium2.PdfTextPage) -> str:
    """Return the letters that may not be what is seen, with `NAMED` for those in between."""
    numbers = range(min(textpage.count_chars(), MAX_CHARACTERS))
    letters = [chr(pdfium.FPDFText_GetUnicode(textpage, at)) for at in numbers]
    unnamed = are_unnamed(textpage, numbers)
    fonts = [_get_font(_get_text_object(textpage.raw, at)) for at in numbers]
    right = _numbered_as_unicode(letters, unnamed, fonts) | _with_shapes(letters, unnamed, fonts)
    return "".join(
        letter if is_unnamed and font not in right else NAMED
        for letter, is_unnamed, font in zip(letters, unnamed, fonts, strict=True)
    )


def _numbered_as_unicode(
    letters: Sequence[str], unnamed: Sequence[bool], fonts: Sequence[int | None]
) -> set[int]:
    """Return the fonts that give their letters the numbers of Unicode.

    All that PDFium takes as named is below the end of the range, all else is behind it, and of few
    scripts. Numbers counted from somewhere else are all over Unicode, or on both sides.
    """
    of_fonts: defaultdict[int, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for letter, is_unnamed, font in zip(letters, unnamed, fonts, strict=True):
        if font:  # else PDFium has made the letter: a space, the end of a line
            of_fonts[font][is_unnamed].append(letter)
    return {
        font
        for font, (named, behind) in of_fonts.items()
        if named
        and behind
        and max(named) <= LAST_NAMED < min(behind)
        and _is_of_few_scripts(behind)
    }


def _with_shapes(
    letters: Sequence[str], unnamed: Sequence[bool], fonts: Sequence[int | None]
) -> set[int]:
    """Return the fonts that name letters which join, and not all the shapes that these have."""
    named: defaultdict[int, list[bool]] = defaultdict(list)
    for letter, is_unnamed, font in zip(letters, unnamed, fonts, strict=True):
        if font and not is_unnamed and letter.isalpha():
            named[font].append(_IS_JOINING.match(letter) is not None)
    return {font for font, are_joining in named.items() if 2 * sum(are_joining) > len(are_joining)}


def _is_of_few_scripts(letters: Iterable[str]) -> bool:
    # The name of a letter begins with its script.
    scripts = Counter(name(one, "").partition(" ")[0] for one in letters if one.isalpha())
    most = sum(count for _, count in scripts.most_common(MOST_SCRIPTS))
    return most > MIN_OF_SCRIPTS * scripts.total()


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
