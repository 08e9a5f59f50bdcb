"""Read all writings alike: digits of any script, widths, dashes, kinds of spaces, accents, case.

What comes out is as long as what goes in, so places in the one are places in the other.
"""

import re
import unicodedata
from collections.abc import Iterable

from extraction.types import Found

NARROW_SPACE = "\u00a0"
"""What every space becomes that does not end a line and is not the plain one: within numbers."""

_MINUS = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"
_APOSTROPHES = "\u2018\u2019\u02bc\u00b4`\u02b9"
_SPACES = "\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"


def plain(text: str) -> str:
    """Return the text with one writing for each sign and without accents, its case kept."""
    return text if text.isascii() else text.translate(_PLAIN)


def folded(text: str) -> str:
    """Return the text as `plain`, in small letters."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


def as_one_value(text: str) -> str:
    """Return the text with the spaces between thousands narrow: no two columns stand in a value."""
    return _THOUSANDS.sub(NARROW_SPACE, text.strip())


def without_overlaps(found: Iterable[Found]) -> list[Found]:
    """Return the values left to right; of two that overlap the one that starts first stays.

    Where both start at one place, the longer one stays.
    """
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


_THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")


class _Plain(dict[int, str]):
    """What each character becomes; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = _plain_character(chr(code))
        return self[code]


class _Folded(dict[int, str]):
    """As `_Plain`, in small letters."""

    def __missing__(self, code: int) -> str:
        character = _PLAIN[code]
        small = character.lower()
        self[code] = small if len(small) == 1 else character
        return self[code]


def _plain_character(character: str) -> str:
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    for signs, sign in ((_MINUS, "-"), (_APOSTROPHES, "'"), (_SPACES, NARROW_SPACE)):
        if character in signs:
            return sign
    if "\uff01" <= character <= "\uff5e":  # the wide forms of ASCII
        return chr(ord(character) - 0xFEE0)
    letters = unicodedata.normalize("NFD", character)
    # Hangul comes apart into letters, not into a letter and its accents.
    return letters[0] if all(map(unicodedata.combining, letters[1:])) else character


_PLAIN = _Plain({ord("\u066b"): ",", ord("\u066c"): "'", ord("\u066a"): "%", ord("ı"): "i"})
_FOLDED = _Folded()
