"""Put the vowels and tones of Thai and Lao behind the letters over and under which they stand.

LibreOffice, WeasyPrint and others draw those that need a place of their own behind further letters,
or behind the word; PDFium then sees a gap, too, and puts a space there. Nobody would find
these words. Whose a mark is shows in where it stands.

Before some marks it sees the end of a line as well, though none begins with a mark.

Browsers draw sara am as two shapes, the second of which the file names nothing: where it stands,
PDFium sees a gap as well.
"""

import re
from collections.abc import Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.blocks import line_spans
from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.joining_letters import NOT_WRITTEN

MAX_LETTERS = 50_000
"""A page with more is left as PDFium has it."""

OVERLAP = 0.5  # of the width of a mark
SPACE = 0.1  # of the height of a letter
SAME_LINE = 0.3  # of the height of a letter
TOUCHING = 0.01  # points
HALF_OF_AM = 1.5  # of the height of a letter, from the first half to the next letter at most

_LETTERS = "\u0e01-\u0e2e\u0e81-\u0eae"
_VOWELS = "\u0e31\u0e34-\u0e3a\u0e47\u0e4d\u0e4e\u0eb1\u0eb4-\u0ebc\u0ecd"
_TONES = "\u0e48-\u0e4c\u0ec8-\u0ecc"
_AM = "\u0e33\u0eb3"  # of which the first half is a mark, and the second stands behind it
_MAY_BE_MARK = re.compile("[\u0e31-\u0ecd]")  # found, or not, in a fraction of the time
_SPACE_IN_AM = re.compile(f"(?<=[{_AM}]) (?=[\u0e01-\u0ede])")
_IS_LETTER = re.compile(f"[{_LETTERS}]")
_END_BEFORE_MARK = re.compile(
    rf"([{_LETTERS}])[{_VOWELS}{_TONES} ]*(\r?\n)[{_VOWELS}{_TONES}]+([{_LETTERS}])"
)
_IS_MARK = re.compile(f"([{_VOWELS}])|([{_TONES}])|([{_AM}])")


def with_marks(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> tuple[str, Shares | None]:
    """Return the text with its marks in order, and where its letters stand if any has moved.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    if raw.isascii() or len(raw) > MAX_LETTERS or not _MAY_BE_MARK.search(text):
        return text, None
    boxes = letter_places(page, textpage, raw, range(len(raw)))
    points = boxes * (page.get_size() * 2)
    text = _without_ends_before_marks(_without_spaces_in_am(text, points), points)
    order = np.arange(len(raw))
    written = list(text)
    for start, end in line_spans(text):
        found = _order(text[start:end], points[start:end])
        if found != sorted(found):
            order[start:end] = np.array(found) + start
            for at in _false_spaces(text, points, order[start:end].tolist()):
                written[at] = NOT_WRITTEN
                boxes[at] = np.nan
    if (order[1:] > order[:-1]).all():
        return text, None
    return "".join(map(written.__getitem__, order.tolist())), boxes[order]


def _without_spaces_in_am(text: str, boxes: Shares) -> str:
    """Return the text without the spaces that stand for the second half of a sara am."""
    written = list(text)
    for match in _SPACE_IN_AM.finditer(text):
        at = match.start()
        letter, am, space, below = boxes[at - 2], boxes[at - 1], boxes[at], boxes[at + 1]
        is_guessed = not space[2] > space[0]
        gap, height = below[0] - am[2], max(am[3] - am[1], below[3] - below[1])
        if is_guessed and at > 1 and _are_of_one_shape(letter, am) and gap < HALF_OF_AM * height:
            written[at] = NOT_WRITTEN
    return "".join(written)


def _without_ends_before_marks(text: str, boxes: Shares) -> str:
    """Return the text without the ends of lines between letters beside each other."""
    written = list(text)
    for match in _END_BEFORE_MARK.finditer(text):
        before, after = boxes[match.start(1)], boxes[match.start(3)]
        height = max(before[3] - before[1], after[3] - after[1])
        down = abs(before[1] + before[3] - after[1] - after[3]) / 2
        if down < SAME_LINE * height and 0 < after[0] - before[0] < 2 * height:
            start, end = match.span(2)
            written[start:end] = NOT_WRITTEN * (end - start)
    return "".join(written)


def _order(line: str, boxes: Shares) -> list[int]:
    """Return in which order the letters of the line are written."""
    letters = np.array([match.start() for match in _IS_LETTER.finditer(line)], np.int_)
    owners = list(range(len(line)))
    ranks = [0] * len(line)
    for match in _IS_MARK.finditer(line):
        at = match.start()
        owners[at] = owners[at - 1] if at else at
        if len(letters) and not (at and _are_of_one_shape(boxes[at - 1], boxes[at])):
            owners[at] = _owner(boxes, at, owners[at], letters)
        ranks[at] = match.lastindex or 0
    return sorted(range(len(line)), key=lambda at: (owners[at], ranks[at]))


def _are_of_one_shape(one: Shares, other: Shares) -> bool:
    """Tell whether two letters are parts, side by side, into which PDFium divides a shape."""
    off = np.abs((one[2] - other[0], one[1] - other[1], one[3] - other[3]))
    return bool((off < TOUCHING).all())


def _owner(boxes: Shares, mark: int, before: int, letters: npt.NDArray[np.int_]) -> int:
    """Return the letter over or under which the mark stands, if not that before it."""
    left, top, right, bottom = boxes[mark]
    stand = boxes[letters]
    shared = np.minimum(stand[:, 2], right) - np.maximum(stand[:, 0], left)
    is_on_line = (stand[:, 1] < bottom) & (top < stand[:, 3])
    shared = np.where(is_on_line, shared, 0)
    best = int(shared.argmax())
    is_above_another = shared[best] >= OVERLAP * (right - left)
    is_above_that = shared[letters == before].sum() >= OVERLAP * (right - left)
    return int(letters[best]) if is_above_another and not is_above_that else before


def _false_spaces(text: str, boxes: Shares, order: Sequence[int]) -> list[int]:
    """Return the spaces which PDFium put beside marks, of those in an ordered line."""
    false: list[int] = []
    spaced = [at for at in order if not _IS_MARK.match(text[at])]
    groups = [
        (is_space, list(ats)) for is_space, ats in groupby(spaced, lambda at: text[at] == " ")
    ]
    for (_, before), (is_space, spaces), (_, after) in zip(
        groups, groups[1:], groups[2:], strict=False
    ):
        if not is_space:
            continue
        guessed = [at for at in spaces if not boxes[at, 2] > boxes[at, 0]]
        last, height = before[-1], boxes[before[-1], 3] - boxes[before[-1], 1]
        is_apart = boxes[after[0], 0] - boxes[last, 2] > SPACE * height
        # The last of them stands for the gap: what is not written does not begin a word.
        false += guessed[: len(guessed) - (is_apart and len(guessed) == len(spaces))]
    return false
