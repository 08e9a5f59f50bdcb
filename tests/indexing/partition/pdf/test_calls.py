"""PDFium's functions called directly."""

import ctypes
from io import BytesIO

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from indexing.partition.pdf.calls import AT_ONCE, Answers, direct, ready_made


def test_direct_call_says_what_the_call_by_the_library_says() -> None:
    with _document(3) as pdf:
        count = direct("FPDF_GetPageCount", ctypes.c_int)

        assert count(pdf.raw) == pdfium.FPDF_GetPageCount(pdf) == 3


def test_plain_number_is_a_pointer_where_the_types_of_arguments_say_so() -> None:
    with _document(1) as pdf:
        address = ctypes.cast(pdf.raw, ctypes.c_void_p).value
        count = direct("FPDF_GetPageCount", ctypes.c_int, ctypes.c_void_p)

        assert count(address) == 1


def test_function_that_pdfium_does_not_have_is_an_error_at_once() -> None:
    with pytest.raises(AttributeError):
        direct("FPDF_GetNothing", ctypes.c_int)


def test_of_many_things_each_has_its_answer_in_their_order() -> None:
    with _document(1) as pdf:
        page = pdf[0]
        squares = [pdfium.FPDFPageObj_CreateNewRect(n, 0, 5, 5) for n in range(AT_ONCE + 3)]
        for square in squares:
            pdfium.FPDFPage_InsertObject(page, square)
        bounds = direct("FPDFPageObj_GetBounds", None)

        sides = Answers(np.float32, 4).of(bounds, [ready_made(square) for square in squares])

        assert sides[:, 0].tolist() == [float(n) for n in range(AT_ONCE + 3)]
        assert sides[-1].tolist() == [AT_ONCE + 2, 0, AT_ONCE + 7, 5]


def test_of_what_nothing_is_said_the_answer_is_unknown() -> None:
    with _document(1) as pdf:
        page, box = pdf[0], direct("FPDFText_GetLooseCharBox", None)
        answers = Answers(np.float32, 4, unknown=np.nan, is_one_target=True)

        assert np.isnan(answers.of(box, [7], ready_made(page.get_textpage().raw))).all()


def _document(pages: int) -> pypdfium2.PdfDocument:
    pdf = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        pdf.new_page(200, 200)
    file = BytesIO()
    pdf.save(file)
    return pypdfium2.PdfDocument(file.getvalue())
