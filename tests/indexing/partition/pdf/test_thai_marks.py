"""PDFs that draw the marks of Thai behind the letters, and where they stand.

The letters c and n stand for cho chang and no nu, i for a vowel over a letter, t for a tone over
both, a for sara am, of which the first half stands over a letter.
"""

from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf.joining_letters import NOT_WRITTEN
from indexing.partition.pdf.letters import page_letters, raw_text
from tests.files.hostile_pdfs import pdf, stream

THAI = str.maketrans("cnita", "\u0e0a\u0e19\u0e34\u0e49\u0e33")
CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 6 beginbfchar <63> <0e0a> "
    b"<6e> <0e19> <69> <0e34> <74> <0e49> <61> <0e33> <20> <0020> endbfchar endcmap"
)
WIDTH = 13.34  # of an n of 24 points; a c has 12


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        pytest.param([(0, "cn"), (2, "i"), (4, "t")], "citn", id="behind the next letter"),
        pytest.param([(0, "cn"), (4, "t"), (2, "i")], "citn", id="the tone before the vowel"),
        pytest.param([(0, "cnn"), (14, "i")], "cnin", id="behind the word"),
        pytest.param([(0, "c"), (2, "i"), (4, "t"), (12, "n")], "citn", id="in order"),
        pytest.param([(0, "cn"), (0, "a"), (26, "n")], "cann", id="sara am"),
        pytest.param([(0, "cn"), (60, "i")], "cn i", id="over no letter"),
    ],
)
def test_a_mark_is_written_behind_its_letter(
    tmp_path: Path, drawn: list[tuple[float, str]], text: str
) -> None:
    path = draw(tmp_path, drawn)

    assert read(path) == text.translate(THAI)


def test_a_word_that_follows_stays_another(tmp_path: Path) -> None:
    path = draw(tmp_path, [(0, "cn"), (2, "i"), (60, "n")])

    assert read(path) == "cin n".translate(THAI)


def test_such_a_word_stands_where_its_letters_do(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, [(0, "cn"), (2, "i"), (60, "n")])) as document:
        page = document[0]
        textpage = page.get_textpage()
        letters = page_letters(page, textpage, raw_text(textpage))
        end = letters.text.index(" ")

        ((left, _, right, _),) = letters.places(page, textpage, [(0, end)]) * 300

    assert (left, right) == pytest.approx((20, 20 + 12 + WIDTH), abs=0.1)


def read(path: Path) -> str:
    """Return the text of the page as we have it, as long as PDFium's."""
    with pypdfium2.PdfDocument(path) as document:
        textpage = document[0].get_textpage()
        raw = raw_text(textpage)
        letters = page_letters(document[0], textpage, raw)
        assert len(letters.text) == len(raw)
        return letters.text.replace(NOT_WRITTEN, "").strip()


def draw(folder: Path, *lines: list[tuple[float, str]], written: str = "", rise: float = 0) -> Path:
    """Return a PDF of these lines of letters, each so far right, the first with such a text.

    What does not begin a line is drawn so much higher.
    """
    drawn = [
        b"BT /F 24 Tf %.2f %.2f Td (%s) Tj ET "
        % (20 + x, 250 - 30 * n + (rise if x else 0), letters.encode())
        for n, line in enumerate(lines)
        for x, letters in line
    ]
    if written:
        text = written.translate(THAI).encode("utf-16-be").hex().encode()
        drawn[0] = b"/Span <</ActualText <feff%s>>> BDC %s EMC " % (text, drawn[0])
    content = b"".join(drawn)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    path = folder / "thai.pdf"
    path.write_bytes(pdf({3: page + resources, 4: stream(content), 5: font, 6: stream(CMAP)}))
    return path


def test_a_mark_stays_with_the_letter_of_which_it_is_one_shape(tmp_path: Path) -> None:
    """A text that is written for both is divided, so that the mark reaches over the next letter."""
    path = draw(tmp_path, [(0, "c"), (6, "n")], written="ci")

    assert read(path) == "cin".translate(THAI)


@pytest.mark.parametrize(
    ("at", "text"),
    [pytest.param(24, "can", id="in a word"), pytest.param(60, "ca n", id="between two words")],
)
def test_the_second_half_of_sara_am_that_is_named_nothing_is_no_gap(
    tmp_path: Path, at: float, text: str
) -> None:
    path = draw(tmp_path, [(0, "c"), (at, "n")], written="ca")

    assert read(path) == text.translate(THAI)


@pytest.mark.parametrize(
    ("rise", "text"),
    [pytest.param(7, "ctn", id="beside"), pytest.param(30, "c\r\ntn", id="above")],
)
def test_a_line_that_pdfium_ends_before_a_mark_goes_on(
    tmp_path: Path, rise: float, text: str
) -> None:
    path = draw(tmp_path, [(0, "c"), (10, "tn")], rise=rise)

    assert read(path) == text.translate(THAI)
