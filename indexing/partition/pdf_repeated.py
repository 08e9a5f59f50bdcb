"""Know the letters of a PDF page that PDFium returns once more.

Programs that draw a letter or a syllable as several shapes, Chromium above all, write its text once
for all of them (ISO 32000-1, 14.9.4). PDFium returns that text for the first of the shapes; and for
a later one again, if another letter begins between the two, as one does below a wide accent.
"""

import ctypes

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf_boxes import letter_indices
from indexing.partition.pdf_calls import direct

# With plain numbers for pointers.
_get_object = direct("FPDFText_GetTextObject", ctypes.c_void_p)
_count_marks = direct("FPDFPageObj_CountMarks", ctypes.c_int, ctypes.c_void_p)
_get_mark = direct("FPDFPageObj_GetMark", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_get_type = direct(
    "FPDFPageObjMark_GetParamValueType", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
)

NOTHING = 0
"""In place of a pointer."""

Letters = npt.NDArray[np.bool_]
"""Of each letter of a page, whether something is so."""


def repeated(textpage: pypdfium2.PdfTextPage, raw: str) -> Letters:
    """Tell which letters were returned before; `raw` is the text of the page as PDFium has it."""
    is_repeated = np.zeros(len(raw), np.bool_)
    texts: dict[int, int] = {}  # what is written for each object
    seen: set[int] = set()
    last, is_again = NOTHING, False
    for at, index in enumerate(letter_indices(textpage, raw)):
        drawn = _get_object(textpage.raw, index)
        if not drawn:
            continue  # PDFium itself has put it there.
        if drawn not in texts:
            texts[drawn] = _text_of(drawn)
        text = texts[drawn]
        if text != last:
            last, is_again = text, text in seen
            seen.add(text)
        is_repeated[at] = is_again and text != NOTHING
    return is_repeated


def _text_of(drawn: int) -> int:
    """Return PDFium's pointer to the text that is written for an object."""
    marks = (_get_mark(drawn, number) for number in range(_count_marks(drawn)))
    named = (mark for mark in marks if _get_type(mark, b"ActualText") == pdfium.FPDF_OBJECT_STRING)
    return next(named, NOTHING)
