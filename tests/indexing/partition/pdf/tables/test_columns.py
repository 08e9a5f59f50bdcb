from indexing.partition.pdf.tables.cells import Row, cells_of
from indexing.partition.pdf.tables.columns import MAX_COLUMNS, Column, columns_seen
from tests.indexing.partition.placed_words import line_of


def test_a_column_reaches_as_far_as_the_widest_of_its_cells() -> None:
    rows = [_row((0, "Lamp"), (100, "12")), _row((0, "Buoy"), (90, "1,200"))]

    assert columns_seen(rows) == [Column(0, 20, 2), Column(90, 115, 2)]


def test_a_cell_over_two_columns_makes_none() -> None:
    rows = [_row((0, "Lamp"), (30, "12")), _row((0, "Lamps of all"))]

    assert columns_seen(rows) == [Column(0, 20, 1), Column(30, 40, 1)]


def test_what_has_more_columns_than_any_table_has_none() -> None:
    assert columns_seen([_row(*((20 * n, "12") for n in range(MAX_COLUMNS + 1)))]) == []


def _row(*words: tuple[float, str]) -> Row:
    return cells_of(line_of(0, *words))
