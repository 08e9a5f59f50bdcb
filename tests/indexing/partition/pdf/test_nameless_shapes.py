"""PDFs of Devanagari and Thai in which shapes that joined letters are drawn with have no names.

The letters k, m and i stand for a Devanagari ka, ma and the vowel sign i, c and a for a Thai cho
and aa, t for a Latin t. All else has no name in the font.
"""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from indexing.partition.pdf.document import open_text_layer
from indexing.partition.pdf.letters import raw_text
from indexing.partition.pdf.nameless_shapes import nameless_shapes
from tests.files.hostile_pdfs import pdf, stream

LETTERS = str.maketrans("kmica", "\u0915\u092e\u093f\u0e0a\u0e32")
CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 7 beginbfchar <63> <0e0a> "
    b"<61> <0e32> <6b> <0915> <6d> <092e> <69> <093f> <74> <0074> <20> <0020> endbfchar endcmap"
)


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        pytest.param("km;ki mm", "kmki mm", id="within a word"),
        pytest.param("km\r;i mm", "kmi mm", id="the end of a line"),
        pytest.param("km\x03i mm", "kmi mm", id="a sign that is not printed"),
        pytest.param("km t;t mm", "km t;t mm", id="in other words"),
        pytest.param("k;m;k;m;k;m", "kmkmkm", id="many of them"),
    ],
)
def test_shapes_without_a_name_are_left_out(tmp_path: Path, drawn: str, text: str) -> None:
    (page,) = open_text_layer(draw(tmp_path, drawn)).pages

    assert [block.text for block in page.blocks] == [text.translate(LETTERS)]


def test_a_mark_without_a_name_tells_an_am_from_an_aa(tmp_path: Path) -> None:
    (page,) = open_text_layer(draw(tmp_path, "ca c;a")).pages

    assert [block.text for block in page.blocks] == ["\u0e0a\u0e32 \u0e0a\u0e33"]


def test_a_page_without_such_letters_is_not_looked_at(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, "t;t")) as document:
        textpage = document[0].get_textpage()

        assert not np.any(nameless_shapes(textpage, raw_text(textpage)))


def draw(folder: Path, text: str) -> Path:
    """Return a PDF of a line of text, each letter of which is a square."""
    content = b"BT /F 20 Tf 40 200 Td <%b> Tj ET" % text.encode("latin-1").hex().encode()
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 450 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    codes = sorted(set(text.encode("latin-1")))
    shapes = b" ".join(b"/g%d %d 0 R" % (code, 6 if code == ord(" ") else 7) for code in codes)
    shapes_at = b" ".join(b"%d /g%d" % (code, code) for code in codes)
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 10 10] /FontMatrix [.1 0 0 .1 0 0]"
        b" /FirstChar 0 /LastChar 127 /Widths [%b] /Resources << >> /CharProcs << %b >>"
        b" /Encoding << /Differences [%b] >> /ToUnicode 8 0 R >>" % (b"6 " * 128, shapes, shapes_at)
    )
    path = folder / "shapes.pdf"
    blank, square = stream(b"6 0 d0"), stream(b"6 0 d0 0 0 5 8 re f")
    objects = {3: page + resources, 4: stream(content), 5: font, 6: blank, 7: square}
    path.write_bytes(pdf({**objects, 8: stream(CMAP)}))
    return path
