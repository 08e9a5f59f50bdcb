"""Read a line as the text recognition holds possible, where what it chose makes no word.

Its model decides letter by letter. Of a letter and a figure that look alike it may take the wrong
one by a hair, though what stands around it tells which it is; and of a narrow space beside a figure
it may be almost sure and still leave it out.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidocr.ch_ppocr_rec.utils import CTCLabelDecode

Chances = npt.NDArray[np.float32]
"""For each step along a line how likely each character is."""

BLANK = 0
"""Which of the characters says that there is none, or still the same."""

SPACE_BESIDE_FIGURE = 0.3
"""A space that is there is held possible by more, others mostly by less than a tenth.

Between letters there is no such difference: those of TeX's fonts stand as far apart.
"""

SMALL_LETTER = 0.02
"""So likely a letter has to be among small ones, where hardly ever a figure stands."""

CAPITAL = 0.2
"""The same among capitals, of which codes are made as well."""

FIGURE = 0.05
"""So likely a figure has to be where a letter was read among others: old-style ones look so."""

FIGURE_IN_GROUP = 0.002
"""The same in groups of three, as of an amount."""

_WORD = re.compile(r"(?<![\w.,-])[^\W_2-9]*[^\W\d_][01][^\W_2-9]*(?![.,-]?\d)\b")
"""A letter and such a figure behind it, in a word with no other; a number behind it says more."""

_AMONG_SMALL = re.compile(r"(?<=[^\W\d_])[01]+(?=[a-zß-ÿ])|(?<=[^\W\d_][a-zß-ÿ])1+$")
_AMONG_CAPITALS = re.compile(r"(?<=[A-Z])[01]+(?=[A-Z])")
_NUMBER = re.compile(r"(?<![\w.,:/-])[\doOI]+(?:[.,:][\doOIs]+)*(?![\w/-])")
_GROUPS = re.compile(r"\w{1,3}(?:[.,]\w{3})+(?:[.,]\w\w)?")
_FIGURE_LIKE = {"o": "0", "O": "0", "I": "1", "s": "5"}


class LineDecoder:
    """Takes the place of RapidOCR's decoder, which it asks first."""

    def __init__(self, decoder: CTCLabelDecode) -> None:
        self.character = decoder.character
        self._decoder = decoder
        self._numbers = {character: number for number, character in enumerate(self.character)}

    def __call__(
        self, chances: Chances, return_word_box: bool = False, **others: Any
    ) -> tuple[list[tuple[str, float]], list[Any]]:
        """Return the text of each line with how sure it is, and where its letters are."""
        read, words = self._decoder(chances, return_word_box, **others)
        texts = [
            (self._mended(text, line), score)
            for (text, score), line in zip(read, chances, strict=True)
        ]
        return texts, words

    def _mended(self, text: str, chances: Chances) -> str:
        spaces = chances[:, self._numbers[" "]] >= SPACE_BESIDE_FIGURE
        alike = [*_possible_letters(text), *_possible_figures(text)]
        if not alike and not spaces.any():
            return text
        best = chances.argmax(axis=1)
        is_new = (best != BLANK) & (best != np.concatenate([[BLANK], best[:-1]]))
        steps = np.flatnonzero(is_new)  # at which the characters of the text are
        letters = list(text)
        for at, candidates, least in alike:
            known = {one: chances[steps[at], self._numbers[one]] for one in candidates}
            likeliest = max(known, key=known.__getitem__)
            if known[likeliest] >= least:
                letters[at] = likeliest
        for step in np.flatnonzero(spaces & (best == BLANK)).tolist():
            at = int(np.searchsorted(steps, step))
            if 0 < at < len(text) and _is_beside_figure(text[at - 1], text[at]):
                letters[at] = f" {letters[at].strip()}"
        return "".join(letters)


def _possible_letters(text: str) -> Iterator[tuple[int, str, float]]:
    """Yield where in the text a figure may be a letter, which ones, and how likely at least."""
    for word in _WORD.finditer(text):
        for match in _AMONG_SMALL.finditer(word[0]):
            for at in range(*match.span()):
                yield word.start() + at, "o" if word[0][at] == "0" else "li", SMALL_LETTER
        for match in _AMONG_CAPITALS.finditer(word[0]):
            for at in range(*match.span()):
                yield word.start() + at, "O" if word[0][at] == "0" else "I", CAPITAL


def _possible_figures(text: str) -> Iterator[tuple[int, str, float]]:
    """Yield where in the text a letter may be a figure, which one, and how likely at least."""
    for number in _NUMBER.finditer(text):
        is_grouped = bool(_GROUPS.fullmatch(number[0])) and any(map(str.isdigit, number[0]))
        if is_grouped or _is_number(number[0]):
            for at, letter in enumerate(number[0]):
                if letter in _FIGURE_LIKE:
                    least = FIGURE_IN_GROUP if is_grouped and letter != "I" else FIGURE
                    yield number.start() + at, _FIGURE_LIKE[letter], least


def _is_number(word: str) -> bool:
    """Tell a number with a letter in it from an ordinal (`1o`) and from a part (`I.25`)."""
    whole = re.split("[.,:]", word)[0]
    return any(map(str.isdigit, whole)) and sum(map(str.isdigit, word)) > 1


def _is_beside_figure(before: str, letter: str) -> bool:
    both = before, letter
    return any(map(str.isdigit, both)) and all(map(str.isalnum, both))
