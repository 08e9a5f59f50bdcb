"""Lines of printed sheets, some of whose cells are drawn behind all others."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_text_layer
from indexing.partition.pdf.later_cells import cells_in_rows

Line = tuple[float, float, float]
"""From where to where, and its middle."""

ROWS: list[Line] = [(0, 90, 10), (0, 90, 25), (0, 90, 40)]


@pytest.mark.parametrize(
    ("later", "order"),
    [
        ([(50, 60, 10), (50, 60, 40)], [0, 3, 1, 2, 4]),
        ([(0, 70, -5), (0, 70, 55)], [3, 0, 1, 2, 4]),
        ([(50, 60, 19), (50, 60, 31)], [0, 1, 2, 3, 4]),
        ([(95, 99, 10), (95, 99, 40)], [0, 1, 2, 3, 4]),
        ([], [0, 1, 2]),
    ],
    ids=["in rows", "above and below", "of one cell", "beside the sheet", "none"],
)
def test_cells_that_are_drawn_later_come_in_their_rows(
    later: Sequence[Line], order: list[int]
) -> None:
    lines = [(left, middle - 5, right, middle + 5) for left, right, middle in [*ROWS, *later]]

    assert cells_in_rows(np.array(lines, np.float64)) == order


@pytest.mark.parametrize(("program", "is_in_order"), [("Calc", True), ("Writer", False)])
def test_a_sheet_of_calc_has_all_cells_in_its_table(
    tmp_path: Path, program: str, *, is_in_order: bool
) -> None:
    canvas = Canvas(str(tmp_path / "sheet.pdf"))
    canvas.setCreator(program)
    rows = [("Article", "Count", "Sum"), ("Lamp", "2", "80"), ("Wick", "40", "20")]
    later = [(150, 0, "Unit"), (150, 1, "box 3"), (150, 2, "bag 1")]
    cells = [(50 + 200 * n, y, cell) for y, row in enumerate(rows) for n, cell in enumerate(row)]
    for x, y, cell in [*cells, *later]:
        canvas.drawString(x, 700 - 15 * y, cell)
    canvas.save()

    (page,) = open_text_layer(tmp_path / "sheet.pdf").pages

    texts = [f"{block.header}\n{block.text}" for block in page.blocks]
    whole = "Article | Unit | Count | Sum\nLamp | box 3 | 2 | 80\nWick | bag 1 | 40 | 20"
    assert (texts == [whole]) is is_in_order
