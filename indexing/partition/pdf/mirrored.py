"""Know the letters that a PDF draws as in a mirror: each stands in its order, from the right.

Tesseract writes the words of scans so that run from the right, unseen over their pictures. PDFium
turns a figure among them round with the space behind it, and drops one of the two that are then
before it: the next word is at the figure.
"""

import ctypes
import re

import pypdfium2
from pypdfium2 import raw as pdfium

MIN_GAP = 0.5  # of the width of a digit

_FIGURE_AND_LETTER = re.compile(r"(?<!\d)\d++(?=[^\W\d_])")


def dropped_spaces(textpage: pypdfium2.PdfTextPage, text: str) -> list[int]:
    """Return the places in PDFium's text before which it dropped a space behind a figure."""
    figures = [match.span() for match in _FIGURE_AND_LETTER.finditer(text)]
    return [
        end
        for start, end in figures
        if is_mirrored(textpage, end) and _is_apart(textpage, range(start, end))
    ]


def is_mirrored(textpage: pypdfium2.PdfTextPage, letter: int) -> bool:
    """Tell whether the letter at this place of PDFium's text is drawn as in a mirror."""
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(textpage.raw, letter, ctypes.byref(matrix)):
        return False
    return bool(matrix.a * matrix.d < matrix.b * matrix.c)


def _is_apart(textpage: pypdfium2.PdfTextPage, figure: range) -> bool:
    """Tell whether the letter behind the figure stands to the left of it, with a gap."""
    boxes = [textpage.get_charbox(digit, loose=True) for digit in figure]
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    end = textpage.get_charbox(figure.stop, loose=True)[2]
    return bool(left - end > MIN_GAP * (right - left) / len(figure))
