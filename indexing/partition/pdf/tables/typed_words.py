"""Tell which words go on with the one before in letters that are all of one width.

A single space is as wide there as the letters, far wider than in a sentence of other letters.
Typewriters, line printers and what prints plain text part columns with two of them or more.
"""

import itertools

import numpy as np
import numpy.typing as npt

MIN_WORDS = 10
OFF_WIDTH = 0.02  # of the width of a letter
OFF_SPACE = 0.2  # of that of a space
MOST = 0.9  # of the words; a sign may come from another font
LONGEST_NUMBER = 2  # digits that go on a label (`size 40`), and are no figure of another column

Places = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int_]


def goes_on(
    widths: Places, gaps: Places, counts: Numbers, begin_with_digit: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Tell of each word but the first whether one space parts it from the one before it.

    Given are the width of each word, its letters, whether a digit is the first of them, and how far
    it is from the one before, unless it is the first. None if the letters are of many widths.
    """
    nowhere = np.zeros(len(gaps), np.bool_)
    if len(widths) < MIN_WORDS:
        return nowhere
    letters = widths / counts
    # Hardly two words of other letters are as wide, so that most are told by a few of them.
    some = letters[:: len(letters) // 4].tolist()
    if not any(
        abs(one - other) < OFF_WIDTH * one for one, other in itertools.combinations(some, 2)
    ):
        return nowhere
    usual = np.sort(letters)[len(letters) // 2]
    if np.count_nonzero(np.abs(letters - usual) < OFF_WIDTH * usual) < MOST * len(letters):
        return nowhere
    may_be_figure = begin_with_digit[1:] & ((counts[1:] > LONGEST_NUMBER) | begin_with_digit[:-1])
    is_space: npt.NDArray[np.bool_] = np.abs(gaps - usual) < OFF_SPACE * usual
    return is_space & ~may_be_figure
