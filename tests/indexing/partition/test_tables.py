import pytest

from indexing.partition.tables import is_header, table_block
from indexing.types import Block, BlockKind


def test_the_header_is_kept_apart() -> None:
    block = table_block([["Carrier", "Days"], ["Northline", "2"], ["Seaway", "5"]])

    assert block == Block(BlockKind.TABLE, "Northline | 2\nSeaway | 5", header="Carrier | Days")


def test_a_table_without_header_keeps_every_row() -> None:
    block = table_block([["Northline", "2"], ["Seaway", "5"]])

    assert block == Block(BlockKind.TABLE, "Northline | 2\nSeaway | 5")


def test_empty_rows_and_columns_are_dropped() -> None:
    block = table_block([["Carrier", "", "Days"], ["", "", ""], ["Northline", "", "2"]])

    assert block == Block(BlockKind.TABLE, "Northline | 2", header="Carrier | Days")


def test_an_empty_table_is_nothing() -> None:
    assert table_block([["", ""], []]) is None


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        pytest.param(["Measure", "2022", "2023"], True, id="years are column names"),
        pytest.param(["", "Sales", "Profit"], True, id="the corner may be empty"),
        pytest.param(["Revenue", "412,000", "37"], False, id="numbers are values"),
        pytest.param(["Revenue", "(12.5%)", ""], False, id="so are percentages"),
        pytest.param(["Price list", "", ""], False, id="one cell is a title"),
    ],
)
def test_a_header_names_columns(row: list[str], answer: bool) -> None:
    assert is_header(row, 3) is answer
