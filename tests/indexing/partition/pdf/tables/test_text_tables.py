"""Where tables stand in the text of PDFs, made with reportlab in each test."""

from pathlib import Path

import pypdfium2
import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.boxes import union
from tests.indexing.partition.drawn_tables import STOCK, STOCK_BLOCK, blocks_of, draw_table


def test_headings_between_columns_are_read_above_names_that_come_again(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "years.pdf"), pagesize=A4)
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(174, 640, "2025")
    canvas.drawCentredString(342, 640, "2024")
    for y, row in (
        (622, ["Item", "Plan", "Actual", "Plan", "Actual"]),
        (604, ["Rope for", "", "5,234", "-176", "5,379"]),
        (592, ["all boats"]),
        (574, ["Lamps", "5,718", "6,668", "4,429", ""]),
        (556, ["Paint and", "", "2,482", "8,936", "8,125"]),
        (544, ["brushes"]),
        (526, ["Oil", "3,648", "", "1,415", "713"]),
    ):
        canvas.drawString(60, y, row[0])
        for right, text in zip((172, 256, 340, 424), row[1:], strict=False):
            canvas.drawRightString(right, y, text)
    canvas.save()

    (table,) = blocks_of(tmp_path / "years.pdf")

    assert table.header == "Item | 2025 Plan | 2025 Actual | 2024 Plan | 2024 Actual"


def test_headings_above_the_first_of_their_columns_are_above_all_of_them(tmp_path: Path) -> None:
    rows = [
        ["", "2025", "", "2024", ""],
        ["Item", "Plan", "Actual", "Plan", "Actual"],
        ["Rope", "1,200", "1,180", "1,100", "1,140"],
        ["Lamps", "300", "280", "310", "295"],
        ["Paint", "90", "75", "80", "85"],
    ]
    canvas = Canvas(str(tmp_path / "years.pdf"), pagesize=A4)
    draw_table(canvas, rows, 640)
    canvas.save()

    (table,) = blocks_of(tmp_path / "years.pdf")

    assert table.header == "Item | 2025 Plan | 2025 Actual | 2024 Plan | 2024 Actual"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_each_row_stands_where_its_box_is(tmp_path: Path, rotation: int) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"), pagesize=A4)
    if rotation == 90:
        canvas.translate(A4[0], 0)
    elif rotation == 180:
        canvas.translate(*A4)
    elif rotation == 270:
        canvas.translate(0, A4[1])
    canvas.rotate(rotation)
    draw_table(canvas, STOCK, 400, [("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    canvas.save()
    with pypdfium2.PdfDocument(tmp_path / "turned.pdf") as pdf:
        pdf[0].set_rotation(rotation)
        pdf.save(tmp_path / "saved.pdf")

    (table,) = blocks_of(tmp_path / "saved.pdf")

    assert table == STOCK_BLOCK
    tops = [box[1] for box in table.line_boxes if box is not None]
    assert len(tops) == 4
    assert tops == sorted(tops)
    left, _, right, _ = union(table.line_boxes) or (0, 0, 0, 0)
    width = A4[rotation // 90 % 2]
    assert 60 / width < left < 80 / width
    assert right < 400 / width
