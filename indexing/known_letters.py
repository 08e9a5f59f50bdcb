"""Tell which lines of a picture are in letters that the text recognition's models do not know."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from indexing.stop_words import COMMON_WORDS

FEWEST_KNOWN = 0.6
"""Letters for each height of a line that it is long, below which most are not known.

Receipts have from 1.6 on, Chinese 1.1; what is made of Cyrillic, Korean, Arabic, Hebrew, Thai or
Devanagari has 0.3 at most.
"""

ALMOST_NONE = 0.3
"""The same of a single line; a short word with a row of dots before it has more."""

WELL_KNOWN, SURELY_KNOWN = 1.2, 0.9
SHORTEST_TEXT = 20  # the same heights: of less than a line there is nothing to say
SHORTEST_WORDS = 5  # of a few words there is only to say that they may be letters
SHORTEST_PART = 10  # of all lines together that are not known among others
MIN_SCORE = 0.6
"""What is read with less may be no letters at all: grain, or the edge of a photograph."""

UNSURE = 0.65
"""What is made of whole words in other letters, where these are blurred, is read with less."""

DOUBTFUL = 0.8
"""Print in other letters that look like capitals of Latin, such as Hebrew ones, has less.

Of words that are known, even the lines of crumpled receipts are read with 0.9.
"""

FEWEST_WORDS = 10
COMMON = 0.08  # of the words of a language are so many at least
_WORD = re.compile(r"[a-z]+")

_FIGURE = re.compile(r"[-+(]?[$€£¥]? ?[0-9][0-9 .,:/-]*%?[$€£¥]?\)?")

_Marks = npt.NDArray[np.bool_]


def is_figure(text: str) -> bool:
    """Tell whether a line is but a number, a date or an amount, which all scripts have."""
    return bool(_FIGURE.fullmatch(text))


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How well the lines of a picture are known."""

    are_unknown: _Marks  # the lines of which next to nothing is, though letters are there
    are_doubtful: _Marks  # these, and others that may have such letters among theirs
    are_guessed: _Marks  # the lines of an unknown text that came as letters which are not theirs
    is_unknown: bool  # so is most of the text
    is_unsure: bool = False  # is what was read of most of it
    is_blank: bool = False  # so is a short text, of which it says nothing yet

    @property
    def has_unknown_parts(self) -> bool:
        return not self.is_unknown and bool(self.are_unknown.any())


def knowledge_of(
    texts: Sequence[str], scores: Sequence[float], lengths: npt.NDArray[np.float64]
) -> Knowledge:
    """Return what is known of lines, each so many times as long as high.

    Where little is not known, nothing is said to be.
    """
    known = np.array([_count(text) for text in texts], dtype=float)
    sure = np.array(scores, dtype=float)
    figures = np.array([is_figure(text) for text in texts], dtype=bool)
    figures &= known >= FEWEST_KNOWN * lengths
    words = lengths[~figures].sum()
    score = (sure * lengths)[~figures].sum() / max(words, 1)
    is_unsure = words >= SHORTEST_TEXT and score < UNSURE
    is_unknown = words >= SHORTEST_TEXT and known[~figures].sum() < FEWEST_KNOWN * words
    if words >= SHORTEST_TEXT and MIN_SCORE <= score < DOUBTFUL:
        is_unknown |= _is_no_language(texts)
    guessed = is_unknown & ~figures & ((sure < DOUBTFUL) | (known < FEWEST_KNOWN * lengths))
    unknown = (known < ALMOST_NONE * lengths) & (sure >= MIN_SCORE)
    if lengths[unknown].sum() < SHORTEST_PART:
        unknown[:] = False
    doubtful = (known < WELL_KNOWN * lengths) | (sure < SURELY_KNOWN)
    is_blank = SHORTEST_WORDS <= words < SHORTEST_TEXT and (
        known[~figures].sum() < ALMOST_NONE * words
    )
    return Knowledge(unknown, doubtful, guessed, bool(is_unknown), bool(is_unsure), bool(is_blank))


def _is_no_language(texts: Sequence[str]) -> bool:
    """Tell letters of Latin that make no words, as those of a script do that looks like them."""
    words = _WORD.findall(" ".join(texts).casefold())
    common = sum(word in COMMON_WORDS for word in words)
    return len(words) >= FEWEST_WORDS and common < COMMON * len(words)


def _count(text: str) -> int:
    """Return how many letters came; of the dots before a page number, and alike, each counts."""
    return len(re.findall(r"[^\W_]|(\S)(?=\1\1)", text))
