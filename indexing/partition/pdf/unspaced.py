"""Put together what Tesseract parts in scripts that put no spaces between words.

Behind each letter of Thai, and each word or letter of Japanese and Chinese, it writes a space. No
search would find more than the letters.
"""

import re

import numpy as np
import pypdfium2

from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.joining_letters import NOT_WRITTEN
from indexing.partition.pdf.tesseract import is_of_tesseract

MAX_LETTERS = 50_000
"""A page with more is left as PDFium has it."""

NEAR = 0.3  # of the height of the line; Thai has wider spaces between its sentences
NEAR_OF_SQUARE = 1.0  # the same; the letters of Japanese and Chinese stand in squares

_THAI = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # and Lao, Burmese, Khmer
_SQUARE = "\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"  # signs, kana, Han, wide forms
_MAY_BE = re.compile(f"[{_THAI}{_SQUARE}]")  # found, or not, in a seventh of the time
_BETWEEN = re.compile(f"(?<=[{_THAI}]) (?=[{_THAI}])|(?<=[{_SQUARE}])( )(?=[{_SQUARE}])")


def without_spaces(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> str:
    """Return the text with `NOT_WRITTEN` for each space between letters that stand together.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    if len(raw) > MAX_LETTERS or not _MAY_BE.search(text):
        return text
    found = {match.start(): match.lastindex is not None for match in _BETWEEN.finditer(text)}
    spaces = list(found)
    if not spaces or not is_of_tesseract(textpage, spaces[0]):
        return text
    # The space ends where the letter before it does in the picture.
    behind = letter_places(page, textpage, raw, spaces)
    after = letter_places(page, textpage, raw, [at + 1 for at in spaces])
    width, height = page.get_size()
    gaps = (after[:, 0] - behind[:, 2]) * width
    nearest = np.where(list(found.values()), NEAR_OF_SQUARE, NEAR)
    is_near = gaps < nearest * (behind[:, 3] - behind[:, 1]) * height
    written = list(text)
    for at in (space for space, near in zip(spaces, is_near.tolist(), strict=True) if near):
        written[at] = NOT_WRITTEN
    return "".join(written)
