from pathlib import Path

import pypdfium2

from indexing.partition.pdf_letters import page_letters
from tests.files.hostile_pdfs import pdf, stream

CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar "
    b"<41> <0627> <42> <06440625> <43> <064A> <44> <0644> endbfchar endcmap"
)


def test_a_lam_alef_that_is_one_shape_is_read_as_lam_and_alef(tmp_path: Path) -> None:
    assert _read(tmp_path, b"(CBA)") == "الإي"


def test_an_alef_and_a_lam_beside_each_other_stay(tmp_path: Path) -> None:
    assert _read(tmp_path, b"(CDA)") == "الي"


def _read(folder: Path, shapes: bytes) -> str:
    """Return the text of a page on which the shapes stand from the left to the right."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    words = stream(b"BT /F 12 Tf 20 200 Td " + shapes + b" Tj ET")
    path = folder / "lease.pdf"
    path.write_bytes(pdf({3: page + resources, 4: words, 5: font, 6: stream(CMAP)}))
    with pypdfium2.PdfDocument(path) as document:
        return page_letters(document[0], document[0].get_textpage())
