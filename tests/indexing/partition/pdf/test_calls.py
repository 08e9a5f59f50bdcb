"""PDFium's functions called directly."""

import ctypes
from io import BytesIO

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from indexing.partition.pdf.calls import direct


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


def _document(pages: int) -> pypdfium2.PdfDocument:
    pdf = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        pdf.new_page(200, 200)
    file = BytesIO()
    pdf.save(file)
    return pypdfium2.PdfDocument(file.getvalue())
