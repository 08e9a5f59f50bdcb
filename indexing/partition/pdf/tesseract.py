"""Know the text that Tesseract has put into a PDF.

It makes each word, with the space behind it, as wide as the word alone is in the picture: the space
is no gap, but the end of the word.
"""

import ctypes

import pypdfium2
from pypdfium2 import raw as pdfium

FONT = b"GlyphLessFont\x00"


def is_of_tesseract(textpage: pypdfium2.PdfTextPage, letter: int) -> bool:
    """Tell whether the letter at this place of PDFium's text is in Tesseract's font."""
    name = ctypes.create_string_buffer(len(FONT))
    pdfium.FPDFText_GetFontInfo(textpage, letter, name, len(FONT), None)
    return name.raw == FONT
