"""Read Greek from what the text recognition holds possible; its own choice leaves letters out.

Its model sees most Greek letters, but divides what it is sure of among those that look alike (the
Greek and the Latin o, with and without an accent), so that none of them outweighs the guess that
there is no letter. Those are added up here, and the guess counts less.
"""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Chances = npt.NDArray[np.float32]
"""For each step along a line how likely each character is."""

BLANK = 0
"""Which of the characters says that there is none, or still the same."""

BLANK_COUNTS = 0.005
"""How much that is believed; spaces, which end a word, no more."""

MIN_GREEK = 0.15  # of the letters of a picture, as first read
MIN_GREEK_WORDS = 3

ALIKE = dict(
    zip(
        "ABEHIKMNOPTYXZaoviµkpnuwyxíìïóòáàéèúùÍÌÏÓÒÁÀÉÈÚÙÜńçQ△∆∩∏",
        "ΑΒΕΗΙΚΜΝΟΡΤΥΧΖαονιμκρηυωγχίίϊόόάάέέύύίίϊόόάάέέύύϋήςΩΔΔΠΠ",
        strict=True,
    )
)
"""Which Greek letters others are in a Greek word; the model knows none with an accent, nor ς."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_GREEK = re.compile(r"[\u0370-\u03ff]")


def is_greek(texts: Sequence[str]) -> bool:
    """Tell whether what was first read in a picture is Greek, of which only some letters came."""
    text = " ".join(texts)
    words = sum(1 for word in _WORD.findall(text) if _GREEK.search(word))
    letters = sum(map(str.isalpha, text))
    return words >= MIN_GREEK_WORDS and len(_GREEK.findall(text)) >= MIN_GREEK * letters


class GreekDecoder:
    """Takes the place of RapidOCR's decoder, which it is called like."""

    def __init__(self, characters: Sequence[str]) -> None:
        self._latin = characters
        self._greek = [ALIKE.get(one, one) for one in characters]
        places: dict[str, list[int]] = {}
        for place, one in enumerate(self._greek):
            places.setdefault(one, []).append(place)
        self._alike = [same for same in places.values() if len(same) > 1]
        self._weak = [BLANK, *places[" "]]

    def __call__(
        self, chances: Chances, return_word_box: bool = False, **_: object
    ) -> tuple[list[tuple[str, float]], list[object]]:
        """Return the text of each line with how sure it is."""
        return [self._read(line) for line in chances], []

    def _read(self, chances: Chances) -> tuple[str, float]:
        together = chances.copy()
        for same in self._alike:
            # The likeliest stands for all, and is how the letter would read in Latin.
            steps, likeliest = np.arange(len(chances)), chances[:, same].argmax(axis=1)
            together[:, same] = 0
            together[steps, np.array(same)[likeliest]] = chances[:, same].sum(axis=1)
        together[:, self._weak] *= BLANK_COUNTS
        best = together.argmax(axis=1)
        letters = [self._greek[number] for number in best]
        is_new = [n == 0 or letters[n] != letters[n - 1] for n in range(len(letters))]
        read = [number for number, new in zip(best, is_new, strict=True) if new and number != BLANK]
        greek, latin = (
            "".join(names[number] for number in read) for names in (self._greek, self._latin)
        )
        return _words(greek, latin), float(together.max(axis=1).mean())


def _words(greek: str, latin: str) -> str:
    """Take each word as it is: one with a letter that no Greek word can have is Latin."""
    words: list[str] = []
    for match in re.finditer(r"\S+|\s+", greek):
        as_latin = latin[slice(*match.span())]
        words.append(as_latin if _is_latin(as_latin) else match[0])
    return "".join(words)


def _is_latin(word: str) -> bool:
    return not _GREEK.search(word) and any(
        letter.isalpha() and letter not in ALIKE for letter in word
    )
