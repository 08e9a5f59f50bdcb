"""Put the lines of a PDF page in order that are drawn in another one than they are read in.

Some programs draw a page from its end to its beginning, others the right column first. Printer
drivers of old draw line by line across all columns, which PDFium takes for lines as wide as the
page. What goes on where shows in where it stands.
"""

import ctypes
import itertools
import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import NamedTuple

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.blocks import HYPHENS
from indexing.partition.pdf.boxes import Rectangles, Span
from indexing.partition.pdf.calls import direct
from indexing.partition.pdf.later_cells import cells_in_rows, is_of_calc
from indexing.partition.pdf.letters import PageLetters
from indexing.partition.pdf.pictures import Drawn
from indexing.partition.pdf.placed_lines import PlacedLines
from indexing.partition.pdf.reordered import Piece, reordered

MIN_LINES = 5  # that go up the page
MIN_COLUMN = 8  # lines
SHORTEST = 20  # letters, of a line of text
GOES_ON = 0.4  # of the lines of a text begin within a sentence
FULL = 0.6  # of the length of many lines of a column has its middle one
MOST_UNLIKE = 0.9  # of the lines of a text are like no other one
SHARED = 0.6  # of the height of the lower one of two columns beside each other
FAR = 4.0  # times the height of a line, from it to one that is of no column with it
SAME_LINE = 0.5  # of the height of a word, from its middle to that of the one before
COLUMN_GAP = 0.8  # of the height of a line
NARROWEST = 0.5  # the same, of what no line of several has a word in
MAX_COLUMNS = 3  # that are drawn in another order
FEW = 3  # rows
MAX_TRIED = 30  # rows with such gaps
MAX_WORDS = 3000
MAX_PATHS = 3
"""A page with more may have a table there, with rules between its rows."""

_WORD = re.compile(rf"[^\s{''.join(HYPHENS)}]+[{''.join(HYPHENS)}]?")
_SPACE = re.compile(" ")
_BROKEN = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_])")

# With plain numbers for pointers.
_is_generated = direct("FPDFText_IsGenerated", ctypes.c_int)
_get_loose_box = direct("FPDFText_GetLooseCharBox", None)

_box = pdfium.FS_RECTF()
_box_target = ctypes.byref(_box)


class _Word(NamedTuple):
    """Where a word is in the text, and on the page."""

    start: int
    end: int
    left: float
    right: float
    middle: float  # of top and bottom
    height: float


_Row = list[_Word]
_Gap = tuple[float, float]


def with_lines_in_order(lines: PlacedLines, drawn: Callable[[], Drawn]) -> PageLetters:
    """Return the letters with these lines in order; where they are, the same.

    `drawn` tells what is drawn on the page, and is asked only where lines may be over columns.
    """
    letters = lines.letters
    if len(lines.spans) < MIN_LINES or letters.is_from_right:
        return letters
    if is_of_calc(lines.page.pdf) and (pieces := _later_cells_in_order(lines)):
        return _in_order(lines, pieces)
    if _may_go_back(lines.points) and (pieces := _lines_in_order(lines)):
        return _in_order(lines, pieces)
    if not _may_be_over_columns(lines.textpage, letters, lines.spans):
        return letters
    if drawn().count_of(pdfium.FPDF_PAGEOBJ_PATH) > MAX_PATHS:
        return letters
    pieces = _column_by_column(letters.text, list(_rows(lines)))
    return _in_order(lines, pieces) if pieces else letters


def _may_go_back(lines: Rectangles) -> bool:
    """Tell whether many lines are above the one before, or one far above it: of few pages any."""
    tops = lines[:, 1]
    ups = np.flatnonzero(tops[1:] < tops[:-1])
    if not len(ups):
        return False
    heights = lines[ups + 1, 3] - tops[ups + 1]
    return len(ups) >= MIN_LINES or bool((tops[ups] - tops[ups + 1] > FAR * heights).any())


def _lines_in_order(lines: PlacedLines) -> list[Piece]:
    """Return the text with the lines in order, some of which go up; nothing if all are."""
    text, spans, points = lines.letters.text, lines.spans, lines.points
    order = _from_end(spans, points)
    if order != sorted(order) and any(map(text.__contains__, HYPHENS)):
        # Below a word that is broken PDFium goes on with the line that is drawn next, one above.
        spans = [(row[0].start, row[-1].end) for row in _rows(lines)]
        points = lines.points_of(spans)
        order = _from_end(spans, points)
    for _ in range(MAX_COLUMNS):
        moved = _left_first(text, [spans[n] for n in order], points[order], order)
        if moved is order:
            break
        order = moved
    if order == sorted(order):
        return []
    return [piece for n in order for piece in (slice(*spans[n]), "\n")]


def _later_cells_in_order(lines: PlacedLines) -> list[Piece]:
    order = cells_in_rows(lines.points)
    if order == sorted(order):
        return []
    return [piece for n in order for piece in (slice(*lines.spans[n]), "\n")]


def _may_be_over_columns(
    textpage: pypdfium2.PdfTextPage, letters: PageLetters, spans: Sequence[Span]
) -> bool:
    """Tell whether some long lines have a wide gap between two texts: of most pages none has."""
    text = letters.text
    if not len(text) == len(letters.raw) == textpage.count_chars():
        return False
    long = [span for span in spans if span[1] - span[0] > 2 * SHORTEST]
    if len(long) < MIN_COLUMN:
        return False
    sample = long[len(long) // 4 :: len(long) // 4 + 1]
    has_gap = partial(_has_gap, textpage, text)
    # The last line of a text may end before the gap: so two of three have one.
    have_gaps = list(map(has_gap, sample[:2]))
    return any(have_gaps) and sum(have_gaps) + sum(map(has_gap, sample[2:])) > 1


def _has_gap(textpage: pypdfium2.PdfTextPage, text: str, span: Span) -> bool:
    start, end = span
    between = _SPACE.finditer(text, start + SHORTEST + 1, end - SHORTEST)
    spaces = [space.start() for space in between]
    # PDFium makes up the space in such a gap; most programs write those between words.
    made_up = itertools.compress(spaces, map(_is_generated, repeat(textpage.raw), spaces))
    return any(_gap_at(textpage, at) > COLUMN_GAP for at in made_up)


def _gap_at(textpage: pypdfium2.PdfTextPage, space: int) -> float:
    """Return how far the letters beside a space stand apart, in heights of a line."""
    _get_loose_box(textpage.raw, space - 1, _box_target)
    end = _box.right
    _get_loose_box(textpage.raw, space + 1, _box_target)
    gap, height = _box.left - end, _box.top - _box.bottom
    return gap / height if height > 0 else 0.0


def _in_order(lines: PlacedLines, pieces: Sequence[Piece]) -> PageLetters:
    in_order = reordered(lines.letters, pieces)
    return replace(in_order, text=_BROKEN.sub(f"{HYPHENS[0]}\n", in_order.text))


def _from_end(spans: Sequence[Span], lines: Rectangles) -> list[int]:
    """Return the order of lines, those in which each stands above the one before turned round."""
    lefts, tops, rights, bottoms = lines.T
    # What is not known is not smaller than anything.
    is_up = (tops[1:] < tops[:-1] - SAME_LINE * (bottoms - tops)[1:]) & (lefts[1:] < rights[:-1])
    goes_up = (is_up & (lefts[:-1] < rights[1:])).tolist()
    order = list(range(len(spans)))
    if sum(goes_up) < MIN_LINES:
        return order
    at = 0
    for is_run, steps in itertools.groupby(goes_up):
        end = at + len(list(steps))
        run = range(at, end + 1)
        if is_run and len(run) >= MIN_LINES:
            long = sum(spans[n][1] - spans[n][0] >= SHORTEST for n in run)
            order[at : end + 1] = reversed(run) if 2 * long > len(run) else run
        at = end
    return order


def _left_first(text: str, spans: Sequence[Span], lines: Rectangles, order: list[int]) -> list[int]:
    """Return the order with the lines of the left column before those of the right one."""
    lefts, tops, rights, bottoms = lines.T
    heights = (bottoms - tops)[1:]
    is_back = (rights[1:] < lefts[:-1]) & (tops[1:] < tops[:-1] - FAR * heights)
    goes_on = (tops[1:] > tops[:-1]) & (tops[1:] < bottoms[:-1] + FAR * heights)
    for at in (np.flatnonzero(is_back) + 1).tolist():
        start, end = at - 1, at + 1
        while start and goes_on[start - 1] and lefts[start - 1] > rights[at]:
            start -= 1
        edge = float(lefts[start:at].min())
        while end < len(spans) and goes_on[end - 1] and rights[end] < edge:
            end += 1
        right, left = range(start, at), range(at, end)
        shared = min(bottoms[at - 1], bottoms[end - 1]) - max(tops[start], tops[at])
        lower = min(bottoms[at - 1] - tops[start], bottoms[end - 1] - tops[at])
        columns = [[text[slice(*spans[n])] for n in column] for column in (left, right)]
        if shared > SHARED * lower and all(map(_is_text, columns)):
            return [order[n] for n in (*range(start), *left, *right, *range(end, len(spans)))]
    return order


def _is_text(lines: Sequence[str]) -> bool:
    """Tell whether lines are those of running text: sentences go on in many of them."""
    lines = list(filter(None, lines))
    within = sum(line[0].isalpha() and not line[0].isupper() for line in lines)
    if len(lines) < MIN_COLUMN or within < GOES_ON * len(lines):
        return False
    # Words that are broken make one line of two, which is longer than all others.
    lengths = sorted(map(len, lines))
    full = FULL * lengths[len(lengths) * 2 // 3]
    half = lengths[len(lengths) // 2]
    return half >= SHORTEST and half >= full and len(set(lines)) > MOST_UNLIKE * len(lines)


def _rows(lines: PlacedLines) -> Iterator[_Row]:
    """Yield the words that stand side by side, in the order of the text; nothing of too many."""
    text = lines.letters.text
    words = [word.span() for span in lines.spans for word in _WORD.finditer(text, *span)]
    if not 0 < len(words) <= MAX_WORDS:
        return
    stand = lines.points_of(words)
    row: _Row = []
    for span, (left, top, right, bottom) in zip(words, stand.tolist(), strict=True):
        word = _Word(*span, left, right, (top + bottom) / 2, bottom - top)
        is_far = row and abs(word.middle - row[-1].middle) > SAME_LINE * max(
            word.height, row[-1].height
        )
        if is_far:
            yield row
            row = []
        row.append(word)
    yield row


def _gaps(row: _Row) -> list[_Gap]:
    """Return the gaps between words that are as wide as those between columns."""
    return [
        (one.right, other.left)
        for one, other in itertools.pairwise(row)
        if other.left - one.right > COLUMN_GAP * other.height
    ]


def _column_by_column(text: str, rows: Sequence[_Row]) -> list[Piece]:
    """Return the text with rows across columns column by column; nothing without such rows."""
    starts = [0, *(row[0].start for row in rows[1:]), len(text)]
    pieces: list[Piece] = []
    done = at = tried = 0
    while at < len(rows) and tried < MAX_TRIED:
        # A gap between words of a single row may be as wide as that between columns.
        gaps, few = _narrowed(_gaps(rows[at]), rows[at : at + FEW], may_lose=True)
        gaps, below = _narrowed(gaps, rows[at:]) if few == FEW else (gaps, few)
        gaps, above = _narrowed(gaps, rows[done : at + 1][::-1])
        start, end = at + 1 - above, at + below
        columns = list(_parted(rows[start:end], [(left + right) / 2 for left, right in gaps]))
        texts = [[text[first:last] for first, last in column] for column in columns]
        if len(columns) > 1 and all(map(_is_text, texts)):
            pieces.append(slice(starts[done], starts[start]))
            for column in itertools.chain.from_iterable(columns):
                pieces += [slice(*column), "\n"]
            done = at = end
        else:
            tried += bool(gaps)
            at += 1
    if not done:
        return []
    return [*pieces, slice(starts[done], len(text))]


def _narrowed(
    gaps: list[_Gap], rows: Sequence[_Row], *, may_lose: bool = False
) -> tuple[list[_Gap], int]:
    """Return what of gaps goes on between the words of rows, and in how many of these."""
    before = rows[0][0]
    for number, row in enumerate(rows):
        is_far = abs(row[0].middle - before.middle) > FAR * before.height
        before = row[0]
        narrowed = [gap for one in gaps if (gap := _without(one, row))]
        if is_far or not narrowed or (len(narrowed) < len(gaps) and not may_lose):
            return gaps, number
        gaps = narrowed
    return gaps, len(rows)


def _without(gap: _Gap, row: _Row) -> _Gap | None:
    """Return what of a gap no word of the row is in."""
    left, right = gap
    for word in row:
        if word.left < right and left < word.right:
            if word.left <= left:
                left = word.right
            else:
                right = word.left
    return (left, right) if right - left > NARROWEST * row[0].height else None


def _parted(rows: Sequence[_Row], edges: Sequence[float]) -> Iterator[list[Span]]:
    """Yield the part of each row that each column has, where it has one."""
    for number in range(len(edges) + 1):
        parts = ([word for word in row if bisect(edges, word.left) == number] for row in rows)
        yield [(words[0].start, words[-1].end) for words in parts if words]
