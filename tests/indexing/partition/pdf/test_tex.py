"""PDFs of TeX's first fonts: each letter is a picture with a number, and has no name."""

from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import raw_text
from tests.files.hostile_pdfs import pdf, stream

NARROW = b"fijlrtI"
WIDE, THIN = 600, 300  # thousandths of the size of the font


@pytest.mark.parametrize(
    ("numbers", "letters"),
    [
        pytest.param(
            b"E\x0ecient o\x0bers, \x0cnal wa\x0fes, work\rows",
            "Eﬃcient oﬀers, ﬁnal waﬄes, workﬂows",
            id="ligatures",
        ),
        pytest.param(
            b'\\the \x0crst" from 1990{2000 | or not',
            "“the ﬁrst” from 1990–2000 — or not",
            id="quotation marks and dashes",
        ),
        pytest.param(
            b"Bj\x1crn in the stra\x19e of \x1aro, \x1bvres, \x1fster",
            "Bjørn in the straße of æro, œvres, Øster",
            id="further letters, and no ligature",
        ),
        pytest.param(
            b"o\x1ece, \x1cnal, wa\x1fes: stra\xffe, \xb3koda, caf\xe9",
            "oﬃce, ﬁnal, waﬄes: straße, şkoda, café",
            id="letters of the languages of Europe",
        ),
    ],
)
def test_letters_are_named(numbers: bytes, letters: str, tmp_path: Path) -> None:
    assert text_of(draw(tmp_path, numbers)) == letters


def test_a_page_is_read_with_its_words_whole(tmp_path: Path) -> None:
    (page,) = open_pdf(draw(tmp_path, b"The \x0cnal o\x0eces, and the work\rows of them all")).pages

    (block,) = page.blocks
    assert block.text == "The final offices, and the workflows of them all"


def test_letters_of_a_formula_keep_their_numbers(tmp_path: Path) -> None:
    path = draw(tmp_path, b"x\x0by \x0c z")

    assert text_of(path) == "x\x0by \x0c z"


def test_signs_of_a_typewriter_are_those_of_the_keyboard(tmp_path: Path) -> None:
    path = draw(tmp_path, b"print {a|b} to \\file \x1a\x1c", narrow=b"")

    assert text_of(path) == "print {a|b} to \\file \x1a\x1c"


def test_fonts_that_have_a_name_are_left_alone(tmp_path: Path) -> None:
    path = draw(tmp_path, b"The o\x0eces {a}", base_font=b"/BaseFont /Ours")

    assert text_of(path) == "The o\x0eces {a}"


def test_ends_of_lines_are_no_letters(tmp_path: Path) -> None:
    path = draw(tmp_path, b"The work\rows of", b"the \x0crst o\x0ece")

    assert text_of(path) == "The workﬂows of\r\nthe ﬁrst oﬃce"


def test_a_word_broken_before_a_ligature_is_whole(tmp_path: Path) -> None:
    path = draw(tmp_path, b"The results are re-", b"\x0cned for di\x0e-", b"cult of-", b"\x0cces")

    (page,) = open_pdf(path).pages

    assert page.blocks[0].text == "The results are refined for difficult offices"


def test_a_text_that_nothing_can_be_read_of_is_told(tmp_path: Path) -> None:
    path = draw(tmp_path, bytes(range(1, 9)) * 8)
    path.write_bytes(path.read_bytes().replace(b"re f", b"re n"))

    (page,) = open_pdf(path).pages

    assert page.blocks == ()
    assert "letters that cannot all be recognised" in page.warning


def text_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return raw_text(document[0].get_textpage())


def draw(folder: Path, *lines: bytes, narrow: bytes = NARROW, base_font: bytes = b"") -> Path:
    """Return a PDF of these lines, in a font of black boxes."""
    codes = range(256)
    names = b" ".join(b"/a%d" % code for code in codes)
    pictures = b" ".join(b"/a%d 6 0 R" % code for code in codes)
    widths = b" ".join(b"%d" % (THIN if code in narrow else WIDE) for code in codes)
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [.001 0 0 .001 0 0] "
        b"/FirstChar 0 /LastChar 255 /Widths [%s] /CharProcs << %s >> "
        b"/Encoding << /Type /Encoding /Differences [0 %s] >> %s >>"
    )
    texts = b" ".join(
        b"BT /F 10 Tf 20 %d Td <%s> Tj ET" % (200 - 12 * number, line.hex().encode())
        for number, line in enumerate(lines)
    )
    path = folder / "tex.pdf"
    path.write_bytes(
        pdf(
            {
                3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R "
                b"/Resources << /Font << /F 5 0 R >> >> >>",
                4: stream(texts),
                5: font % (widths, pictures, names, base_font),
                6: stream(b"500 0 0 0 500 700 d1 0 0 500 700 re f"),
            }
        )
    )
    return path
