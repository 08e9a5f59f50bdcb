"""Know the letters that a PDF draws as in a mirror: each stands in its order, from the right.

Tesseract writes the words of scans so that run from the right, unseen over their pictures.
"""

import ctypes

import pypdfium2
from pypdfium2 import raw as pdfium


def is_mirrored(textpage: pypdfium2.PdfTextPage, letter: int) -> bool:
    """Tell whether the letter at this place of PDFium's text is drawn as in a mirror."""
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(textpage.raw, letter, ctypes.byref(matrix)):
        return False
    return bool(matrix.a * matrix.d < matrix.b * matrix.c)
