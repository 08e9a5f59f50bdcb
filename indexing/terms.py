"""Turn a text into the terms by which keyword search finds it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

import snowballstemmer

from indexing.stop_words import STOP_WORDS

LONGEST_TERM = 64

QueryTerm = tuple[str | None, ...]
"""What one word of a query is in each of several languages; None where it is a stop word."""

# Scripts that put no space between words (Thai, Lao, Burmese, Khmer, kana, Han), and Hangul.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
# Accents of Latin, Greek and Cyrillic; the vowel points of Hebrew and Arabic.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]"
)
# What no decomposition turns into plain letters.
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
# Other hyphens, what is written but not read, and a capital that `casefold` would take apart.
_READ = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff"),
        "İ": "i",
    }
)
_TURKISH_CAPITALS = str.maketrans("Iİ", "ıi")

# Letters that a stemmer wants to see as they are; other accents are foreign to the language.
_OWN_LETTERS = {
    "catalan": "àçèéíïòóúü",
    "czech": "áčďéěíňóřšťúůýž",
    "danish": "æøå",
    "esperanto": "ĉĝĥĵŝŭ",
    "estonian": "äõöüšž",
    "finnish": "äöå",
    "french": "àâæçéèêëîïôœùûüÿ",
    "german": "äöü",
    "greek": "άέήίόύώϊϋΐΰ",
    "hungarian": "áéíóöőúüű",
    "irish": "áéíóú",
    "italian": "àèéìíòóùú",
    "lithuanian": "ąčęėįšųūž",
    "norwegian": "æøå",
    "polish": "ąćęłńóśźż",
    "portuguese": "áâãàçéêíóôõú",
    "romanian": "ăâîșşțţ",
    "russian": "ёй",
    "serbian": "čćđšžђјљњћџй",
    "spanish": "áéíñóúü",
    "swedish": "åäö",
    "turkish": "çğıöşü",
}
# A word in plain Latin letters is foreign to these, and taken for English.
_OTHER_SCRIPTS = frozenset(
    ("arabic", "armenian", "greek", "hindi", "nepali", "persian", "russian", "tamil", "yiddish")
)

_FRACTION = re.compile("(\\d{0,9})([¼-¾⅐-⅞])")
# Footnote marks; the ones of units (m², km³) stay where they are.
_SUPERSCRIPTS = re.compile(r"(?:(?<=[^\W\d]{3})|(?<=\d))[⁰¹²³⁴-⁹]+")
_THOUSANDS_GAP = re.compile("(?<=\\d)['’\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")

# The vowel signs of the Indic scripts belong to the word, but are no letters for `\w`.
_LETTER = "[\\w\u0900-\u0963\u0966-\u0dff]"
_WORD = re.compile(
    r"(?:(?<![\w.])\.(?=[^\W\d_]))?"
    rf"{_LETTER}+(?:(?:[-./@\\]|(?<=\d)[,:](?=\d)){_LETTER}+)*"
    r"(?:(?:\+\+|\#)(?!\w))?"
)
_JOINTS = re.compile(r"[-_./@\\,:+#]+")
_NAMES_ONE_THING = re.compile(r"[\d_@.+#]")
# A year glued to letters is found by itself too: FY2017, 2023Q4, Q22023, FY21.
_YEAR_AND_LETTERS = re.compile(r"([a-z]+\d?)?((?:19|20)\d\d)([a-z]+\d?)?")
_FISCAL_YEAR = re.compile(r"fy(\d\d)")
_LONGEST_WITH_YEAR = 12
_IBAN = re.compile(r"\b[^\W\d_]{2}\d{2} \w{4}(?: \d{4}){1,6}(?: \w{1,4})?\b")

_COMMAS_GROUP = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POINTS_GROUP = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")
_POINT_MAY_GROUP = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
_NO_COMMAS = str.maketrans("", "", ",")
_COMMA_IS_POINT = str.maketrans(",", ".", ".")


def terms(text: str, language: str = "english") -> list[str]:
    """Return the terms of a text, as often as they occur, in no promised order.

    Words become their stems. A number or an identifier is there as a whole and in its parts, so
    that `INV-2024-001` is found by itself, by `2024` and by `inv`. Scripts written without spaces
    become pairs of characters.
    """
    return [term for term in _terms(text, language) if term is not None]


def query_terms(query: str, languages: Sequence[str]) -> Counter[QueryTerm]:
    """Return what a query looks for: each of its words in every one of the languages."""
    found = Counter(zip(*(_terms(query, language) for language in languages), strict=True))
    del found[(None,) * len(languages)]
    return found


def _terms(text: str, language: str) -> Iterator[str | None]:
    """Yield the terms, and None for a stop word: as many, in one order, in every language."""
    text = _read(text, language)
    if not text.isascii():
        for run in UNSPACED.findall(text):
            yield from _pairs(run)
        text = UNSPACED.sub(" ", text)
    for iban in _IBAN.findall(text):
        yield _folded(iban.replace(" ", ""))
    for word in _WORD.findall(text):
        if word.isalpha():
            yield _stem(word, language)
        else:
            yield from _whole_and_parts(word, language)


def _read(text: str, language: str) -> str:
    """Forget case, the width of characters and other ways to write the same."""
    if language == "turkish":
        text = text.translate(_TURKISH_CAPITALS)
    text = _THOUSANDS_GAP.sub("", text)
    if text.isascii():
        return text.lower()
    text = _FRACTION.sub(_decimal, _SUPERSCRIPTS.sub(r" \g<0>", text))
    text = unicodedata.normalize("NFKC", text).translate(_READ).casefold()
    # What is left of accents after the composition would cut its word in two.
    return _ACCENTS.sub("", unicodedata.normalize("NFC", text))


def _decimal(fraction: re.Match[str]) -> str:
    return str(round(int(fraction[1] or 0) + unicodedata.numeric(fraction[2]), 3))


def _pairs(run: str) -> list[str]:
    run = _folded(run)
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]


def _whole_and_parts(word: str, language: str) -> Iterator[str | None]:
    wholes = _wholes(word)
    if wholes:
        # The thousands of a number are no numbers of their own.
        word = wholes[0]
    parts = [part for part in _JOINTS.split(word) if part]
    if not wholes and parts and _NAMES_ONE_THING.search(word):
        wholes = [word.strip("_")]
    for whole in wholes:
        if [whole] != parts:
            yield _bounded(_folded(whole))
    for part in parts:
        yield _stem(part, language)
        yield from _around_year(part)


def _around_year(word: str) -> Iterator[str]:
    """Yield a year and what it is glued to."""
    if len(word) > _LONGEST_WITH_YEAR or word.isalpha() or word.isdecimal():
        return
    if dated := _YEAR_AND_LETTERS.fullmatch(word):
        yield from filter(None, dated.groups())
    elif short := _FISCAL_YEAR.fullmatch(word):
        yield f"20{short[1]}"


def _wholes(word: str) -> list[str]:
    """Return a number as it reads without marks between thousands, with a point for decimals."""
    if _COMMAS_GROUP.fullmatch(word):
        return [word.translate(_NO_COMMAS)]
    if _POINTS_GROUP.fullmatch(word) or _DECIMAL_COMMA.fullmatch(word):
        return [word.translate(_COMMA_IS_POINT)]
    if _POINT_MAY_GROUP.fullmatch(word):
        return [word, word.replace(".", "")]
    return []


@lru_cache(maxsize=50_000)
def _stem(word: str, language: str) -> str | None:
    """Return the stem of a word without accents, or None for a stop word."""
    if language in _OTHER_SCRIPTS and word.isascii():
        language = "english"
    if word in _stop_words(language):
        return None
    if not word.isalpha() and not _has_vowel_signs(word):
        return _bounded(_folded(word))
    if language in STOP_WORDS:
        # A stemmer keeps the word it works on in itself, so threads cannot share one.
        stemmer = snowballstemmer.stemmer(language)
        word = stemmer.stemWord(_folded(word, keep=_OWN_LETTERS.get(language, "")))
    return _bounded(_folded(word))


@lru_cache
def _stop_words(language: str) -> frozenset[str]:
    """Return the stop words as they look in a text that was read."""
    words = STOP_WORDS.get(language, frozenset())
    return frozenset(_read(word, language) for word in words)


def _has_vowel_signs(word: str) -> bool:
    return "\u0900" <= word[0] <= "\u0dff" and not any(map(str.isdecimal, word))


def _folded(word: str, keep: str = "") -> str:
    """Write a word without accents; the letters to keep stay."""
    if word.isascii():
        return word
    if keep:
        return "".join(letter if letter in keep else _folded(letter) for letter in word)
    word = unicodedata.normalize("NFD", word.translate(_PLAIN_LETTERS))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", word))


def _bounded(term: str) -> str:
    """Replace the end of a very long term by a digest: still its own, but of bounded length."""
    if len(term) <= LONGEST_TERM:
        return term
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return term[: LONGEST_TERM - len(digest)] + digest
