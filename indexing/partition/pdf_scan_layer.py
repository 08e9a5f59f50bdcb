"""Know the text that Tesseract lays unseen over a scan.

All its letters are of one width, which it stretches until a word with the space behind it is as
long as the word in the picture: the space is no gap, but the end of the word.
"""

import ctypes

import pypdfium2
from pypdfium2 import raw as pdfium

_FONT = b"GlyphLessFont"


def is_by_tesseract(textpage: pypdfium2.PdfTextPage, letter: int) -> bool:
    """Tell whether the letter at this place of PDFium's text is one of Tesseract's."""
    name = ctypes.create_string_buffer(len(_FONT) + 1)
    flags = ctypes.c_int()
    length = pdfium.FPDFText_GetFontInfo(textpage.raw, letter, name, len(name), flags)
    return bool(length == len(name) and name.value == _FONT)
