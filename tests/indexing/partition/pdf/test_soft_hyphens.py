"""PDFs that name their hyphens as soft ones, as MuPDF does.

A `-` stands for such a hyphen, a `_` for a soft one of which nothing is drawn.
"""

from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import raw_text
from indexing.partition.pdf.soft_hyphens import SOFT_HYPHEN, with_hyphens
from tests.files.hostile_pdfs import pdf, stream

CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <79> <0020> "
    b"endbfrange 3 beginbfchar <2d> <00ad> <5f> <00ad> <7a> <d83dde00> endbfchar endcmap"
)


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        pytest.param(b"Loss -12.50 of 2024-25", "Loss -12.50 of 2024-25", id="drawn"),
        pytest.param(b"after_noon", "afternoon", id="not drawn"),
        pytest.param(b"zafter_noon", "\U0001f600afternoon", id="behind a letter of two units"),
    ],
)
def test_a_soft_hyphen_is_one_where_it_is_drawn(tmp_path: Path, drawn: bytes, text: str) -> None:
    (page,) = open_pdf(draw(tmp_path, drawn)).pages

    assert page.blocks[0].text == text


def test_no_letter_moves(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, b"a-b_c-")) as document:
        textpage = document[0].get_textpage()

        assert raw_text(textpage) == with_hyphens(textpage, f"a-b{SOFT_HYPHEN}c-")


def draw(folder: Path, text: bytes) -> Path:
    """Draw the text with a `_` that has no shape and no width."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R"
    encoding = b" /Encoding << /Type /Encoding /Differences [95 /space] >>"
    widths = b" /FirstChar 32 /LastChar 122 /Widths [%s] >>" % (b"500 " * 63 + b"0 " + b"500 " * 27)
    content = stream(b"BT /F 24 Tf 20 200 Td (" + text + b") Tj ET")
    path = folder / "hyphens.pdf"
    path.write_bytes(
        pdf({3: page + resources, 4: content, 5: font + encoding + widths, 6: stream(CMAP)})
    )
    return path
