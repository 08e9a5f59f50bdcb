"""The words of a text that carry its meaning, roughly reduced to what their forms share.

Keyword search stems by language (`indexing/terms.py`), which takes milliseconds for a passage. Here
passages are compared while an answer streams, so a rule for all languages has to do.
"""

import re
import unicodedata
from functools import lru_cache

from indexing.stop_words import STOP_WORDS
from indexing.terms import UNSPACED

_WORD = re.compile(r"[^\W_]+")
_ACCENT = re.compile("[\u0300-\u036f]")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ings?|ed|ern|ers?|e[nms]?|es|[ns])$")
_LONGEST_STEM = 8
# A capital inside a text, not behind the end of a sentence, a bullet or an opening mark.
_NAME = re.compile(r"(?<![-–•.!?…:|*#>] )(?<!^)(?<![\w'’-])[^\W\d_a-z][\w'’.&-]*")
_SPACE = re.compile(r"\s+")
_FEWEST_STOP_WORDS = 2


def words(text: str) -> frozenset[str]:
    """Return the words of a text without their endings; numbers are no words.

    Of a script without spaces, each two neighbouring characters count as a word.
    """
    return frozenset(map(_stem, _raw_words(text)))


def content_words(text: str, language: str) -> frozenset[str]:
    """Return the words of a text that are no stop words of its language."""
    return frozenset(_stem(word) for word in _raw_words(text) if word not in _stop_words(language))


def capitalised(text: str) -> list[str]:
    """Return the words that are written with a capital though no sentence begins with them."""
    text = _SPACE.sub(" ", text.strip())
    return [name for name in map(_without_end, _NAME.findall(text)) if not name.islower() and name]


def ends_in_stop_word(text: str, language: str) -> bool:
    """Tell whether the last word of a text is a stop word of its language."""
    found = _raw_words(text)
    return bool(found) and found[-1] in _stop_words(language)


def language_of(text: str) -> str:
    """Return the language most stop words of a text are of, or "" where too few are."""
    found = set(_raw_words(text))
    counts = {language: len(found & _stop_words(language)) for language in STOP_WORDS}
    language = max(counts, key=counts.__getitem__)
    return language if counts[language] >= _FEWEST_STOP_WORDS else ""


def _raw_words(text: str) -> list[str]:
    text = _folded(text)
    found = []
    if not text.isascii():
        for run in UNSPACED.findall(text):
            found += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
        text = UNSPACED.sub(" ", text)
    return found + [word for word in _WORD.findall(text) if not _says_nothing(word)]


def _says_nothing(word: str) -> bool:
    """Tell a number, or a single letter, which is an initial or names a point of a list."""
    return word.isdecimal() or (len(word) == 1 and word.isascii())


def _folded(text: str) -> str:
    """Forget case, accents and the width of characters."""
    text = text.replace("'s", "").replace("’s", "").casefold()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", text)))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """Cut off the endings of European languages."""
    if len(word) > 3 and word.isalpha():
        word = _ENDING.sub("", word)
        if word.endswith("y"):
            word = word[:-1] + "i"
    return word[:_LONGEST_STEM]


@lru_cache
def _stop_words(language: str) -> frozenset[str]:
    """Return the stop words as they look in a text that was folded; of English by default."""
    listed = STOP_WORDS.get(language) or STOP_WORDS["english"]
    return frozenset(_WORD.findall(_folded(" ".join(listed))))


def _without_end(name: str) -> str:
    return re.sub(r"(?:['’]s?|[.&-])$", "", name)
