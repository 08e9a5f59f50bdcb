"""Put right what Tesseract makes of codes and words in Latin among other letters.

The models of RapidOCR know these better: a word that is all Latin they read as it is, and in one of
other letters they see next to nothing, or are not sure.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from rapidocr.ch_ppocr_rec import TextRecInput

from indexing.ocr_models import Picture, models
from indexing.tesseract import ReadLine, Word

MIN_SCORE = 0.9
"""What is Latin is read with 0.93 and more, a word in other letters with 0.8 at most."""

SURE = 0.85
"""Arabic and Hebrew words Tesseract reads with more, what it takes Latin ones for mostly not."""

AROUND = 0.15  # of the height of a line, beside a word
FEWEST = 2  # letters or figures, for one may be a stroke of another letter

LOOK_ALIKES = str.maketrans("АВЕЗКМНОРСТУХЅІЈЬΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABE3KMHOPCTYXSIJBABEZHIKMNOPTYX")
"""The capitals of Latin, or figures, that those of Cyrillic and Greek may be taken for."""

_LATIN = re.compile(r"[!-~]+( [!-~]+)*")
_CODE = re.compile(r"[(\[\"']?[A-Z][!-`{-~]*")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the models are sure to read in a word, "" if they are not."""

    line: int  # its number
    at: int  # the number of the word in it
    word: Word
    text: str

    @property
    def is_code(self) -> bool:
        return (
            bool(_CODE.fullmatch(self.text)) and _figures(self.text) >= FEWEST and not self.is_own
        )

    @property
    def is_latin(self) -> bool:
        """Tell whether it is Latin, or figures that are not of the script, and all of them."""
        is_word = bool(_LATIN.fullmatch(self.text)) and not _has_own_figures(self.word)
        has_letters = any(map(str.isalpha, self.text))
        return is_word and (has_letters or _figures(self.text) >= _figures(self.word.text))

    @property
    def is_alike(self) -> bool:
        """Tell whether the word may be what it was taken for."""
        return not self.word.text.isascii() and self.word.text.translate(LOOK_ALIKES) == self.text

    @property
    def is_own(self) -> bool:
        """Tell whether the word has a letter that Latin has none alike of."""
        return any(map(str.isalpha, re.sub(r"[!-~]", "", self.word.text.translate(LOOK_ALIKES))))


def with_codes(lines: Sequence[ReadLine], crops: Sequence[Picture]) -> list[str]:
    """Return the text of each line, with codes of capitals and figures as the models read them.

    A code that may as well be in Cyrillic or Greek is Latin where more of the others are. `crops`
    are the pictures of the lines.
    """
    read = _read(lines, crops, lambda word: _figures(word.text) >= FEWEST)
    codes = [one for one in read if one.is_code]
    sure = [one for one in codes if not one.is_alike]
    is_latin = len(sure) > sum(one.is_own for one in read)
    return _texts(lines, {(one.line, one.at): one.text for one in (codes if is_latin else sure)})


def with_words_from_right(lines: Sequence[ReadLine], crops: Sequence[Picture]) -> list[str]:
    """Return the text of each line in a script that runs from the right, with what is Latin in it.

    That are words of which Tesseract is not sure, and all with figures. Several of them run from
    the left, and are read once more together.
    """
    read = _read(lines, crops, lambda word: _figures(word.text) >= FEWEST or word.confidence < SURE)
    latin = [one for one in read if one.is_latin]
    texts: dict[tuple[int, int], str] = {}
    # Words side by side have the same difference between their numbers there and here.
    for _, run in groupby(enumerate(latin), lambda n: (n[1].line, n[1].at - n[0])):
        words = sorted((one for _, one in run), key=lambda one: one.word.left)
        first, *others = sorted((one.line, one.at) for one in words)
        texts |= {first: _together(words, crops[first[0]]), **dict.fromkeys(others, "")}
    return _texts(lines, texts)


def _together(words: Sequence[_Reading], line: Picture) -> str:
    """Return what stands side by side, with the spaces that are there."""
    apart = " ".join(one.text for one in words)
    if len(words) == 1:
        return apart
    (whole,) = _sure([_part(line, words[0].word.left, max(one.word.right for one in words))])
    return whole if whole.replace(" ", "") == apart.replace(" ", "") else apart


def _read(
    lines: Sequence[ReadLine], crops: Sequence[Picture], is_asked: Callable[[Word], bool]
) -> list[_Reading]:
    """Let the models read words of the lines; what they are not sure of is left out."""
    asked = [
        (number, at, word)
        for number, line in enumerate(lines)
        for at, word in enumerate(line.words)
        if is_asked(word)
    ]
    texts = _sure([_part(crops[number], word.left, word.right) for number, _, word in asked])
    return [_Reading(*place, text) for place, text in zip(asked, texts, strict=True)]


def _sure(pictures: list[Picture]) -> list[str]:
    """Return what the models are sure to read in the pictures, "" in others."""
    if not pictures:
        return []
    recognized = models().recognizer(TextRecInput(pictures))
    found = zip(recognized.txts or (), recognized.scores or (), strict=True)
    return [
        text.strip() if score >= MIN_SCORE and sum(map(str.isalnum, text)) >= FEWEST else ""
        for text, score in found
    ]


def _part(line: Picture, left: int, right: int) -> Picture:
    around = round(AROUND * line.shape[0])
    left = min(max(left - around, 0), line.shape[1] - 1)
    return np.ascontiguousarray(line[:, left : max(right + around, left + 1)])


def _texts(lines: Sequence[ReadLine], known: dict[tuple[int, int], str]) -> list[str]:
    """Return the texts of the lines with some words known better."""
    changed = {number for number, _ in known}
    return [
        " ".join(
            filter(None, (known.get((number, at), word.text) for at, word in enumerate(line.words)))
        )
        if number in changed
        else line.text
        for number, line in enumerate(lines)
    ]


def _figures(text: str) -> int:
    return sum(map(str.isdecimal, text))


def _has_own_figures(word: Word) -> bool:
    """Tell whether all that a word has are figures of its script."""
    letters = [one for one in word.text if one.isalnum()]
    return bool(letters) and all(one.isdecimal() and not one.isascii() for one in letters)
