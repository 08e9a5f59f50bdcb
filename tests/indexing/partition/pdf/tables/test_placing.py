"""The columns that cells of rows without rules are put into."""

from collections.abc import Sequence

import pytest

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Word, cell_text, rows_of
from tests.indexing.partition.placed_words import line_of


def test_a_name_over_several_columns_stands_in_each_of_them() -> None:
    words = [
        *line_of(0, (215, "First half"), (415, "Second half")),
        *line_of(1, (200, "2023"), (300, "2024"), (400, "2023"), (500, "2024")),
        *line_of(2, (0, "Sales"), (200, "1,118"), (300, "9,120"), (400, "7,500"), (500, "8,400")),
        *line_of(3, (0, "Costs"), (200, "1,001"), (300, "9,001"), (400, "7,001"), (500, "8,001")),
    ]

    (table,) = tables_of(rows_of(words))

    halves = ["First half 2023", "First half 2024", "Second half 2023", "Second half 2024"]
    assert table.names == ["", *halves]


def test_the_second_line_of_a_name_is_in_the_column_that_it_stands_in() -> None:
    words = [
        *line_of(0, (0, "Lamp"), (200, "Stock"), (300, "Price"), (400, "Sum")),
        *line_of(1, (300, "each")),
        *line_of(2.5, (0, "Deck lamp"), (205, "118"), (300, "30.00"), (400, "90.00")),
        *line_of(3.5, (0, "Buoy"), (205, "112"), (300, "20.00"), (400, "80.00")),
    ]

    (table,) = tables_of(rows_of(words))

    assert table.names == ["Lamp", "Stock", "Price each", "Sum"]


def test_the_first_line_of_the_name_in_the_middle_ends_where_its_second_line_does() -> None:
    words = [
        *line_of(0, (285, "Average")),
        *line_of(1, (0, "Year"), (195, "Units"), (295, "price"), (395, "Total")),
        *line_of(2, (0, "2019"), (195, "1,200"), (300, "4.50"), (395, "5,400")),
        *line_of(3, (0, "2020"), (195, "1,350"), (300, "4.75"), (395, "6,412")),
    ]

    (table,) = tables_of(rows_of(words))

    assert table.names == ["Year", "Units", "Average price", "Total"]


def test_a_heading_over_three_columns_stands_above_the_middle_of_them() -> None:
    words = [
        *line_of(0, (287.5, "Ordered")),
        *line_of(1, (0, "Year"), (195, "Spring"), (290, "Summer"), (390, "Autumn")),
        *line_of(2, (0, "2019"), (195, "1,200"), (300, "4,500"), (395, "5,400")),
        *line_of(3, (0, "2020"), (195, "1,350"), (300, "4,750"), (395, "6,412")),
    ]

    (table,) = tables_of(rows_of(words))

    assert table.names == ["Year", "Ordered Spring", "Ordered Summer", "Ordered Autumn"]


def test_as_many_names_as_columns_name_one_each() -> None:
    words = [
        *line_of(0, (0, "No."), (50, "Lamp"), (150, "Stock"), (200, "Price")),
        *line_of(1, (0, "L-1"), (50, "Deck lamp"), (172, "4"), (216, "30.00")),
        *line_of(2, (0, "L-2"), (50, "Buoy"), (170, "12"), (220, "7.00")),
        *line_of(3, (0, "L-3"), (50, "Bell"), (172, "9"), (216, "15.00")),
    ]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.header) == ["No.", "Lamp", "Stock", "Price"]


@pytest.mark.parametrize("first", ["Article", ""])
def test_names_on_the_left_of_columns_of_figures_on_their_right_are_theirs(first: str) -> None:
    names = [(0, first), (105, "Units sold"), (165, "Days"), (220, "Page of catalogue")]
    words = [
        *line_of(0, *(name for name in names if name[1])),
        *line_of(1, (0, "Storm lantern, brass"), (140, "118"), (205, "9"), (315, "4")),
        *line_of(2, (0, "Deck lamp"), (145, "24"), (200, "12"), (310, "11")),
        *line_of(3, (0, "Buoy"), (150, "7"), (205, "8"), (310, "15")),
    ]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.header) == [name for _, name in names]


def _texts(row: Sequence[list[Word]]) -> list[str]:
    return [cell_text(cell) for cell in row]
