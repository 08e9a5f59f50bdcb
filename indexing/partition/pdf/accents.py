"""Put accents onto their letters, in PDFs that draw them by themselves.

So does TeX with its first fonts, in very many papers, and troff: PDFium returns `M¨unchen`, and of
a capital letter, over which the accent stands higher than the line, that accent at the line's end.
Nobody would find these words. Whose an accent is shows in where it stands.
"""

import re
import unicodedata
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.blocks import HYPHENS
from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.joining_letters import NOT_WRITTEN

MAX_LETTERS = 50_000
MAX_ACCENTS = 2000
"""A page with more of either is left as PDFium has it."""

OVERLAP = 0.5  # of the width of the narrower of both; an apostrophe has a place of its own
SPACE = 0.1  # of the height of the letter before it
HIGHER = 0.5  # of the height of the letter, at most

_MARKS = {
    "`": "\u0300",
    "´": "\u0301",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¨": "\u0308",
    "ˇ": "\u030c",
    "˘": "\u0306",
    "¯": "\u0304",
    "˚": "\u030a",
    "˙": "\u0307",
    "¸": "\u0327",
    "˛": "\u0328",
    "˝": "\u030b",
}
_ACCENT = re.compile("[`´ˆ˜¨ˇ˘¯˚˙¸˛˝]")
_PASSED_OVER = (NOT_WRITTEN, " ")
_WITHOUT_DOT = {"ı": "i", "ȷ": "j"}


def with_accents(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> str:
    """Return the text with `NOT_WRITTEN` for each accent that its letter has now.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    if not any(map(text.__contains__, _MARKS)):
        return text
    accents = [match.start() for match in _ACCENT.finditer(text)]
    if not 0 < len(accents) < MAX_ACCENTS or len(raw) > MAX_LETTERS:
        return text
    boxes = letter_places(page, textpage, raw, range(len(raw)))
    letters = np.array([at for at, one in enumerate(text) if _is_letter(one)], np.int_)
    written = list(text)
    for accent, letter in _owners(boxes, accents, letters):
        base = _WITHOUT_DOT.get(written[letter], written[letter])
        whole = unicodedata.normalize("NFC", base + _MARKS[text[accent]])
        if len(whole) == 1:
            written[letter], written[accent] = whole, NOT_WRITTEN
            _close_up(written, boxes, accent)
    return "".join(written)


def _is_letter(one: str) -> bool:
    return one.isalpha() and one not in _MARKS  # Some of these are letters for Unicode.


def _owners(
    boxes: Shares, accents: list[int], letters: npt.NDArray[np.int_]
) -> Iterator[tuple[int, int]]:
    """Yield each accent that stands over or under a letter, and that letter."""
    stand = boxes[letters]
    heights = stand[:, 3] - stand[:, 1]
    for accent in accents:
        left, top, right, bottom = boxes[accent]
        shared = np.minimum(stand[:, 2], right) - np.maximum(stand[:, 0], left)
        width = np.minimum(stand[:, 2] - stand[:, 0], right - left)
        off = np.abs((stand[:, 1] + stand[:, 3]) - (top + bottom)) / 2
        is_near = (shared > OVERLAP * width) & (off < HIGHER * heights)
        if is_near.any():
            yield accent, int(letters[np.where(is_near, off, np.inf).argmin()])


def _close_up(written: list[str], boxes: Shares, accent: int) -> None:
    """Mend what an accent that PDFium put elsewhere has parted: a word, or a hyphenation."""
    before = after = accent
    while before > 0 and written[before] in _PASSED_OVER:
        before -= 1
    while after < len(written) - 1 and written[after] in _PASSED_OVER:
        after += 1
    between = range(before + 1, after)
    gap = boxes[after, 0] - boxes[before, 2]
    if written[before] == "-" and written[after] in "\r\n":
        written[before] = HYPHENS[0]
        written[between.start : between.stop] = " " * len(between)
    elif gap < SPACE * (boxes[before, 3] - boxes[before, 1]):
        written[between.start : between.stop] = NOT_WRITTEN * len(between)
