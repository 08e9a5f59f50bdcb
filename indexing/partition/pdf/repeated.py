"""Know the letters of a PDF page that PDFium returns once more.

Programs that draw a letter or a syllable as several shapes, Chromium above all, write its text once
for all of them (ISO 32000-1, 14.9.4). PDFium returns that text for the first of the shapes; and for
a later one again, if another letter begins between the two, as one does below a wide accent. A
letter comes again when it has come as often as its text has it.
"""

import codecs
import ctypes
from collections import Counter
from collections.abc import Iterator
from unicodedata import normalize

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
_get_text = direct(
    "FPDFPageObjMark_GetParamBlobValue",
    ctypes.c_int,
    *(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p),
)
_get_type = direct(
    "FPDFPageObjMark_GetParamValueType", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
)

WRITTEN = b"ActualText"
MOST_BYTES = 1000
"""Of a longer text, as one that stands for a whole drawing, nothing is compared."""

NOTHING = 0
"""In place of a pointer."""

Letters = npt.NDArray[np.bool_]
"""Of each letter of a page, whether something is so."""


def repeated(textpage: pypdfium2.PdfTextPage, raw: str) -> Letters:
    """Tell which letters were returned before; `raw` is the text of the page as PDFium has it."""
    is_repeated = np.zeros(len(raw), np.bool_)
    returned: Counter[tuple[int, str]] = Counter()
    for at, (text, letter) in enumerate(zip(texts_written(textpage, raw), raw, strict=False)):
        if not text:
            continue
        # The marks of letters from the right come apart from these, at the end of their run.
        returned[text, letter] += 1
        times = returned[text, letter]
        if times > 1 and (letters := _letters_of(text)) is not None:
            is_repeated[at] = times > letters.count(normalize("NFKD", letter))
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
    named = (mark for mark in marks if _get_type(mark, WRITTEN) == pdfium.FPDF_OBJECT_STRING)
    return next(named, NOTHING)


def _letters_of(text: int) -> str | None:
    """Return the text that is written, by PDFium's pointer to it; None for a long one."""
    room = ctypes.create_string_buffer(MOST_BYTES)
    length = ctypes.c_ulong()
    _get_text(text, WRITTEN, room, MOST_BYTES, ctypes.byref(length))
    if length.value > MOST_BYTES:
        return None
    written = room.raw[: length.value]
    is_wide = written.startswith(codecs.BOM_UTF16_BE)
    # PDFium returns each letter of a joined one, as of `ffi`.
    return normalize("NFKD", written.decode("utf-16" if is_wide else "latin-1", "ignore"))
