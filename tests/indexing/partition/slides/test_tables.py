from pathlib import Path

import pptx
from pptx.util import Inches

from indexing.partition.slides.presentation import open_pptx
from indexing.partition.slides.tables import write_out_tables
from indexing.types import Block, BlockKind


def test_a_name_beside_several_rows_stands_in_each() -> None:
    deck = pptx.Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    table = shapes.add_table(2, 2, 0, 0, Inches(6), Inches(3)).table
    for at, text in (((0, 0), "North"), ((0, 1), "Lamp"), ((1, 1), "Wick")):
        table.cell(*at).text = text
    table.cell(0, 0).merge(table.cell(1, 0))

    write_out_tables(shapes)

    assert [cell.text for row in table.rows for cell in row.cells] == [
        *("North", "Lamp"),
        *("North", "Wick"),
    ]


def test_tables_without_merged_cells_stay_as_they_are() -> None:
    deck = pptx.Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    table = shapes.add_table(1, 2, 0, 0, Inches(6), Inches(3)).table
    table.cell(0, 0).text = "two\nlines"

    write_out_tables(shapes)

    assert [cell.text for cell in table.rows[0].cells] == ["two\nlines", ""]


def test_a_table_whose_first_column_alone_has_a_style_names_no_columns(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    table = shapes.add_table(2, 2, 0, 0, Inches(6), Inches(3)).table
    table.first_row, table.first_col = False, True
    for cell, text in zip(table.iter_cells(), ("Lessor", "Hale", "Lessee", "Reed"), strict=True):
        cell.text = text
    deck.save(str(tmp_path / "lease.pptx"))

    (page,) = open_pptx(tmp_path / "lease.pptx").pages

    assert page.blocks == (Block(BlockKind.TABLE, "Lessor | Hale\nLessee | Reed"),)
