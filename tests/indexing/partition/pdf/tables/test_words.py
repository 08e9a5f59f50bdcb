from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.tables.ruled_grids import Grid
from indexing.partition.pdf.tables.rules import Rule
from indexing.types import BlockKind
from tests.files.text_layer import lay_out, write_text_layer
from tests.indexing.partition.pdf_page import text_of

# As Tesseract lays them over scans: a word with the space behind it is as wide as its picture.
LINES = ["За то до 12 15", "на мы по 10 14", "из до 16 от 22", "их на за 30 31"]


def test_words_that_stand_apart_come_each_with_its_line(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "words.pdf"), pagesize=A4)
    canvas.drawString(60, 780, "Deck lamp")
    canvas.drawString(300, 780, "12")
    canvas.drawString(60, 740, "Left out")
    canvas.drawString(60, 700, "Storm lantern")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "words.pdf") as pdf:
        words = text_of(pdf[0]).words([0, 2])

    assert [(word.text, word.line) for word in words] == [
        ("Deck lamp", 0),
        ("12", 0),
        ("Storm lantern", 2),
    ]


@pytest.mark.parametrize(
    ("gap", "rest", "words"),
    [
        (3.8, "096,07", ["8 096,07"]),
        (3.8, "09,07", ["8", "09,07"]),
        (5.5, "096,07", ["8", "096,07"]),
    ],
    ids=["thousands", "no-thousands", "a-column-away"],
)
def test_a_figure_has_a_small_space_behind_its_thousands(
    tmp_path: Path, gap: float, rest: str, words: list[str]
) -> None:
    canvas = Canvas(str(tmp_path / "words.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    canvas.drawRightString(100, 780, "8")
    canvas.drawString(100 + gap, 780, rest)
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "words.pdf") as pdf:
        found = text_of(pdf[0]).words([0])

    assert [word.text for word in found] == words


def test_a_rule_parts_words_that_touch_it_on_both_sides(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "words.pdf"), pagesize=A4)
    canvas.drawRightString(100, 780, "Deck lamp")
    canvas.drawString(100, 780, "brass")
    canvas.drawString(60, 740, "A lamp of the harbour")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "words.pdf") as pdf:
        words = text_of(pdf[0]).words_within(_grid(100), [0, 1])

    assert [word.text for word in words] == ["Deck lamp", "brass", "A lamp of the harbour"]


def _grid(place: float) -> Grid:
    sides = (0.0, place, 595.0)
    return Grid((), tuple(Rule(at, 0, 842) for at in sides), 0, 0, 595, 842)


def test_words_of_a_text_layer_of_tesseract_are_no_cells(tmp_path: Path) -> None:
    write_text_layer(tmp_path / "layer.pdf", lay_out(LINES))

    [page] = open_pdf(tmp_path / "layer.pdf").pages

    assert [(block.kind, block.text) for block in page.blocks] == [
        (BlockKind.TEXT, "\n".join(LINES))
    ]


def test_a_table_in_a_text_layer_of_tesseract_has_its_cells(tmp_path: Path) -> None:
    rows = ["Товар Штук Цена", "Лампа 24 85", "Масло 12 90", "Якорь 30 70"]
    words = [
        (20 + 80 * column, 270 - 15 * number, word)
        for number, row in enumerate(rows)
        for column, word in enumerate(row.split())
    ]
    write_text_layer(tmp_path / "layer.pdf", words)

    [page] = open_pdf(tmp_path / "layer.pdf").pages

    [table] = page.blocks
    assert (table.header, table.text) == (
        "Товар | Штук | Цена",
        "Лампа | 24 | 85\nМасло | 12 | 90\nЯкорь | 30 | 70",
    )


def test_a_word_broken_in_its_cell_stands_where_it_begins(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "broken.pdf"), pagesize=A4)
    for top, line in ((760, "Repair of the roof with"), (748, "material and removal of de-")):
        canvas.drawString(100, top, line)
    canvas.drawString(100, 736, "bris")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "broken.pdf") as pdf:
        words = text_of(pdf[0]).words([0, 1])

    assert [word.text for word in sorted(words, key=lambda word: (word.middle, word.left))] == [
        "Repair of the roof with",
        "material and removal of de\ufffebris",
    ]
