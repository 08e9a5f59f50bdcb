"""Find the spaces that Ghostscript leaves out, and those that it puts into words.

It sets the letters of a string apart instead. PDFium looks for gaps between strings alone: of
words, and of figures in columns beside each other, one would come. Of letters that troff moves
together (`Tw o`) it writes some with a space between them, over which the next one lies.
"""

import itertools
import re
from statistics import median
from weakref import WeakKeyDictionary

import numpy as np
import pypdfium2

from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.joining_letters import NOT_WRITTEN
from indexing.partition.text import may_have_other_scripts

MAX_LETTERS = 50_000
"""A page with more is left as PDFium has it."""

SPACE = 0.15  # of the height of the line
SAME_LINE = 0.25  # the same
FAR_WIDER = 3  # times the gaps beside it; in words with spaced letters all are wide

_GHOSTSCRIPT = "Ghostscript"
_are_of_ghostscript: WeakKeyDictionary[pypdfium2.PdfDocument, bool] = WeakKeyDictionary()
_BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_]) (?=[^\W\d_])")


def with_words_closed(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> str:
    """Return the text with `NOT_WRITTEN` for each space over which the next letter lies.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    if len(raw) > MAX_LETTERS or not _is_of_ghostscript(page.pdf):
        return text
    spaces = [match.start() for match in _BETWEEN_LETTERS.finditer(text)]
    if not spaces:
        return text
    before, after = (
        letter_places(page, textpage, raw, [at + step for at in spaces]) for step in (-1, 1)
    )
    middles = (before[:, 1] + before[:, 3] - after[:, 1] - after[:, 3]) / 2
    is_beside = np.abs(middles) < SAME_LINE * (before[:, 3] - before[:, 1])
    is_over = (after[:, 0] <= before[:, 2]) & (after[:, 0] > before[:, 0]) & is_beside
    written = list(text)
    for at in itertools.compress(spaces, is_over.tolist()):
        written[at] = NOT_WRITTEN
    return "".join(written)


def missing_spaces(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> list[int]:
    """Return before which letters of PDFium's text a space is missing."""
    # To measure all letters takes a tenth of the time of a page.
    if len(raw) > MAX_LETTERS or not _is_of_ghostscript(page.pdf):
        return []
    is_letter = np.array([not one.isspace() for one in raw], np.bool_)
    pairs = np.flatnonzero(is_letter[:-1] & is_letter[1:])
    if not len(pairs):
        return []
    lefts, tops, rights, bottoms = (
        letter_places(page, textpage, raw, range(len(raw))) * (page.get_size() * 2)
    ).T
    heights, middles = bottoms - tops, (tops + bottoms) / 2
    gaps = lefts[pairs + 1] - rights[pairs]
    apart = np.abs(middles[pairs + 1] - middles[pairs])
    # What is not known is not greater, or smaller, than anything.
    is_wide = (gaps > SPACE * heights[pairs]) & (apart < SAME_LINE * heights[pairs])
    lines = np.cumsum([one == "\n" for one in raw])[pairs]
    missing = []
    for number in np.flatnonzero(is_wide).tolist():
        beside = [
            other
            for other in (number - 1, number + 1)
            if 0 <= other < len(pairs) and abs(pairs[other] - pairs[number]) == 1
        ]
        first, end = np.searchsorted(lines, lines[number] + [0, 1]).tolist()
        usual = max(median(gaps[first:end].tolist()), *gaps[beside].tolist(), 0)
        after = int(pairs[number]) + 1
        # Not all scripts have spaces.
        if gaps[number] > FAR_WIDER * usual and not may_have_other_scripts(
            raw[after - 1 : after + 1]
        ):
            missing.append(after)
    return missing


def _is_of_ghostscript(pdf: pypdfium2.PdfDocument) -> bool:
    """Tell whether it wrote the document, which is asked once for all pages."""
    if pdf not in _are_of_ghostscript:
        _are_of_ghostscript[pdf] = _GHOSTSCRIPT in pdf.get_metadata_value("Producer")
    return _are_of_ghostscript[pdf]
