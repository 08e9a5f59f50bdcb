"""Tables of PDFs with rules around all of their cells."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table, TableStyle

from indexing.types import Block
from tests.indexing.partition.drawn_tables import blocks_of, draw_table
from tests.indexing.partition.from_right import draw, hebrew

GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)
MIDDLE = ("VALIGN", (0, 0), (-1, -1), "MIDDLE")

Place = tuple[int, int]
"""Column and row of a cell."""


def test_a_heading_merged_over_columns_stands_before_each_of_their_names(tmp_path: Path) -> None:
    rows = [["Lamp", "Price in euros", ""], ["", "Net", "Gross"], ["Deck lamp", "10", "12"]]

    block = _read(tmp_path, [*rows, ["Buoy", "7", "8"]], ((1, 0), (2, 0)))

    assert block.header == "Lamp | Price in euros Net | Price in euros Gross"
    assert block.text == "Deck lamp | 10 | 12\nBuoy | 7 | 8"


def test_a_heading_is_joined_with_names_in_a_table_of_words(tmp_path: Path) -> None:
    rows = [["Lamp", "Colour", "", "Maker"], ["", "Body", "Shade", ""]]
    rows += [["Deck lamp", "black", "white", "Aker"], ["Buoy", "red", "none", "Brix"]]

    block = _read(tmp_path, rows, ((0, 0), (0, 1)), ((1, 0), (2, 0)), ((3, 0), (3, 1)))

    assert block.header == "Lamp | Colour Body | Colour Shade | Maker"
    assert block.text == "Deck lamp | black | white | Aker\nBuoy | red | none | Brix"


def test_a_name_merged_over_rows_stands_in_each_of_them(tmp_path: Path) -> None:
    rows = [["Region", "Lamp", "Sold"], ["North", "Deck lamp", "10"], ["", "Buoy", "7"]]
    rows += [["South", "Deck lamp", "4"], ["", "Buoy", ""]]

    block = _read(tmp_path, rows, ((0, 1), (0, 2)), ((0, 3), (0, 4)), ((2, 3), (2, 4)))

    assert block.header == "Region | Lamp | Sold"
    # A figure is not repeated: it may be a sum.
    assert block.text.splitlines() == [
        "North | Deck lamp | 10",
        "North | Buoy | 7",
        "South | Deck lamp | 4",
        "South | Buoy",
    ]


def test_rows_that_lack_rules_between_their_cells_have_these_all_the_same(tmp_path: Path) -> None:
    rows = [["Lamp", "Place", "Keeper"], ["Deck lamp", "Quay", "Ann"], ["Buoy", "Mole", "Bo"]]
    rows += [["Bell", "Gate", "Cy"], ["Horn", "Pier", "Di"]]
    whole = [("BOX", (0, 0), (-1, -1), 0.5, colors.black)]
    lined = [("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black)]
    parted = [("LINEAFTER", (0, row), (1, row), 0.5, colors.black) for row in (1, 3)]

    block = _read(tmp_path, rows, width=120, style=[*whole, *lined, *parted])

    assert block.header == "Lamp | Place | Keeper"
    assert block.text.splitlines() == [" | ".join(row) for row in rows[1:]]


def test_rows_of_a_table_from_the_right_that_lack_rules_have_these_too(tmp_path: Path) -> None:
    rows = [("cba", "fed"), ("ihg", "120"), ("lkj", "7"), ("onm", "44"), ("rqp", "9")]
    cells = [
        (x, 200 - 14 * number, cell)
        for number, row in enumerate(rows)
        for x, cell in zip((210, 60), row, strict=True)
    ]
    lines = [b"%d 140 m %d 210 l S " % (x, x) for x in (36, 276)]
    lines += [b"36 %d m 276 %d l S " % (y, y) for y in range(140, 211, 14)]
    lines += [b"136 %d m 136 %d l S " % (y, y + 14) for y in (182, 154)]

    (table,) = blocks_of(draw(tmp_path, *cells, rules=b"".join(lines)))

    assert table.header == hebrew("abc | def")
    assert table.text == hebrew("ghi | 120\njkl | 7\nmno | 44\npqr | 9")


def test_cells_over_columns_that_are_read_from_the_right_begin_there(tmp_path: Path) -> None:
    # The heading is over two columns, the title of a group over all three.
    rows = [[(80, "abc")], [(200, "fed"), (110, "ihg"), (50, "lki")], [(220, "onm")]]
    rows += [[(200, "rqp"), (110, "12"), (50, "7")], [(200, "uts"), (110, "9"), (50, "44")]]
    cells = [(x, 200 - 14 * n, text) for n, row in enumerate(rows) for x, text in row]
    lines = [b"36 %d m 276 %d l S " % (y, y) for y in range(140, 211, 14)]
    lines += [b"%d 140 m %d 210 l S " % (x, x) for x in (36, 276)]
    lines += [b"186 %d m 186 %d l S " % ends for ends in ((182, 210), (140, 168))]
    lines += [b"96 %d m 96 %d l S " % ends for ends in ((182, 196), (140, 168))]

    (table,) = blocks_of(draw(tmp_path, *cells, rules=b"".join(lines)))

    assert table.header == hebrew("def | cba ghi | cba ikl")
    assert table.text == hebrew("mno\npqr | 12 | 7\nstu | 9 | 44")


def test_the_rest_of_a_row_that_the_page_before_cut_names_no_columns(tmp_path: Path) -> None:
    rows = [["", "for the watch of the night", ""], ["Buoy", "Mole", "7"], ["Bell", "Gate", "9"]]

    block = _read(tmp_path, rows)

    assert not block.header
    assert block.text.splitlines()[1] == "Buoy | Mole | 7"


def test_such_a_rest_below_the_header_is_a_row(tmp_path: Path) -> None:
    rows = [["Lamp", "Place", "Stock"], ["", "for the watch of the night", ""]]

    block = _read(tmp_path, [*rows, ["Buoy", "Mole", "7"], ["Bell", "Gate", "9"]])

    assert block.header == "Lamp | Place | Stock"
    assert block.text.splitlines()[0] == " | for the watch of the night"


SIZES = [["Size", "36", "38", "40"], ["Chest", "84", "88", "92"], ["Waist", "66", "70", "74"]]


def test_numbers_on_the_only_coloured_row_name_columns(tmp_path: Path) -> None:
    navy = ("BACKGROUND", (0, 0), (-1, 0), colors.navy)

    block = _read(tmp_path, SIZES, style=[GRID, navy])

    assert block.header == "Size | 36 | 38 | 40"


@pytest.mark.parametrize("row", [1, 2])
def test_colours_behind_another_row_do_not_make_the_first_one_a_header(
    tmp_path: Path, row: int
) -> None:
    grey = [("BACKGROUND", (0, n), (-1, n), colors.lightgrey) for n in (0, row)]

    block = _read(tmp_path, SIZES, style=[GRID, *grey])

    assert not block.header


def test_the_first_of_two_rows_may_be_coloured_as_every_second_is(tmp_path: Path) -> None:
    grey = ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey)

    block = _read(tmp_path, SIZES[1:], style=[GRID, grey])

    assert not block.header
    assert len(block.text.splitlines()) == 2


def test_a_table_within_a_table_is_not_read_twice(tmp_path: Path) -> None:
    inner = Table([["Red", "4"], ["Blue", "5"]], style=TableStyle([GRID]))

    block = _read(
        tmp_path, [["Lamp", "Stock"], ["Deck lamp", inner], ["Buoy", "7"]], width=160, style=[GRID]
    )

    assert block.header == "Lamp | Stock"
    assert block.text.splitlines() == [
        "Deck lamp",
        "Deck lamp |  | Red | 4",
        "Deck lamp |  | Blue | 5",
        "Buoy | 7",
    ]


def _read(
    folder: Path,
    rows: Sequence[Sequence[object]],
    *merged: tuple[Place, Place],
    width: float | None = None,
    style: Sequence[tuple[object, ...]] = (GRID, MIDDLE),
) -> Block:
    """Return the table as it is read; merged are cells from the first one to the last."""
    canvas = Canvas(str(folder / "grid.pdf"), pagesize=A4)
    spans = [("SPAN", *corners) for corners in merged]
    draw_table(canvas, rows, 600, [*style, *spans], width=width)
    canvas.save()
    (block,) = blocks_of(folder / "grid.pdf")
    return block
