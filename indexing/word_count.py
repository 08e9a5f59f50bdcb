"""Count words, also in languages that are written without blanks between them."""

import math
import re

LETTERS_OF_A_WORD = 2
"""Chinese and Japanese words have one to three characters, as dictionaries part them."""

LETTERS_IN_THE_ROOM_OF_A_WORD = 3
"""They are as wide as high: as wide in all as a word of Western letters in the same print."""

# Characters of China and Japan with their marks; the words of Korea have blanks between them.
_WIDE = re.compile(
    "[\u3001-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff]"
)
# Of Thailand, Laos, Burma and Cambodia: about half as wide, and twice as many in a word.
_NARROW = re.compile("[\u0e01-\u0edf\u1000-\u109f\u1780-\u17d3]")


def count_words(text: str) -> int:
    """Return how many words a text has; where no blanks part them, by its letters."""
    return math.ceil(_count(text, LETTERS_OF_A_WORD))


def room_of_words(text: str) -> float:
    """Return how many words of Western letters take the room of a text."""
    return _count(text, LETTERS_IN_THE_ROOM_OF_A_WORD)


def _count(text: str, letters: int) -> float:
    if text.isascii():
        return len(text.split())
    text, wide = _WIDE.subn(" ", text)
    text, narrow = _NARROW.subn(" ", text)
    return len(text.split()) + (wide + narrow / 2) / letters
