"""Rows that only columns and a header have rules around, in the PDFs of reportlab."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.types import Block
from tests.indexing.partition.drawn_tables import blocks_of, draw_table

GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
WITHOUT_RULES_BETWEEN_ROWS = [
    ("BOX", (0, 0), (-1, -1), 0.5, colors.black),
    ("LINEBEFORE", (1, 0), (-1, -1), 0.5, colors.black),
    ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
]
INVOICE = [
    ["No", "Article", "Pieces", "Amount"],
    ["1", "Deck lamp", "2", "80.00"],
    ["2", "Buoy with two lights\nand a bell", "1", "210.00"],
    ["3", "Horn", "4", "50.00"],
]
INVOICE_ROWS = [
    "1 | Deck lamp | 2 | 80.00",
    "2 | Buoy with two lights and a bell | 1 | 210.00",
    "3 | Horn | 4 | 50.00",
]


@pytest.mark.parametrize("side", ["TOP", "MIDDLE", "BOTTOM"])
def test_rows_without_rules_between_them_are_rows(tmp_path: Path, side: str) -> None:
    block = _read(tmp_path, INVOICE, ("VALIGN", (0, 0), (-1, -1), side))

    assert block.header == "No | Article | Pieces | Amount"
    assert block.text.splitlines() == INVOICE_ROWS


def test_sums_below_a_rule_are_rows_as_well(tmp_path: Path) -> None:
    sums = [["", "", "Net", "340.00"], ["", "", "Gross", "408.00"]]

    block = _read(tmp_path, [*INVOICE, *sums], ("LINEABOVE", (0, 4), (-1, 4), 0.5, colors.black))

    assert block.text.splitlines() == [*INVOICE_ROWS, " |  | Net | 340.00", " |  | Gross | 408.00"]


def test_rows_of_words_are_told_where_a_line_has_room_for_the_next_one(tmp_path: Path) -> None:
    rows = [["Deck lamp of the pier", "Ann", "lit"], ["Buoy", "Bo", "dark"], ["Horn", "Cy", "lost"]]

    block = _read(tmp_path, [["Lamp", "Keeper", "State"], *rows])

    assert block.header == "Lamp | Keeper | State"
    assert block.text.splitlines() == [" | ".join(row) for row in rows]


def test_a_label_alone_is_a_row(tmp_path: Path) -> None:
    rows = [["Lamps", "2023", "2024"], ["Sold", "24", "12"], ["Of these from the stock", "", ""]]

    block = _read(tmp_path, [*rows, ["Deck lamps", "3", "4"], ["Buoys", "5", "6"]])

    assert block.text.splitlines()[:3] == [
        "Sold | 24 | 12",
        "Of these from the stock",
        "Deck lamps | 3 | 4",
    ]


def test_texts_of_several_lines_beside_each_other_are_one_row(tmp_path: Path) -> None:
    row = ["Deck lamp of\nthe long pier", "Ann of the\neastern gate", "lit from\ndusk"]

    block = _read(tmp_path, [["Lamp", "Keeper", "State"], row], GRID)

    assert block.text == "Deck lamp of the long pier | Ann of the eastern gate | lit from dusk"


def test_dates_that_are_broken_at_their_hyphen_are_no_rows(tmp_path: Path) -> None:
    rows = [["Deck lamp", "8", "2024-03-\n10"], ["Buoy with\na bell", "1,887", "2024-07-\n19"]]

    block = _read(tmp_path, [["Article", "Stock", "Last seen"], *rows], GRID)

    assert block.text.splitlines() == [
        "Deck lamp | 8 | 2024-03-10",
        "Buoy with a bell | 1,887 | 2024-07-19",
    ]


def test_several_figures_in_each_cell_of_a_full_grid_are_rows(tmp_path: Path) -> None:
    rows = [["Lamps", "2023", "2024"], ["Sold\nLent", "24\n3", "12\n5"], ["Lost", "1", "2"]]

    block = _read(tmp_path, [*rows, ["Found", "2", "3"]], GRID)

    assert block.text.splitlines() == [
        "Sold | 24 | 12",
        "Lent | 3 | 5",
        "Lost | 1 | 2",
        "Found | 2 | 3",
    ]


def _read(folder: Path, rows: Sequence[Sequence[str]], *style: tuple[object, ...]) -> Block:
    """Return the table as it is read."""
    canvas = Canvas(str(folder / "rows.pdf"), pagesize=A4)
    draw_table(canvas, rows, 600, [*WITHOUT_RULES_BETWEEN_ROWS, *style])
    canvas.save()
    (block,) = blocks_of(folder / "rows.pdf")
    return block
