"""Find the leaders of a line: the dots between a text and the number of its page."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indexing.ocr_models import Mask, Picture
from indexing.printed_lines import HEIGHT, as_print, scaled

SHORTEST = 2.0  # heights of the line, between two letters
LETTER = 0.6  # of the height, from where a letter was read to its end
HIGHEST = 0.3  # of the height of the line; letters are higher, and dots or a rule are not
DARK = 128
FEWEST = 0.02  # of a row of pixels: so much is dark where dots are


@dataclass(frozen=True, slots=True)
class Leader:
    """Where no letter stands, as shares of the width of the line."""

    behind: int  # how many letters
    left: float
    right: float

    @property
    def width(self) -> float:
        return self.right - self.left


def leaders_of(line: Picture, places: Sequence[float]) -> list[Leader]:
    """Return the leaders of a line, given where its letters were read.

    They may begin or end the line, or be all that it is. Wide gaps are some too.
    """
    width = line.shape[1] / max(line.shape[0], 1)  # in heights
    margin = LETTER / width
    ends = [-margin, *places, 1 + margin]
    wide = np.flatnonzero(np.diff(ends) * width > SHORTEST).tolist()
    if not wide:
        return []
    dark = as_print(scaled(line))[:, :, 0] < DARK
    found = [Leader(at, ends[at] + margin, ends[at + 1] - margin) for at in wide]
    return [
        one
        for one in found
        if _height(dark[:, round(one.left * dark.shape[1]) : round(one.right * dark.shape[1])])
        <= HIGHEST * HEIGHT
    ]


def with_leaders(text: str, leaders: Sequence[Leader]) -> str:
    """Return the text of a line with a space at each leader, of which nothing may have come."""
    letters = [at for at, letter in enumerate(text) if not letter.isspace()]
    for leader in reversed(leaders):
        if 0 < leader.behind < len(letters):
            at = letters[leader.behind]
            text = text if text[at - 1].isspace() else f"{text[:at]} {text[at:]}"
    return text


def _height(dark: Mask) -> int:
    """Return how many rows of pixels there are from the first to the last with ink."""
    if not dark.size:
        return 0
    inked = np.flatnonzero(dark.mean(axis=1) >= FEWEST)
    return int(inked[-1] - inked[0]) + 1 if len(inked) else 0
