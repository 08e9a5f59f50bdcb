"""Turn a text into the terms by which keyword search finds it."""

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b

import snowballstemmer

LONGEST_TERM = 64

_ENGLISH_STOP_WORDS = """
a about also am an and any are as at be been being but by can could d did do does doing for from
had has have having he her hers him his how i if in into is it its ll m me my of on or our ours re
s shall she should so such t than that the their theirs them then there these they this those to
too ve very was we were what when where which while who whom whose why will with would you your
yours
"""
STOP_WORDS = {"english": frozenset(_ENGLISH_STOP_WORDS.split())}
"""Words without a meaning of their own; `s`, `t` and the like are what an apostrophe leaves."""

# Scripts that put no space between words (Thai, Lao, Burmese, Khmer, kana, Han), and Hangul.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
# Accents of Latin, Greek and Cyrillic; the vowel points of Hebrew and Arabic.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]"
)
# What no decomposition turns into plain letters, what is written but not read, and hyphens.
_PLAIN = str.maketrans(
    {
        **{"ø": "o", "ł": "l", "đ": "d", "ð": "d", "\u0131": "i", "æ": "ae", "œ": "oe", "þ": "th"},
        **dict.fromkeys("\u2010\u2011", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
    }
)
# The vowel signs of the Indic scripts belong to the word, but are no letters for `\w`.
_LETTER = "[\\w\u0900-\u0963\u0966-\u0dff]"
_WORD = re.compile(rf"{_LETTER}+(?:(?:[-./@\\]|(?<=\d)[,:](?=\d)){_LETTER}+)*")
_JOINTS = re.compile(r"[-_./@\\,:]+")
_NAMES_ONE_THING = re.compile(r"[\d_@.]")
_GROUPED_NUMBERS = (
    (re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"), str.maketrans("", "", ",")),
    (re.compile(r"\d{1,3}(?:\.\d{3})+,\d+"), str.maketrans(",", ".", ".")),
)


def terms(text: str, language: str = "english") -> list[str]:
    """Return the terms of a text, as often as they occur, in no promised order.

    Words become their stems. A number or an identifier is there as a whole and in its parts, so
    that `INV-2024-001` is found by itself, by `2024` and by `inv`. Scripts written without spaces
    become pairs of characters.
    """
    text = _folded(text)
    found: list[str] = []
    if not text.isascii():
        found = [pair for run in _UNSPACED.findall(text) for pair in _pairs(run)]
        text = _UNSPACED.sub(" ", text)
    stop_words = STOP_WORDS.get(language, frozenset())
    for word in _WORD.findall(text):
        if word.isalpha():
            parts = [word]
        else:
            parts = [part for part in _JOINTS.split(word) if part]
            if len(parts) > 1 and _NAMES_ONE_THING.search(word):
                found.append(_bounded(_whole(word)))
        found += [_stem(part, language) for part in parts if part not in stop_words]
    return found


def _folded(text: str) -> str:
    """Forget case, accents and the width of characters."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold().translate(_PLAIN)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]


def _whole(word: str) -> str:
    """Return the word in one piece, numbers without the marks between thousands."""
    for grouped, marks in _GROUPED_NUMBERS:
        if grouped.fullmatch(word):
            return word.translate(marks)
    return word.strip("_")


@lru_cache(maxsize=50_000)
def _stem(word: str, language: str) -> str:
    if not word.isalpha():
        return _bounded(word)
    # A stemmer keeps the word it works on in itself, so threads cannot share one.
    stem: str = snowballstemmer.stemmer(language).stemWord(word)
    return _bounded(stem)


def _bounded(term: str) -> str:
    """Replace the end of a very long term by a digest: still its own, but of bounded length."""
    if len(term) <= LONGEST_TERM:
        return term
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return term[: LONGEST_TERM - len(digest)] + digest
