"""Tell the lines of running text on a PDF page, which are no rows of a table.

Tables stand between paragraphs, and to find the words of these, and look for columns in them, would
take longer than those of all tables.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from indexing.partition.pdf.tables.words import PageText

LONG_LINE = 70  # letters
MIN_LINES = 3
INDENT = 0.02  # of the width of the page
FIRST_INDENT = 0.1  # the same, of the first line of a paragraph


def running_lines(text: PageText, signs: Sequence[bool]) -> list[float]:
    """Return where each line of running text begins, in widths of the page; `inf` for all others.

    That are long lines below each other without a sign of a table, in which a sentence goes on with
    a small letter. A last cell of several lines is such a text too, but begins beside the table.
    """
    begin = [inf] * len(signs)
    if text.letters.is_from_right:
        return begin
    lefts = [
        box[0] if box and not sign and len(line) >= LONG_LINE else inf
        for line, box, sign in zip(text.lines, text.boxes, signs, strict=True)
    ]
    start = 0
    for number, (left, below) in enumerate(pairwise([*lefts, inf])):
        # Of what is not known, no difference is smaller than anything.
        if -INDENT < left - below < (FIRST_INDENT if number == start else INDENT):
            continue
        end = number + 1
        if end - start >= MIN_LINES and any(text.lines[n][0].islower() for n in range(start, end)):
            begin[start:end] = lefts[start:end]
        start = end
    return begin


def begins_at(begin: float, left: float) -> bool:
    """Tell whether a line of running text begins no further to the right than a table."""
    return begin <= left + INDENT
