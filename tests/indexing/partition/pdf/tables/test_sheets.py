"""Sheets that are printed without lines: names on the left of columns, figures on the right."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.types import Block, BlockKind
from tests.indexing.partition.drawn_tables import blocks_of

ENDS = (148.5, 240, 330, 420, 500)
GAP = 2  # points, between two columns
NAMES = ["Item", "Qty", "Price", "Amount", "State"]
ROWS = [
    ["Hinge 40", "82", "42.11", "3,772.54", "ok"],
    ["Oak board", "9", "36.64", "2,316.73", "ok"],
    ["Glue", "78", "66.50", "2,953.05", "late"],
]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(NAMES, id="of one word"),
        pytest.param(["Item", "Qty", "Unit price", "Amount EUR no.", "State"], id="of several"),
    ],
)
def test_names_beside_the_ends_of_their_figures_are_those_of_the_columns(
    tmp_path: Path, names: Sequence[str]
) -> None:
    _print(tmp_path / "sheet.pdf", [names, *ROWS])

    assert blocks_of(tmp_path / "sheet.pdf") == [
        Block(BlockKind.TABLE, "\n".join(" | ".join(row) for row in ROWS), header=" | ".join(names))
    ]


def test_the_first_row_is_no_header_if_its_figures_stand_close_to_texts(tmp_path: Path) -> None:
    rows = [
        ["No", "When", "Hours", "Remark"],
        ["1", "2024-03-10", "7.50", "setup of hall"],
        ["2", "2024-03-11", "8.00", ""],
        ["3", "2024-03-12", "3.25", "left early"],
    ]
    _print(tmp_path / "sheet.pdf", rows)

    (table,) = blocks_of(tmp_path / "sheet.pdf")

    assert table.header == "No | When | Hours | Remark"
    assert table.text.splitlines() == [
        "1 | 2024-03-10 | 7.50 | setup of hall",
        "2 | 2024-03-11 | 8.00",
        "3 | 2024-03-12 | 3.25 | left early",
    ]


def test_a_text_right_behind_each_figure_is_in_a_column_of_its_own(tmp_path: Path) -> None:
    rows = [
        ["Name", "Age", "City", "Score", "Grade"],
        ["Anna Ley", "87", "Rome", "3699.81", "D"],
        ["Bob Orr", "26", "Riga", "132.65", "A"],
        ["Cleo Ito", "9", "Bern", "1918.06", "D"],
    ]
    _print(tmp_path / "sheet.pdf", rows)

    (table,) = blocks_of(tmp_path / "sheet.pdf")

    assert table.header == "Name | Age | City | Score | Grade"
    assert table.text.splitlines() == [" | ".join(row) for row in rows[1:]]


def test_a_text_cut_off_at_the_end_of_its_cell_stays_in_it(tmp_path: Path) -> None:
    rows = [NAMES, *ROWS, ["Washers of brass, st", "7", "1.25", "8.75", "ok"]]
    _print(tmp_path / "sheet.pdf", rows)

    (table,) = blocks_of(tmp_path / "sheet.pdf")

    assert table.header == " | ".join(NAMES)
    assert table.text.splitlines()[-1] == "Washers of brass, st | 7 | 1.25 | 8.75 | ok"


def test_a_text_that_runs_over_columns_ends_a_sheet(tmp_path: Path) -> None:
    note = "All prices are those of March, and hold until the end of June of the same year."
    _print(tmp_path / "sheet.pdf", [NAMES, *ROWS, [note]])

    table, text = blocks_of(tmp_path / "sheet.pdf")

    assert table.header == " | ".join(NAMES)
    assert table.text.splitlines() == [" | ".join(row) for row in ROWS]
    assert text.text == note


def _print(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Draw rows as a spreadsheet prints them."""
    canvas = Canvas(str(path), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    starts = [60, *(end + GAP for end in ENDS)]
    for number, row in enumerate(rows):
        y = 760 - 13 * number
        for start, end, cell in zip(starts, ENDS, row, strict=False):
            is_figure = cell.replace(",", "").replace(".", "").isdecimal()
            draw, x = (canvas.drawRightString, end) if is_figure else (canvas.drawString, start)
            draw(x, y, cell)
    canvas.save()
