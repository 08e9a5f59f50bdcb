"""Spaces within words, in PDFs as Chromium writes them: what joins is one text, of several shapes.

The letters k, m and a stand for a Devanagari ka, ma and the vowel sign aa.
"""

from pathlib import Path

import pypdfium2

from indexing.partition.pdf import open_pdf
from indexing.partition.pdf_letters import raw_text
from indexing.partition.pdf_spaces import NOT_SEEN, without_false_spaces
from tests.files.hostile_pdfs import pdf, stream

DEVANAGARI = str.maketrans("kma", "\u0915\u092e\u093e")
CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar "
    b"<6b> <0915> <6d> <092e> <61> <093e> <20> <0020> endbfchar endcmap"
)


def test_a_shape_of_several_letters_does_not_end_its_word(tmp_path: Path) -> None:
    path = draw(tmp_path, "ka", "m", " ", "m", "ka")

    raw, text = texts(path)

    assert raw == "ka m mka".translate(DEVANAGARI)  # what PDFium sees
    assert text == f"ka{NOT_SEEN}m mka".translate(DEVANAGARI)


def test_a_page_is_read_without_such_spaces(tmp_path: Path) -> None:
    path = draw(tmp_path, *["ka", "m", " ", "m", "ka", " "] * 2, "k")

    (page,) = open_pdf(path).pages

    (block,) = page.blocks
    assert block.text == "kam mka kam mka k".translate(DEVANAGARI)


def test_where_spaces_are_letters_among_others_nothing_is_left_out(tmp_path: Path) -> None:
    raw, text = texts(draw(tmp_path, "ka", "m", " ", "m k m k m"))

    assert text == raw == "ka m m k m k m".translate(DEVANAGARI)


def test_where_no_space_is_drawn_nothing_is_left_out(tmp_path: Path) -> None:
    raw, text = texts(draw(tmp_path, "ka", "m"))

    assert text == raw == "ka m".translate(DEVANAGARI)


def texts(path: Path) -> tuple[str, str]:
    """Return the text of the page as PDFium has it, and as we do."""
    with pypdfium2.PdfDocument(path) as document:
        textpage = document[0].get_textpage()
        raw = raw_text(textpage)
        return raw, without_false_spaces(document[0], textpage, raw)


def draw(folder: Path, *parts: str) -> Path:
    """Return a PDF of these parts beside each other; one that ends with an `a` is one shape."""
    x, content = 20.0, b""
    for part in parts:
        if not part.endswith("a"):
            content += shown(x, part)
            x += 12 * len(part)
            continue
        # The sign has a place of its own, but PDFium takes the shape before it for the whole.
        meant = b"FEFF" + part.translate(DEVANAGARI).encode("utf-16-be").hex().encode()
        shapes = shown(x, part[:-1]) + shown(x + 12, "a")
        content += b"/Span << /ActualText <%s> >> BDC %s EMC " % (meant, shapes)
        x += 12 + 13.34
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    path = folder / "joined.pdf"
    path.write_bytes(pdf({3: page + resources, 4: stream(content), 5: font, 6: stream(CMAP)}))
    return path


def shown(x: float, text: str) -> bytes:
    return b"BT /F 24 Tf %f 200 Td (%s) Tj ET " % (x, text.encode())
