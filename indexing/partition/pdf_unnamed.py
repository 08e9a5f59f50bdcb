"""Find PDF pages whose text is not what is seen, because their fonts do not name their letters.

PDFium then returns the numbers that these have in the font. In old files they are those of ASCII,
so that the text can be read all the same; in others they are counted from somewhere else (`9HQX DX`
for `Venu au`). A page may have fonts of both kinds, and others that name their letters.
"""

import ctypes
import re
from collections.abc import Iterable
from itertools import repeat

import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf_calls import direct
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

# What PDFium returns for letters of which the font does not say what they are.
_UNREADABLE = re.compile("[\x00\x01\x03-\x08\x0e-\x1f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
_WORD = re.compile(r"\w{3,}")

_has_error = direct("FPDFText_HasUnicodeMapError", ctypes.c_int)


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
    words = _words(_unnamed_text(textpage))
    if len(words) < MIN_WORDS:
        words = _words(text)
    return sum(word in COMMON_WORDS for word in words) <= MIN_COMMON_WORDS * len(words)


def _unnamed_text(textpage: pypdfium2.PdfTextPage) -> str:
    """Return the letters without names, with spaces for those in between."""
    numbers = range(min(textpage.count_chars(), MAX_CHARACTERS))
    return "".join(
        chr(pdfium.FPDFText_GetUnicode(textpage, at)) if is_unnamed else " "
        for at, is_unnamed in zip(numbers, are_unnamed(textpage, numbers), strict=True)
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
