"""Where tables without ruling lines begin and end."""

from collections.abc import Sequence

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Word, cell_text, rows_of
from tests.indexing.partition.placed_words import line_of

TABLE = [
    *line_of(0, (0, "Year"), (200, "Gold"), (300, "Open")),
    *line_of(1, (0, "2021"), (200, "53.40"), (300, "50.90")),
    *line_of(2, (0, "2022"), (200, "56.15"), (300, "52.56")),
    *line_of(3, (0, "2023"), (200, "74.62"), (300, "63.62")),
]
TABLE_OF_FOUR = [
    *line_of(0, (0, "Year"), (70, "Gold"), (150, "Trend"), (220, "Open")),
    *line_of(1, (0, "2021"), (70, "53.40"), (150, "down"), (220, "50.90")),
    *line_of(2, (0, "2022"), (70, "56.15"), (150, "up"), (220, "52.56")),
    *line_of(3, (0, "2023"), (70, "74.62"), (150, "up"), (220, "63.62")),
]


def test_a_line_spread_to_its_width_is_no_row_of_the_table_above() -> None:
    spread = ["The", "lamps", "are", "sold", "in", "the", "north", "alone"]
    words = [
        *line_of(0, (0, "Lamp"), (150, "Net"), (300, "Gross")),
        *line_of(1, (0, "Deck lamp"), (150, "10"), (300, "12")),
        *line_of(2, (0, "Buoy"), (150, "7"), (300, "8")),
        *line_of(3, *zip(range(0, 400, 50), spread, strict=True)),
    ]

    (table,) = tables_of(rows_of(words))

    assert [_texts(row)[0] for row in table.rows] == ["Deck lamp", "Buoy"]


def test_a_heading_below_a_table_is_not_its_last_row() -> None:
    words = [*TABLE, *line_of(4.8, (0, "3"), (20, "Conclusion"))]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.rows[-1]) == ["2023", "74.62", "63.62"]


def test_a_numbered_list_below_a_table_is_none_of_its_rows() -> None:
    items = "Lamps of all makers are sold until the end of the year."
    words = [word for n in range(1, 4) for word in line_of(3 + n, (0, f"{n}."), (20, items))]

    (table,) = tables_of(rows_of([*TABLE_OF_FOUR, *words]))

    assert _texts(table.rows[-1]) == ["2023", "74.62", "up", "63.62"]


def test_a_text_in_its_column_over_others_is_in_the_last_row() -> None:
    words = [*TABLE_OF_FOUR, *line_of(4, (0, "2024"), (70, "not known before the end of the year"))]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.rows[-1])[0] == "2024"


def test_a_row_without_figures_as_near_as_the_others_is_the_last_one() -> None:
    words = [*TABLE, *line_of(4, (0, "2024"), (200, "not yet"), (300, "known"))]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.rows[-1]) == ["2024", "not yet", "known"]


def test_the_last_row_ends_with_a_cell_of_several_lines_around_its_middle() -> None:
    words = [*TABLE, *line_of(4, (200, "box"))]
    words += [*line_of(4.5, (0, "2024"), (300, "60.20")), *line_of(5, (200, "of twelve"))]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.rows[-1]) == ["2024", "box of twelve", "60.20"]


def test_the_last_row_ends_with_a_line_as_far_below_it_as_those_of_other_cells() -> None:
    words = [*TABLE, *line_of(4.5, (0, "2024"), (200, "not yet"), (300, "60.20"))]
    words += [
        *line_of(6.2, (200, "known here")),
        *line_of(8.2, (0, "2025"), (200, "a guess"), (300, "61.00")),
    ]
    words += [*line_of(9.9, (200, "the harbour")), *line_of(11.6, (200, "office"))]

    (table,) = tables_of(rows_of(words))

    assert [_texts(row)[1] for row in table.rows[-2:]] == [
        "not yet known here",
        "a guess the harbour office",
    ]


def _texts(row: Sequence[list[Word]]) -> list[str]:
    return [cell_text(cell) for cell in row]
