from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.blocks import page_text
from indexing.partition.pdf.letter_spacing import with_words


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("A N N U A L   R E P O R T", "ANNUAL REPORT", id="wide gap"),
        pytest.param("A N N U A L  R E P O R T", "ANNUAL REPORT", id="two spaces"),
        pytest.param("T H E   Y E A R   2 0 2 3", "THE YEAR 2023", id="with a number"),
        pytest.param("1. C O N T E N T S", "1. CONTENTS", id="numbered"),
        pytest.param("Ü B E R S I C H T", "ÜBERSICHT", id="with an accent"),
        pytest.param("a great w a r n i n g it was", "a great warning it was", id="in a line"),
    ],
)
def test_words_whose_letters_stand_apart_are_put_together(
    tmp_path: Path, written: str, read: str
) -> None:
    assert _read(tmp_path / "apart.pdf", written) == read


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("A B C D E F G H I J K L", id="alphabet"),
        pytest.param("Answers A B A C D A E B", id="answers"),
        pytest.param("M T W T F S S", id="days"),
        pytest.param("J F M A M J J A S O N D", id="months"),
        pytest.param("Y N Y Y N Y N", id="yes or no"),
        pytest.param("a e i o u y", id="vowels"),
        pytest.param("p V n R T", id="quantities"),
        pytest.param("U S A", id="few letters"),
        pytest.param("x y z = u v w", id="formula"),
        pytest.param("1 9 7 3 4 2", id="figures"),
        pytest.param("T H E L A S T O N E A L L O W E D", id="where words end is not seen"),
    ],
)
def test_a_row_of_letters_stays_one(tmp_path: Path, written: str) -> None:
    assert _read(tmp_path / "row.pdf", written) == written


@pytest.mark.parametrize(
    ("gap", "read"),
    [pytest.param(5, "PRICE", id="one word"), pytest.param(30, "P R I C E", id="columns")],
)
def test_letters_far_from_each_other_are_no_word(tmp_path: Path, gap: int, read: str) -> None:
    assert _read_apart(tmp_path / "columns.pdf", "PRICE", gap) == read


@pytest.mark.parametrize(
    ("letters", "read"),
    [
        pytest.param("SPACED HEADLINE", "SPACED HEADLINE", id="words"),
        pytest.param("N JFMAMJ", "N J F M A M J", id="months"),
    ],
)
def test_wider_gaps_part_words_whose_letters_are_far_from_each_other(
    tmp_path: Path, letters: str, read: str
) -> None:
    assert _read_apart(tmp_path / "far.pdf", letters, gap=16) == read


def test_letters_in_columns_are_no_words(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "columns.pdf"))
    for column, letter in enumerate("LIMIT WIDE"):
        canvas.drawString(50 + 20 * column, 700, letter)
    canvas.save()

    assert _text(tmp_path / "columns.pdf") == "L I M I T W I D E"


def _read_apart(path: Path, letters: str, gap: float) -> str:
    """Read letters with such a gap behind each of them, and with one more for a space."""
    canvas = Canvas(str(path))
    x = 50.0
    for letter in letters:
        canvas.drawString(x, 700, letter.strip())
        x += canvas.stringWidth(letter) + gap
    canvas.save()
    return _text(path)


def _read(path: Path, line: str) -> str:
    canvas = Canvas(str(path))
    canvas.drawString(50, 700, line)
    canvas.save()
    return _text(path)


def _text(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[0]
        textpage = page.get_textpage()
        raw = textpage.get_text_range()
        return page_text(with_words(page, textpage, raw, raw))
