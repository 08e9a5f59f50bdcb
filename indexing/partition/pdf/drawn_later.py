"""Put letters that are drawn later than the rest of a line of a PDF into their places.

LibreOffice draws those that the font of a text lacks with another one, after the text: check marks,
signs of currencies, names from abroad. It leaves gaps for them. PDFium reads one object of a text
after the other: `Nguy n Văn Đ c ễ ứ`. Where they belong shows in where they stand.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt

from indexing.boxes import Shares
from indexing.partition.blocks import HYPHENS
from indexing.partition.pdf.boxes import Span, Spans
from indexing.partition.pdf.joining_letters import NOT_WRITTEN
from indexing.partition.pdf.letter_order import NEW
from indexing.partition.reading_order import has_letters_from_right
from indexing.partition.text import beyond_ascii

SPACE = 0.15  # of the height of the line
OVER = 0.15  # the same, by which a letter may reach over one of another font
BEFORE = 0.05  # the same; what stands so far before what it follows in the text is drawn later
SAME_LINE = 0.6  # the same, between the middle of a letter and that of most
OFF_LINE = 0.33  # the same, by which both ends of a word are off those of one on the same line
HIGHEST = 0.9  # of the letters of a line are at most as high as it is

OTHER_SCRIPT = 0.2
"""A page with so many letters that most fonts lack is written in another script."""

_LATIN = 0xFF
_DASHES_AND_QUOTES = (0x2010, 0x2027)
_BROKEN = ord(HYPHENS[1])
_RARE = re.compile(f"[^\0-{chr(_LATIN)}{'-'.join(map(chr, _DASHES_AND_QUOTES))}{chr(_BROKEN)}]")
_WORD = re.compile(r"\S+")
_GREEK_AND_CYRILLIC = (0x370, 0x52F)
_SIGNS = (0x2000, 0x2BFF)
_JOINING = (0x900, 0x17FF)  # from Devanagari to Khmer
_LINE_ENDS = ("\r", "\n", *HYPHENS)

Places = Callable[[Spans], Shares]
Codes = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int_]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OrderedLine:
    """A line of a text whose letters are put in order."""

    span: Span
    text: str  # in order
    order: list[int]  # of which letters of the whole text this is, or `NEW`
    boxes: Shares  # of the letters as they were


def lines_in_order(text: str, places: Places, size: tuple[float, float]) -> Iterator[OrderedLine]:
    """Yield the lines in which letters were drawn later than those that they stand before.

    `places` returns where parts of the text stand on a page of this size.
    """
    letters, before = _looked_at(text)
    if not len(letters):
        return
    at, of_each = np.unique([before, letters - 1, letters], return_inverse=True)
    stand = places(np.array([at, at + 1]).T)[of_each.reshape(3, -1)] * (size * 2)
    goes_back = _goes_back(*stand)
    spans = (_line_around(text, at) for at in sorted(letters[goes_back].tolist()))
    for start, end in dict.fromkeys(spans):
        line = text[start:end]
        boxes = places([(letter, letter + 1) for letter in range(start, end)])
        if has_letters_from_right(line):
            continue
        for first, last in _on_one_line(line, boxes * (size * 2)):
            part, of_part = line[first:last], boxes[first:last]
            order = _order(part, of_part * (size * 2))
            span = start + first, start + last
            if order is not None and (found := _ordered(span, part, order, of_part)):
                yield found


def _ordered(span: Span, line: str, order: Sequence[int], boxes: Shares) -> OrderedLine | None:
    """Return the line in order, with spaces at its end for what is left over; None if it was."""
    left_over = sorted(set(range(len(line))).difference(order))
    written = "".join(" " if at == NEW else line[at] for at in order)
    if written == line.rstrip(f" {NOT_WRITTEN}"):
        return None
    text = written + " " * len(left_over)
    places = [at if at == NEW else span[0] + at for at in [*order, *left_over]]
    # Other fonts have higher letters; the line is as high as others, by its first and last one.
    ends = boxes[[order[0], order[-1]]]
    boxes[:, 1::2] = np.clip(boxes[:, 1::2], ends[:, 1].min(), ends[:, 3].max())
    return OrderedLine(span, text, places, boxes)


def _looked_at(text: str) -> tuple[Numbers, Numbers]:
    """Return the letters that may be drawn later than those before them, and these letters.

    Nearly always one of them is, or ends, a word of nothing but what the font of the text may lack.
    """
    nothing = np.empty(0, np.int_)
    if not _RARE.search(beyond_ascii(text)):
        return nothing, nothing
    codes = _codes(text)
    may_lack = _are_rare(codes)
    if _are_most(may_lack):
        may_lack &= ~_are_within(codes, _GREEK_AND_CYRILLIC)
    if _are_most(may_lack):
        # Such a font may have neither Latin letters nor figures and commas.
        may_lack = ~may_lack | _are_within(codes, _SIGNS)
    is_letter = codes > ord(" ")
    edges = np.flatnonzero(np.diff(is_letter, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    counted = np.concatenate([[0], np.cumsum(may_lack)])
    lacking = counted[ends] - counted[starts]
    are_whole = lacking == ends - starts
    words = np.flatnonzero(are_whole[1:] | are_whole[:-1]) + 1
    # There is no space where such letters belong right before the one that the text has before.
    seconds = starts[~may_lack[starts] & (lacking > 0) & (lacking == ends - starts - 1)]
    letters = np.concatenate([starts[words], seconds + 1])
    return letters, np.concatenate([ends[words - 1] - 1, seconds])


def _are_rare(codes: Codes) -> Flags:
    """Tell which letters the font of the text may lack, by what most fonts have."""
    are_rare: Flags = (codes > _LATIN) & (codes != _BROKEN)
    return are_rare & ~_are_within(codes, _DASHES_AND_QUOTES)


def _are_most(letters: Flags) -> bool:
    return bool(np.count_nonzero(letters) > OTHER_SCRIPT * len(letters))


def _are_joining(codes: Codes) -> Flags:
    """Tell which letters belong to scripts in which they may stand anywhere in their word."""
    return _are_within(codes, _JOINING)


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _are_within(codes: Codes, ends: Span) -> Flags:
    return (ends[0] <= codes) & (codes <= ends[1])


def _goes_back(before: Shares, between: Shares, after: Shares) -> Flags:
    """Tell which letters stand on one line with those before them, but not behind them.

    Between both there may be a space, of which the same is told.
    """
    middles, heights = (before[:, 1] + before[:, 3]) / 2, after[:, 3] - after[:, 1]
    least = BEFORE * heights
    # What is not known is not smaller than anything.
    goes_back = (after[:, 0] < before[:, 0] - least) | (after[:, 0] < between[:, 0] - least)
    goes_back |= between[:, 0] < before[:, 0] - least
    return goes_back & (after[:, 1] < middles) & (middles < after[:, 3])


def _line_around(text: str, at: int) -> Span:
    """Return from where up to where the line reaches."""
    start = max(text.rfind(end, 0, at) for end in _LINE_ENDS) + 1
    ends = (text.find(end, at) for end in _LINE_ENDS)
    return start, min((end for end in ends if end >= 0), default=len(text))


def _on_one_line(line: str, boxes: Shares) -> Iterator[Span]:
    """Yield the parts of a line that stand at one height: mostly all of it.

    PDFium takes cells beside each other for one line also where they are half a line apart.
    """
    letters = [at for at, one in enumerate(line) if not one.isspace()]
    if not letters or _height(boxes[letters]) is not None:
        yield 0, len(line)
        return
    heights = boxes[letters, 3] - boxes[letters, 1]
    least = OFF_LINE * float(np.sort(heights)[int(HIGHEST * (len(letters) - 1))])
    start, above = 0, None
    for word in _WORD.finditer(line):
        _, tops, _, bottoms = boxes[word.start() : word.end()].T
        sides = float(tops.min()), float(bottoms.max())
        if above is not None:
            lower, upper = sides[0] - above[0], sides[1] - above[1]
            if min(lower, upper) > least or max(lower, upper) < -least:
                yield start, word.start()
                start = word.start()
        above = sides
    yield start, len(line)


def _order(line: str, boxes: Shares) -> list[int] | None:
    """Return the order of the letters of a line; None if none was drawn into a gap of others."""
    letters = [at for at, one in enumerate(line) if not one.isspace() and one != NOT_WRITTEN]
    if not letters:
        return None
    for at in reversed(letters[:-1]):
        if np.isnan(boxes[at, 0]):  # The sign of a power stands where that does.
            boxes[at] = boxes[at + 1]
    height = _height(boxes[letters])
    if height is None:
        return None
    pieces = _pieces(line, letters, boxes)
    keys = np.concatenate([np.maximum.accumulate(boxes[piece, 0]) for piece in pieces])
    piece_of = {at: number for number, piece in enumerate(pieces) for at in piece}
    merged = [letters[n] for n in np.argsort(keys, kind="stable").tolist()]
    runs = [list(run) for _, run in groupby(merged, piece_of.__getitem__)]
    lefts = np.array([boxes[run, 0].min() for run in runs])
    rights = np.array([boxes[run, 2].max() for run in runs])
    gaps = (lefts[1:] - rights[:-1]) / height
    if len(pieces) == 1 or (gaps < -OVER).any():
        return None
    return _with_spaces(runs, (gaps > SPACE).tolist())


def _height(boxes: Shares) -> float | None:
    """Return how high the line of these letters is; None if they do not stand on one."""
    heights, middles = boxes[:, 3] - boxes[:, 1], (boxes[:, 1] + boxes[:, 3]) / 2
    # For `quantile` and `median` a further part of numpy would be loaded first, which takes long.
    highest = np.sort(heights)[int(HIGHEST * (len(heights) - 1))]
    off = np.abs(middles - np.sort(middles)[len(middles) // 2])
    # What is not known is not smaller than anything.
    return float(highest) if (off < SAME_LINE * np.maximum(heights, highest)).all() else None


def _pieces(line: str, letters: Sequence[int], boxes: Shares) -> list[list[int]]:
    """Return the letters in parts, each of which begins before where the one before ends."""
    after = np.array(letters[1:], np.int_)
    codes = _codes(line)
    is_rare, are_joining = _are_rare(codes), _are_joining(codes)
    may_begin = (after - letters[:-1] > 1) | (is_rare[after] != is_rare[after - 1])
    may_begin &= ~are_joining[letters[:-1]] | ~are_joining[after]
    goes_back = _goes_back(boxes[letters[:-1]], boxes[after - 1], boxes[after])
    begins = np.flatnonzero(may_begin & goes_back) + 1
    return [list(letters[start:end]) for start, end in pairwise([0, *begins, len(letters)])]


def _with_spaces(runs: Sequence[Sequence[int]], are_apart: Sequence[bool]) -> list[int]:
    """Return the letters of these parts in order, with the spaces within and between them."""
    order: list[int] = []
    for run, is_apart in zip(runs, [*are_apart, False], strict=True):
        order.append(run[0])
        for before, after in pairwise(run):
            order += range(before + 1, after + 1)
        order += [NEW] * is_apart
    return order
