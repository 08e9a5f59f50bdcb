"""Tell where in the picture of a line its ink is, and part it where words stand apart as cells do.

The places where text is found reach beyond it, and cells that stand close are found as one.
"""

import bisect
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

import numpy as np
import numpy.typing as npt

from indexing.ocr_models import Picture
from indexing.printed_lines import HEIGHT, as_print, scaled

APART = 0.5  # heights of the line
APART_LETTERS = 1.5
"""Times the distance of letters: words of a typewriter stand apart as wide as one letter."""

FEWEST_SPACES = 3
WIDEST_SPACE = 1.0  # heights of the line
EVEN = 0.7  # of its widest space is each in a justified line
GOING_ON = 0.3
"""So many of its words, but the first, begin with a small letter."""

HALF_MARK = 0.6
"""Heights of the line, that the square of a wide mark is empty beside it."""

_CLOSING = set("、。，：；！？）」』】》〉〕．")
_OPENING = set("（「『【《〈〔")

DARK = 128
FEWEST = 0.05  # of the height: so much is dark where a letter is
RULE = 0.9  # and so much, or of the width, where a rule runs


@dataclass(frozen=True, slots=True)
class Part:
    """What of a line stands together, and from where to where, as shares of its width."""

    text: str
    left: float
    right: float


def parts_of_line(line: Picture, text: str, places: Sequence[float] = ()) -> list[Part]:
    """Return the parts of a line, given its text and where the letters of that were read.

    Without these it is in one, and without ink as wide as its picture.
    """
    inked = _inked(scaled(line))
    width = max(1, round(line.shape[1] * HEIGHT / len(line)))
    if not len(inked):
        return [Part(text, 0.0, 1.0)]
    starts_at = _starts(text)
    if len(places) != len(starts_at):
        places, starts_at = (), []
    apart = _apart(text, np.array(places) * width, starts_at)
    between = np.diff(inked)
    gaps = np.flatnonzero(between > apart).tolist() if starts_at else []
    if gaps and _is_justified(text.split(), between):
        gaps = []
    lefts = [int(inked[0]), *(int(inked[gap + 1]) for gap in gaps)]
    rights = [*(int(inked[gap]) + 1 for gap in gaps), int(inked[-1]) + 1]
    middles = [(a + b) / 2 / width for a, b in zip(rights[:-1], lefts[1:], strict=True)]
    counts = [0, *(bisect.bisect(places, middle) for middle in middles), len(starts_at)]
    parts: list[Part] = []
    for (first, last), left, right in zip(itertools.pairwise(counts), lefts, rights, strict=True):
        # What has no letters is the edge of something, or a mark that cannot be read.
        if first < last:
            end = starts_at[last] if last < len(starts_at) else len(text)
            part = text[starts_at[first] : end].strip()
            gap = left - round(parts[-1].right * width) if parts else 0
            if parts and not _is_between_words(text, starts_at[first], gap):
                before = parts.pop()
                part, left = before.text + part, round(before.left * width)
            parts.append(Part(part, left / width, right / width))
    return parts or [Part(text, lefts[0] / width, rights[-1] / width)]


def _is_justified(words: Sequence[str], between: npt.NDArray[np.intp]) -> bool:
    """Tell a line of text that was spread evenly to fill its column; cells do not go on so."""
    count = len(words) - 1
    going_on = sum(word[0].islower() for word in words[1:])
    if count < FEWEST_SPACES or going_on < GOING_ON * count or count > len(between):
        return False
    spaces = np.sort(between)[-count:]
    return bool(spaces[-1] <= WIDEST_SPACE * HEIGHT and spaces[0] >= EVEN * spaces[-1])


def _is_between_words(text: str, at: int, gap: int) -> bool:
    """Tell whether a word begins there, behind a gap of so many pixels.

    The points of faint figures may not be seen. Half of the square of a wide mark is empty.
    """
    before, letter = text[at - 1], text[at]
    if gap < (APART + HALF_MARK) * HEIGHT and (before in _CLOSING or letter in _OPENING):
        return False
    return before.isspace() or any(_is_wide(one) and one.isalpha() for one in (before, letter))


def _is_wide(letter: str) -> bool:
    """Tell letters of Chinese and Japanese, which have no spaces."""
    return east_asian_width(letter) in "WF"


def _starts(text: str) -> list[int]:
    """Return where in the text its letters and marks are."""
    return [at for at, letter in enumerate(text) if not letter.isspace()]


def _apart(text: str, places: npt.NDArray[np.float64], starts_at: Sequence[int]) -> float:
    """Return how far apart, in pixels, the letters of different parts are."""
    in_words = np.diff(places)[np.diff(starts_at) == 1]
    has_spaces = sum(map(_is_wide, text)) < len(text) / 2
    pitch = float(np.median(in_words)) if has_spaces and len(in_words) else 0.0
    return max(APART * HEIGHT, APART_LETTERS * pitch)


def _inked(line: Picture) -> npt.NDArray[np.intp]:
    """Return the columns of pixels in which letters are."""
    dark = as_print(line)[:, :, 0] < DARK
    letters = dark[dark.mean(axis=1) < RULE].sum(axis=0)
    return np.flatnonzero((letters >= FEWEST * len(line)) & (dark.mean(axis=0) < RULE))
