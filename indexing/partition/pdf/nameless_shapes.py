"""Leave out the shapes of joined letters that a PDF names nothing, for others have their text.

Fonts draw many a syllable of India or Thailand as several shapes. WeasyPrint, fpdf2 and others
write its text for one of them, and for the others nothing. PDFium returns the number that such a
shape has in the font, as if it were a letter, a space or the end of a line.

The vowel am of Thai and Lao is a mark and what looks like an aa. Where that has the name of an aa,
the mark has none, and tells what the vowel is.
"""

import itertools
import re
from collections.abc import Iterator

import numpy as np
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.pdf.boxes import letter_indices
from indexing.partition.pdf.repeated import Letters
from indexing.partition.pdf.unnamed import JOINING, are_unnamed

MOST_KNOWN = 20
"""So many letters of these scripts are asked whether their font names them."""

BESIDE = 0.2  # of the height of an aa, between it and the mark before
SAME_LINE = 0.6  # the same, between their middles

_LETTER = re.compile(f"[{JOINING}]")
_BEHIND = re.compile(f"(?<=[{JOINING}])[^{JOINING}]{{1,3}}")
_BEFORE = re.compile(f"[^{JOINING}]{{1,3}}(?=[{JOINING}])")
_ALONE = re.compile(r"(?<!\S)\S{1,2}(?!\S)")
"""Marks, which some programs draw behind the text of their line."""

_AMS = {"\u0e32": "\u0e33", "\u0eb2": "\u0eb3"}  # by the aa that they look like


def nameless_shapes(textpage: pypdfium2.PdfTextPage, raw: str) -> Letters:
    """Tell which letters are shapes without a name in words whose letters have names."""
    is_nameless = np.zeros(len(raw), np.bool_)
    known = [match.start() for match in itertools.islice(_LETTER.finditer(raw), MOST_KNOWN)]
    if not known:
        return is_nameless
    indices = letter_indices(textpage, raw)
    # Some programs number all letters as Unicode does, which PDFium does not take for names.
    if any(are_unnamed(textpage, [indices[at] for at in known])):
        return is_nameless
    for run in _runs(raw):
        for at in run:
            if not are_unnamed(textpage, [indices[at]])[0]:
                break
            is_nameless[at] = True
    return is_nameless


def _runs(raw: str) -> Iterator[range]:
    """Yield what may be shapes, one behind the other away from a letter."""
    for match in itertools.chain(_BEHIND.finditer(raw), _ALONE.finditer(raw)):
        yield range(*match.span())
    for match in _BEFORE.finditer(raw):
        yield range(match.end() - 1, match.start() - 1, -1)


def vowels_with_mark(raw: str, boxes: Shares, is_nameless: Letters) -> Iterator[tuple[int, str]]:
    """Yield where the vowels stand that begin with a mark which is a shape without a name."""
    vowels = [at for at, letter in enumerate(raw) if letter in _AMS] if is_nameless.any() else []
    lefts, tops, _, bottoms = boxes[vowels].T
    heights = bottoms - tops
    for mark in np.flatnonzero(is_nameless if vowels else []).tolist():
        _, top, right, bottom = boxes[mark]
        is_beside = np.abs(lefts - right) < BESIDE * heights
        is_on_line = np.abs(tops + bottoms - top - bottom) / 2 < SAME_LINE * heights
        (found,) = np.nonzero(is_beside & is_on_line)
        for number in found.tolist():
            at = vowels[number]
            yield at, _AMS[raw[at]]
