"""Know the letters of a PDF page that PDFium returns once more.

Programs that draw a letter or a syllable as several shapes, Chromium above all, write its text once
for all of them (ISO 32000-1, 14.9.4). PDFium returns that text for the first of the shapes; and for
a later one again, if another letter begins between the two, as one does below a wide accent.
"""

import ctypes
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.boxes import letter_indices
from indexing.partition.pdf.calls import direct

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
    seen: set[int | None] = set()
    last: int | None = NOTHING
    is_again = False
    for at, text in enumerate(texts_written(textpage, raw)):
        # What PDFium has put there stands between two shapes, never within the text of one.
        if text != last:
            is_again = text in seen and text != NOTHING
            seen.add(text)
        last = text
        is_repeated[at] = is_again and text is not None
    return is_repeated


def texts_written(textpage: pypdfium2.PdfTextPage, raw: str) -> Iterator[int | None]:
    """Yield for each letter PDFium's pointer to the text that is written for its shapes.

    It is `NOTHING` for those that are read by their font, and None for what PDFium has put there.
    """
    texts: dict[int, int] = {}  # what is written for each object
    for index in letter_indices(textpage, raw):
        drawn = _get_object(textpage.raw, index)
        if drawn and drawn not in texts:
            texts[drawn] = text_written_for(drawn)
        yield texts[drawn] if drawn else None


def text_written_for(drawn: int) -> int:
    """Return PDFium's pointer to the text that is written for an object."""
    marks = (_get_mark(drawn, number) for number in range(_count_marks(drawn)))
    named = (mark for mark in marks if _get_type(mark, b"ActualText") == pdfium.FPDF_OBJECT_STRING)
    return next(named, NOTHING)
