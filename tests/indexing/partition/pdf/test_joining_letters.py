"""PDFs as Chromium writes them: letters that join are one text, of several shapes.

The letters k, m and a stand for a Devanagari ka, ma and the vowel sign aa, h for a Hebrew alef.
"""

from pathlib import Path

import pypdfium2

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.joining_letters import NOT_WRITTEN, as_written
from indexing.partition.pdf.letters import raw_text
from tests.files.hostile_pdfs import pdf, stream

DEVANAGARI = str.maketrans("kma", "\u0915\u092e\u093e")
CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 5 beginbfchar "
    b"<68> <05d0> <6b> <0915> <6d> <092e> <61> <093e> <20> <0020> endbfchar endcmap"
)


def test_a_shape_of_several_letters_does_not_end_its_word(tmp_path: Path) -> None:
    path = draw(tmp_path, "ka", "m", " ", "m", "ka")

    raw, text = texts(path)

    assert raw == "ka m mka".translate(DEVANAGARI)  # what PDFium sees
    assert text == f"ka{NOT_WRITTEN}m mka".translate(DEVANAGARI)


def test_a_page_is_read_without_such_spaces(tmp_path: Path) -> None:
    path = draw(tmp_path, *["ka", "m", " ", "m", "ka", " "] * 2, "k")

    (page,) = open_pdf(path).pages

    (block,) = page.blocks
    assert block.text == "kam mka kam mka k".translate(DEVANAGARI)


def test_a_shape_that_is_named_once_more_is_read_once(tmp_path: Path) -> None:
    path = draw(tmp_path, "=ka", "^ka", "m", " ", "m", "=ka", "^ka", "k")

    raw, text = texts(path)

    assert raw.replace(" ", "") == "kakammkakak".translate(DEVANAGARI)  # what PDFium sees
    assert text.replace(NOT_WRITTEN, "") == "kam mkak".translate(DEVANAGARI)


def test_a_hebrew_word_on_the_page_changes_nothing_of_that(tmp_path: Path) -> None:
    path = draw(tmp_path, "ka", "m", " ", "m", "ka", "/", "hhhh")

    (page,) = open_pdf(path).pages

    (block,) = page.blocks
    assert block.text.split() == [*"kam mka".translate(DEVANAGARI).split(), "\u05d0" * 4]


def test_a_cell_behind_such_a_shape_is_parted_from_it(tmp_path: Path) -> None:
    raw, text = texts(draw(tmp_path, "m", " ", "m", "ka", ">", "m"))

    assert text == raw == "m mka m".translate(DEVANAGARI)


def test_the_same_letters_in_the_next_line_are_read_again(tmp_path: Path) -> None:
    raw, text = texts(draw(tmp_path, "=ka", "/", "=ka"))

    assert text == raw
    assert "".join(text.split()) == "kaka".translate(DEVANAGARI)


def test_the_same_letters_beside_each_other_are_read_twice(tmp_path: Path) -> None:
    raw, text = texts(draw(tmp_path, "kkkk", "k", "k"))

    assert text == raw == "kkkkkk".translate(DEVANAGARI)


def test_a_space_that_is_seen_behind_a_sign_below_its_letter_is_none(tmp_path: Path) -> None:
    raw, text = texts(draw(tmp_path, "k", "_a", "mk k"))

    assert raw == "ka mk k".translate(DEVANAGARI)  # what PDFium sees
    assert text == f"ka{NOT_WRITTEN}mk k".translate(DEVANAGARI)


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
        return raw, as_written(document[0], textpage, raw)


def draw(folder: Path, *parts: str) -> Path:
    """Return a PDF of these parts beside each other; one that ends with an `a` is one shape.

    With `=` before it, it is drawn as one; with `^`, it is named once more by a mark over it.
    With `_`, it is a sign below. Behind a `/` a new line begins, behind a `>` a new cell.
    """
    x, y, content = 20.0, 200.0, b""
    for part in parts:
        if part == "/":
            x, y = 20.0, y - 30
        elif part == ">":
            x += 30
        elif part.startswith("_"):
            content += shown(x - 11, y - 6, part[1:], size=4)
        elif part.startswith("^"):
            content += named(part[1:], shown(x - 11, y + 6, "a", size=10))
        elif part.startswith("="):
            content += named(part[1:], shown(x, y, "k"))
            x += 12
        elif part.endswith("a"):
            # The sign has a place of its own, but PDFium takes the shape before it for the whole.
            content += named(part, shown(x, y, part[:-1]) + shown(x + 12, y, "a"))
            x += 12 + 13.34
        else:
            content += shown(x, y, part)
            x += 12 * len(part)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    path = folder / "joined.pdf"
    path.write_bytes(pdf({3: page + resources, 4: stream(content), 5: font, 6: stream(CMAP)}))
    return path


def shown(x: float, y: float, text: str, size: int = 24) -> bytes:
    return b"BT /F %d Tf %f %f Td (%s) Tj ET " % (size, x, y, text.encode())


def named(letters: str, shapes: bytes) -> bytes:
    name = b"FEFF" + letters.translate(DEVANAGARI).encode("utf-16-be").hex().encode()
    return b"/Span << /ActualText <%s> >> BDC %s EMC " % (name, shapes)
