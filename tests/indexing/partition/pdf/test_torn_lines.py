"""Pages that PDFium takes as written from top to bottom, made with reportlab."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.pictures import drawn_objects
from indexing.partition.pdf.torn_lines import are_torn, is_read_downwards, widened_page
from indexing.types import BlockKind

ROWS = [("Sign", "Place", "Part"), *((f"A{n}", "Kinsale", "Brass gauge") for n in range(151, 196))]


def test_words_of_narrow_columns_are_whole(tmp_path: Path) -> None:
    _write_list(tmp_path / "list.pdf")

    (page,) = open_pdf(tmp_path / "list.pdf").pages

    assert [(block.kind, block.header, block.text) for block in page.blocks] == [
        (BlockKind.TABLE, "Sign | Place | Part", "\n".join(" | ".join(row) for row in ROWS[1:]))
    ]
    assert page.blocks[0].line_boxes[0] == pytest.approx((0.1, 0.06, 0.59, 0.08), abs=0.01)


def test_rows_that_begin_with_one_figure_are_a_table(tmp_path: Path) -> None:
    rows = [
        ("Pos", "Description", "Qty", "Total"),
        *((str(n), "Chair", "3", "12.50") for n in "123"),
    ]
    _write(tmp_path / "table.pdf", {(60, 200, 330, 420): rows})

    (page,) = open_pdf(tmp_path / "table.pdf").pages

    assert [(block.kind, block.header, block.text.split("\n")) for block in page.blocks] == [
        (
            BlockKind.TABLE,
            "Pos | Description | Qty | Total",
            [f"{n} | Chair | 3 | 12.50" for n in "123"],
        )
    ]


def test_letters_of_another_font_stay_in_their_word(tmp_path: Path) -> None:
    ligature = 60 + stringWidth("Operating pro", "Helvetica", 12)
    behind = ligature + stringWidth("fi", "Helvetica", 12)
    rows = {(60, ligature, behind): [("Operating pro", "fi", "t")], (60, 420): [("Sum", "12")] * 9}
    _write(tmp_path / "words.pdf", rows)

    (page,) = open_pdf(tmp_path / "words.pdf").pages

    assert page.blocks[0].text.startswith("Operating profit\nSum 12\nSum 12\n")


@pytest.mark.parametrize(
    ("rotation", "words", "is_downwards"),
    [
        pytest.param(0, ["Sign", "Place"], True, id="a narrow column"),
        pytest.param(
            0, ["Sign", "A line that is as wide as the page, or nearly so"], False, id="wide"
        ),
        pytest.param(90, ["Sign", "Place"], False, id="turned"),
        pytest.param(0, [], False, id="empty"),
    ],
)
def test_a_page_is_read_downwards_where_more_of_its_height_has_text(
    tmp_path: Path, rotation: int, words: list[str], is_downwards: bool
) -> None:
    canvas = Canvas(str(tmp_path / "page.pdf"), pagesize=(300, 300))
    canvas.setPageRotation(rotation)
    for number, word in enumerate(words * 10):
        canvas.drawString(20 + 200 * (word == "Place"), 280 - 10 * number, word)
    canvas.showPage()
    canvas.save()
    lines = np.array([[20.0, 10.0, 260.0, 22.0]])

    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as pdf:
        page = pdf[0]

        assert is_read_downwards(page, lambda: drawn_objects(page), lines) is is_downwards


def test_the_page_is_left_as_it_was(tmp_path: Path) -> None:
    _write_list(tmp_path / "list.pdf")
    with pypdfium2.PdfDocument(tmp_path / "list.pdf") as pdf:
        page = pdf[0]
        count = pypdfium2.raw.FPDFPage_CountObjects(page)
        torn = page.get_textpage().get_text_range()

        with widened_page(page) as textpage:
            whole = textpage.get_text_range()

        assert torn.startswith("Sig\r\nn\r\nPla\r\nc\r\ne")
        assert whole.startswith("Sign Place Part\r\nA151 Kinsale Brass gauge\r\n")
        assert pypdfium2.raw.FPDFPage_CountObjects(page) == count
        assert page.get_textpage().get_text_range() == torn


@pytest.mark.parametrize(
    ("lefts", "tops", "is_torn"),
    [
        pytest.param([0, 10, 20, 30, 40], [0, 0, 0, 0, 0], True, id="letters of a word"),
        pytest.param([0, 0, 0, 0, 0], [0, 14, 28, 42, 56], False, id="below each other"),
        pytest.param([0, 60, 120, 180, 240], [0, 0, 0, 0, 0], True, id="cells of a row"),
        pytest.param([240, 180, 120, 60, 0], [0, 0, 0, 0, 0], False, id="from right to left"),
        pytest.param([0, 10, 0, 0, 0], [0, 0, 14, 28, 42], True, id="one word"),
        pytest.param([0, 10, 0, 0, 0], [0, -5, 14, 28, 42], False, id="a raised mark"),
        pytest.param([0, np.nan, 20, np.nan, 40], [0, 0, 0, 0, 0], False, id="places not known"),
    ],
)
def test_lines_beside_each_other_are_torn(
    lefts: list[float], tops: list[float], is_torn: bool
) -> None:
    lines = [[left, top, left + 10, top + 12] for left, top in zip(lefts, tops, strict=True)]

    assert are_torn(np.array(lines)) is is_torn


def test_one_line_is_whole() -> None:
    assert not are_torn(np.array([[0.0, 0.0, 10.0, 12.0]]))


def _write_list(path: Path) -> None:
    """Write a page of which each letter is an object, as browsers do."""
    canvas = Canvas(str(path), pagesize=A4)
    for number, row in enumerate(ROWS):
        for x, cell in zip((60, 200, 330), row, strict=True):
            for letter in cell:
                canvas.drawString(x, 780 - 16 * number, letter)
                x += canvas.stringWidth(letter, "Helvetica", 12)
    canvas.save()


def _write(path: Path, rows: Mapping[Sequence[float], Sequence[Sequence[str]]]) -> None:
    """Write rows below each other, and each of their cells so far right, as objects."""
    canvas = Canvas(str(path), pagesize=A4)
    y = 780
    for places, those in rows.items():
        for row in those:
            for x, cell in zip(places, row, strict=True):
                canvas.drawString(x, y, cell)
            y -= 16
    canvas.save()
