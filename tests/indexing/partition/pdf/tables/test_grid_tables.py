"""Tables in the grids of PDF pages, made with reportlab in each test."""

from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, Table, TableStyle

from indexing.types import Block, BlockKind
from tests.indexing.partition.drawn_tables import STOCK, STOCK_BLOCK, blocks_of, draw_table

GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)


def test_a_wrapped_cell_of_a_ruled_table_is_one_cell(tmp_path: Path) -> None:
    style = getSampleStyleSheet()["Normal"]
    words = "The lamp is dim when its wick is wet"
    rows = [
        ["Sign", "Cause", "Help"],
        ["Dim", Paragraph(words, style), "Dry it"],
        ["Dark", "No oil", Paragraph("Fill the tank up to the mark", style)],
    ]
    canvas = Canvas(str(tmp_path / "wrapped.pdf"), pagesize=A4)
    draw_table(canvas, rows, 640, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)], width=90)
    canvas.save()

    assert blocks_of(tmp_path / "wrapped.pdf") == [
        Block(
            BlockKind.TABLE,
            f"Dim | {words} | Dry it\nDark | No oil | Fill the tank up to the mark",
            header="Sign | Cause | Help",
        )
    ]


@pytest.mark.parametrize(
    ("label", "is_table"),
    [
        pytest.param("Lot 2", True, id="behind a label"),
        pytest.param("", False, id="alone"),
        pytest.param("The keeper sails out when a lamp is dark. " * 20, False, id="behind a text"),
    ],
)
def test_a_long_text_stands_in_a_table_where_a_label_begins_its_row(
    tmp_path: Path, label: str, *, is_table: bool
) -> None:
    style = getSampleStyleSheet()["Normal"]
    text = "The lamp is dim when its wick is wet. " * 25
    rows = [
        ["Lot", "What is to be done", "Until"],
        ["Lot 1", "Short", "1 June"],
        [Paragraph(label, style), Paragraph(text, style), "15 June"],
        ["Lot 3", "Paint", "30 June"],
    ]
    canvas = Canvas(str(tmp_path / "long.pdf"), pagesize=A4)
    draw_table(canvas, rows, 60, [GRID], width=150)
    canvas.save()

    headers = [block.header for block in blocks_of(tmp_path / "long.pdf")]

    assert ("Lot | What is to be done | Until" in headers) is is_table


def test_the_rest_of_a_long_text_is_a_row_of_the_table_that_goes_on(tmp_path: Path) -> None:
    text = "The lamp is dim when its wick is wet. " * 25
    rows = [
        ["", Paragraph(text, getSampleStyleSheet()["Normal"]), ""],
        ["Lot 3", "Paint", "30 June"],
        ["Lot 4", "Oil", "7 July"],
    ]
    canvas = Canvas(str(tmp_path / "rest.pdf"), pagesize=A4)
    draw_table(canvas, rows, 60, [GRID], width=150)
    canvas.save()

    (table,) = blocks_of(tmp_path / "rest.pdf")

    assert table.text.splitlines()[1:] == ["Lot 3 | Paint | 30 June", "Lot 4 | Oil | 7 July"]


@pytest.mark.parametrize("padding", [0.5, 1.5])
def test_cells_with_hardly_a_margin_are_parted_by_their_rules(
    tmp_path: Path, padding: float
) -> None:
    style = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
            ("LEFTPADDING", (0, 0), (-1, -1), padding),
            ("RIGHTPADDING", (0, 0), (-1, -1), padding),
        ]
    )
    canvas = Canvas(str(tmp_path / "narrow.pdf"), pagesize=A4)
    table = Table(STOCK, style=style)
    table.wrapOn(canvas, 400, 400)
    table.drawOn(canvas, 60, 640)
    canvas.save()

    assert blocks_of(tmp_path / "narrow.pdf") == [STOCK_BLOCK]


@pytest.mark.parametrize("align", ["LEFT", "RIGHT"])
def test_a_name_that_runs_over_the_next_one_is_in_its_own_column(
    tmp_path: Path, align: str
) -> None:
    rows = [["Article", "Number of units", "Price", "Total value in euros"]]
    rows += [["Deck lamp", "118", "30.00", "3,540.00"], ["Buoy", "7", "12.00", "84.00"]]
    style = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("ALIGN", (0, 0), (-1, -1), align)]
    canvas = Canvas(str(tmp_path / "narrow.pdf"), pagesize=A4)
    draw_table(canvas, rows, 500, style, width=[60, 60, 60, 80])
    canvas.save()

    (block,) = blocks_of(tmp_path / "narrow.pdf")

    assert block.header == "Article | Number of units | Price | Total value in euros"


def test_text_that_runs_over_the_rule_of_its_cell_is_one_cell(tmp_path: Path) -> None:
    rows = [["Sign", "Help", "Days"], ["The lamp is dim or dark", "", "4"], ["Dark", "Oil", "2"]]
    canvas = Canvas(str(tmp_path / "over.pdf"), pagesize=A4)
    draw_table(canvas, rows, 640, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)], width=90)
    canvas.save()

    (table,) = blocks_of(tmp_path / "over.pdf")

    assert "The lamp is dim or dark |  | 4" in table.text


def test_a_slanted_name_that_is_far_behind_in_the_text_takes_no_cells_apart(
    tmp_path: Path,
) -> None:
    rows = [["Lamp", "", ""], ["Deck lamp", "1", "x"], ["Buoy", "2", ""], ["Bell", "3", "o"]]
    canvas = Canvas(str(tmp_path / "table.pdf"), A4)
    table = Table(rows, colWidths=90, style=TableStyle([GRID, ("ALIGN", (1, 0), (1, -1), "RIGHT")]))
    table.wrapOn(canvas, *A4)
    table.drawOn(canvas, 60, 600)
    for number, line in enumerate(("Kept at the quay.", "Ann has the keys.")):
        canvas.drawString(60, 560 - 15 * number, line)
    canvas.translate(160, 660)
    canvas.rotate(45)
    canvas.drawString(0, 0, "Box")
    canvas.save()

    block, *others = blocks_of(tmp_path / "table.pdf")

    assert block.text.splitlines()[-3:] == ["Deck lamp | 1 | x", "Buoy | 2", "Bell | 3 | o"]
    assert "Box" in " ".join(other.text for other in others)
