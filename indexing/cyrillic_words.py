"""Put right the words in Cyrillic that Tesseract takes for capitals of Latin: `HOBO` for `ново`.

It knows both, and of a word in letters that look like capitals of Latin alone, as many small ones
do, it holds that one more likely.
"""

import re
from collections.abc import Sequence

_ALIKE = str.maketrans("ABCEHKMOPTXY", "АВСЕНКМОРТХУ")
_WORD = re.compile(r"\b[ABCEHKMOPTXY]{3,}\b")
_OF_LATIN = re.compile(r"[A-Za-z]")
_OF_CYRILLIC = re.compile("[\u0400-\u04ff]")


def with_cyrillic(texts: Sequence[str]) -> list[str]:
    """Return the lines with such words in Cyrillic, if most of all letters are.

    A line with other words in Latin stays as it is.
    """
    written = [_in_cyrillic(text) for text in texts]
    letters = "".join(written)
    is_cyrillic = len(_OF_CYRILLIC.findall(letters)) > len(_OF_LATIN.findall(letters))
    return written if is_cyrillic else list(texts)


def _in_cyrillic(text: str) -> str:
    others = _WORD.sub("", text)
    if others == text or _OF_LATIN.search(others):
        return text
    # Capitals it knows mostly, but not beside such a word.
    are_capitals = others.isupper()
    return _WORD.sub(lambda word: _translated(word[0], are_capitals=are_capitals), text)


def _translated(word: str, *, are_capitals: bool) -> str:
    written = word.translate(_ALIKE)
    return written if are_capitals else written.lower()
