import datetime
from pathlib import Path

import openpyxl
import pytest

from indexing.partition.spreadsheet import Cell, cell_text, open_spreadsheet, split_tables
from indexing.types import NO_PAGE, Block, BlockKind

FILES = Path(__file__).parents[2] / "files"


def test_a_sheet_is_a_page_without_number() -> None:
    prices, discounts = open_spreadsheet(FILES / "price-list.xlsx").pages

    assert (prices.number, prices.label) == (NO_PAGE, "Prices")
    assert discounts.label == "Discounts"  # hidden
    assert discounts.blocks == (
        Block(BlockKind.TABLE, "10 | 0.05\n100 | 0.12", header="Pieces | Discount"),
    )


def test_values_stand_under_their_header() -> None:
    prices, _ = open_spreadsheet(FILES / "price-list.xlsx").pages

    title, table = prices.blocks

    assert title == Block(BlockKind.TEXT, "Price list, spring 2024")
    assert table.header == "Article | Name | Price | In stock | Valid from"
    assert table.text.splitlines() == [
        "LN-100 | Storm lantern | 24.5 | 120 | 2024-01-15",
        "LN-200 | Deck lamp | 61 | 45 | 2024-02-01",
        "LN-300 | Signal lamp | 189.99 | 8 | 2024-02-20",
        "Stock value |  | 7204.92",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(61.0, "61", id="whole number"),
        pytest.param(0.1 + 0.2, "0.3", id="float noise"),
        pytest.param(True, "TRUE", id="truth"),
        pytest.param(datetime.datetime(2024, 3, 1), "2024-03-01", id="day"),
        pytest.param(datetime.datetime(2024, 3, 1, 14, 30), "2024-03-01 14:30:00", id="moment"),
        pytest.param(datetime.date(2024, 3, 1), "2024-03-01", id="date"),
        pytest.param(datetime.timedelta(hours=30), "1 day, 6:00:00", id="duration"),
        pytest.param("two\nlines", "two lines", id="text"),
    ],
)
def test_values_are_written_as_people_type_them(value: Cell, text: str) -> None:
    assert cell_text(value) == text


def test_a_table_with_its_own_header_is_a_table_of_its_own() -> None:
    rows = [["Name", "Price"], ["Lamp", "61"], ["", ""], ["City", "Pieces"], ["Bath", "4"]]

    assert split_tables(rows) == (
        Block(BlockKind.TABLE, "Lamp | 61", header="Name | Price"),
        Block(BlockKind.TABLE, "Bath | 4", header="City | Pieces"),
    )


def test_a_blank_row_does_not_end_a_table() -> None:
    rows = [["Name", "Price"], ["", ""], ["Lamp", "61"], ["", ""], ["Wick", "2"]]

    assert split_tables(rows) == (
        Block(BlockKind.TABLE, "Lamp | 61\nWick | 2", header="Name | Price"),
    )


def test_titles_and_notes_are_text() -> None:
    rows = [["Prices", ""], ["Name", "Price"], ["Lamp", "61"], ["", ""], ["Without tax", ""]]

    assert split_tables(rows) == (
        Block(BlockKind.TEXT, "Prices"),
        Block(BlockKind.TABLE, "Lamp | 61", header="Name | Price"),
        Block(BlockKind.TEXT, "Without tax"),
    )


def test_a_column_of_values_is_a_table() -> None:
    (block,) = split_tables([[str(n)] for n in range(10)])

    assert block.text.splitlines() == [str(n) for n in range(10)]


def test_a_header_without_rows_is_text() -> None:
    assert split_tables([["Name", "Price"]]) == (Block(BlockKind.TEXT, "Name | Price"),)


def test_a_merged_heading_stands_in_front_of_those_below(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for row in (["Region", "2024", None], [None, "Sales", "Profit"], ["North", 5, 1]):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    workbook.save(tmp_path / "merged.xlsx")

    (page,) = open_spreadsheet(tmp_path / "merged.xlsx").pages

    assert page.blocks == (
        Block(BlockKind.TABLE, "North | 5 | 1", header="Region | 2024 Sales | 2024 Profit"),
    )
