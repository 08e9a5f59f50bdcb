"""Put the numbers and bullets of items, drawn apart from the lines of a PDF page, before these.

WeasyPrint draws those of lists behind all other text of the page, browsers those of clauses that
float beside their text before it: the numbers of a contract stand in a heap. Where they belong
shows in where they stand.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pypdfium2

from indexing.partition.pdf.boxes import Rectangles, Span, letter_places
from indexing.partition.pdf.drawn_later import NEW_SPACE
from indexing.partition.pdf.letters import PageLetters

SAME_LINE = 0.35  # of the height of a line, between its middle and that of its label
NEAR = 4.0  # the same, between both
OVER = 0.1  # the same, by which a label may reach over its line
SKIPPED = 3  # numbers at most, from one label to the next: others stand in their lines already

_LABEL = re.compile(
    r"[•◦▪‣●○■□]|§ ?\d{1,4}|(?P<levels>[1-9]\d?(?:\.[1-9]\d?){1,4})\.?"
    r"|\(?(?:\d{1,3}|[^\W\d_]|[ivx]{2,5}|[IVX]{2,5})[.)]"
)
LONGEST_LABEL = 15
"""As many letters has the longest of these."""

_LETTERS = re.compile(r"[^\W\d_]{2}")


def with_labels(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    spans: Sequence[Span],
    lines: Rectangles,
) -> PageLetters:
    """Return the letters with each label in the line beside it; given where all lines stand.

    Where none stands apart, they are the same.
    """
    found = _found(letters.text, spans)
    labels = _labels(found, lines[:, 1]) if found else []
    if not labels:
        return letters
    beside: dict[int, int] = {}
    for n in labels:
        is_from_right, in_heap = letters.is_from_right, n - 1 in labels
        line = _beside(n, lines, is_from_right=is_from_right, in_heap=in_heap)
        if line is not None:
            beside[n] = line
    owned: dict[int, list[int]] = {}
    for label in beside:
        line = _line_of(label, beside)
        if _LETTERS.search(letters.text, *spans[line]):
            owned.setdefault(line, []).append(label)
    if not owned:
        return letters
    side = -lines[:, 2] if letters.is_from_right else lines[:, 0]
    for of_line in owned.values():
        of_line.sort(key=side.__getitem__)
    order = _order(len(letters.text), spans, owned)
    return _reordered(page, textpage, letters, np.array(order, np.int_))


def _found(text: str, spans: Sequence[Span]) -> dict[int, re.Match[str]]:
    """Return the lines that are like a label: of most pages hardly one is as short."""
    short = [n for n, (start, end) in enumerate(spans) if 0 < end - start <= LONGEST_LABEL]
    return {n: match for n in short if (match := _LABEL.fullmatch(text, *spans[n]))}


def _labels(found: Mapping[int, re.Match[str]], tops: npt.NDArray[np.float64]) -> list[int]:
    """Return the lines that are nothing but a label; those like figures go up down the page."""
    levels = {n: match["levels"].split(".") for n, match in found.items() if match["levels"]}
    lists: dict[Sequence[str], dict[int, int]] = {}
    for n, (*above, number) in levels.items():
        lists.setdefault(tuple(above), {})[int(number)] = n
    of_lists = {
        n
        for numbers in lists.values()
        for (one, before), (other, after) in pairwise(sorted(numbers.items()))
        if other - one <= SKIPPED and tops[before] < tops[after]
        for n in (before, after)
    }
    return [n for n in found if n not in levels or n in of_lists]


def _beside(label: int, lines: Rectangles, *, is_from_right: bool, in_heap: bool) -> int | None:
    """Return the line that begins next behind a label; None if none does so near to it.

    None as well, if its text follows it already, unless that of other labels does `in_heap`: it
    stands beside the middle of this text.
    """
    lefts, tops, rights, bottoms = lines.T
    if is_from_right:
        lefts, rights = -rights, -lefts
    gaps = lefts - rights[label]
    heights = bottoms - tops
    off = np.abs(tops + bottoms - tops[label] - bottoms[label]) / 2
    # What is not known is not smaller than anything.
    is_behind = (lefts > lefts[label]) & (gaps > -OVER * heights)
    found = np.flatnonzero(is_behind & (off < SAME_LINE * heights))
    if not len(found):
        return None
    nearest = int(found[gaps[found].argmin()])
    if not in_heap and label < nearest and is_behind[label + 1 : nearest].all():
        return None
    return nearest if gaps[nearest] < NEAR * heights[nearest] else None


def _line_of(label: int, beside: Mapping[int, int]) -> int:
    """Return the line of the label, that of a further label where one follows the other."""
    line = beside[label]
    while line in beside:
        line = beside[line]
    return line


def _order(length: int, spans: Sequence[Span], owned: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the order of the letters with each label at the beginning of its line."""
    moved = {label for labels in owned.values() for label in labels}
    starts = [start for start, _ in spans]
    order = list(range(starts[0]))
    for n, (start, end) in enumerate(zip(starts, [*starts[1:], length], strict=True)):
        if n in moved:
            continue
        for label in owned.get(n, ()):
            order += [*range(*spans[label]), NEW_SPACE]
        order += range(start, end)
    return order


def _reordered(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    order: npt.NDArray[np.int_],
) -> PageLetters:
    """Return the letters in this order, with where each stands."""
    text = letters.text
    if letters.stand is None and text == letters.raw:
        stand = letter_places(page, textpage, letters.raw, range(len(text)))
    else:
        each = np.arange(len(text))
        stand = letters.places(page, textpage, np.array([each, each + 1]).T)
    is_new = order == NEW_SPACE
    return replace(
        letters,
        text="".join(" " if at == NEW_SPACE else text[at] for at in order.tolist()),
        stand=np.where(is_new[:, None], np.nan, stand[order]),
        dropped=np.flatnonzero(np.isin(order, letters.dropped)).tolist(),
        added=np.flatnonzero(np.isin(order, letters.added) | is_new).tolist(),
    )
