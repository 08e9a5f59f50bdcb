"""Know the places of words that Tesseract has put into a PDF.

It makes each word, with the space behind it, as wide as the word alone is in the picture. So the
letters stand too close, and behind a short word seems to be a gap as between two columns.
"""

from collections.abc import Sequence

import numpy as np
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.pdf_boxes import Span
from indexing.partition.pdf_letters import PageLetters
from indexing.partition.pdf_tesseract import is_of_tesseract

SAME = 0.02
"""So much the letters of a word, and the space behind it, differ in their widths."""


def word_places(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    letters: PageLetters,
    words: Sequence[Span],
) -> Shares:
    """Return where each of these words stands, also off the page."""
    alone = letters.places(page, textpage, words)
    if not words or not is_of_tesseract(textpage, words[0][0]):
        return alone
    with_space = letters.places(
        page, textpage, [(start, min(end + 1, len(letters.text))) for start, end in words]
    )
    count = np.array([end - start for start, end in words])
    widths, wide = alone[:, 2] - alone[:, 0], with_space[:, 2] - with_space[:, 0]
    is_squeezed = np.abs(wide * count - widths * (count + 1)) < SAME * widths * count
    return np.where(is_squeezed[:, np.newaxis], with_space, alone)
