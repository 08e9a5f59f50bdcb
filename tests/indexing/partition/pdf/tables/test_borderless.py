from collections.abc import Sequence

import pytest

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Word, cell_text, rows_of
from tests.indexing.partition.placed_words import line_of


def test_the_sign_of_a_figure_belongs_to_it() -> None:
    words = [
        *line_of(0, (200, "2023"), (300, "2024")),
        *line_of(1, (0, "Sales"), (150, "$"), (200, "118"), (260, "$"), (300, "9")),
        *line_of(2, (0, "Growth"), (200, "24"), (220, "%"), (300, "(7"), (320, ")%")),
    ]

    (table,) = tables_of(rows_of(words))

    assert [_texts(table.header), *map(_texts, table.rows)] == [
        ["", "2023", "2024"],
        ["Sales", "$ 118", "$ 9"],
        ["Growth", "24 %", "(7 )%"],
    ]


def test_a_line_of_text_parts_tables_of_other_columns() -> None:
    words = [
        *line_of(0, (0, "Lamp"), (200, "Net"), (300, "Gross")),
        *line_of(1, (0, "Deck lamp"), (200, "10"), (300, "12")),
        *line_of(2, (0, "Buoy"), (200, "7"), (300, "8")),
        *line_of(3.4, (0, "The second one has all that was sold in the north.")),
        *line_of(4.8, (0, "Month"), (120, "Deck"), (240, "Buoy"), (360, "Bell")),
        *line_of(5.8, (0, "May"), (120, "1"), (240, "2"), (360, "3")),
        *line_of(6.8, (0, "June"), (120, "4"), (240, "5"), (360, "6")),
    ]

    first, second = tables_of(rows_of(words))

    assert _texts(first.header) == ["Lamp", "Net", "Gross"]
    assert _texts(second.header) == ["Month", "Deck", "Buoy", "Bell"]
    assert _texts(second.rows[0]) == ["May", "1", "2", "3"]


def test_figures_that_nearly_touch_are_cells_of_their_own() -> None:
    words = [
        *line_of(0, (0, "Gold"), (100, "53.40"), (130, "50.68"), (160, "50.90")),
        *line_of(1, (0, "Open"), (100, "56.15"), (130, "52.56"), (160, "53.76")),
        *line_of(2, (0, "Both"), (100, "74.62"), (130, "63.62"), (160, "62.23")),
    ]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.rows[0]) == ["Gold", "53.40", "50.68", "50.90"]


def test_a_sign_right_behind_a_figure_is_its_own() -> None:
    words = [
        *line_of(0, (200, "Sales"), (300, "Profit")),
        *line_of(1, (0, "2023"), (200, "1.234,50"), (242, "€"), (300, "98,10"), (327, "€")),
        *line_of(2, (0, "2024"), (200, "1.534,50"), (242, "€"), (300, "99,20"), (327, "€")),
    ]

    (table,) = tables_of(rows_of(words))

    assert _texts(table.rows[1]) == ["2024", "1.534,50 €", "99,20 €"]


TABLE = [
    *line_of(0, (0, "Year"), (200, "Gold"), (300, "Open")),
    *line_of(1, (0, "2021"), (200, "53.40"), (300, "50.90")),
    *line_of(2, (0, "2022"), (200, "56.15"), (300, "52.56")),
    *line_of(3, (0, "2023"), (200, "74.62"), (300, "63.62")),
]


def test_the_rest_of_a_row_above_the_first_one_is_no_header() -> None:
    words = [*line_of(0, (200, "of twelve")), *TABLE[3:]]

    (table,) = tables_of(rows_of(words))

    assert not table.header
    assert [_texts(row)[1] for row in table.rows] == ["of twelve", "53.40", "56.15", "74.62"]


def test_names_of_columns_below_a_heading_begin_another_table() -> None:
    words = [
        *TABLE,
        *line_of(4.8, (0, "Weights are these:")),
        *line_of(6, (0, "Region"), (250, "Weight")),
        *line_of(7, (0, "North"), (250, "12.1")),
        *line_of(8, (0, "South"), (250, "13.4")),
    ]

    _, table = tables_of(rows_of(words))

    assert [_texts(table.header), *map(_texts, table.rows)] == [
        ["Region", "Weight"],
        ["North", "12.1"],
        ["South", "13.4"],
    ]


def test_a_sentence_parts_tables_of_words() -> None:
    words = [
        *line_of(0, (0, "Sign"), (150, "Part"), (300, "Place")),
        *line_of(2, (0, "B853"), (150, "Folding mast"), (300, "Aker")),
        *line_of(4, (0, "K357"), (150, "Brass hull"), (300, "Corvo")),
        *line_of(6, (0, "N317"), (150, "Brass ladder"), (300, "Faro")),
        *line_of(8, (0, "The next list has the masts that came by ship.")),
        *line_of(10, (0, "Name"), (150, "Place"), (300, "Work")),
        *line_of(12, (0, "Ann"), (150, "Gate"), (300, "Opens it")),
        *line_of(14, (0, "Bo"), (150, "Quay"), (300, "Sweeps it")),
        *line_of(16, (0, "Cy"), (150, "Mole"), (300, "Paints it")),
    ]

    first, second = tables_of(rows_of(words))

    assert (_texts(first.header), len(first.rows)) == (["Sign", "Part", "Place"], 3)
    assert (_texts(second.header), len(second.rows)) == (["Name", "Place", "Work"], 3)


def test_lines_of_text_above_the_names_are_not_in_the_header() -> None:
    first = "The lamps of the harbour were counted in spring, and those lost in the storm"
    words = [
        *line_of(0, (150, first)),
        *line_of(1, (150, "are not among them:")),
        *line_of(2, (150, "Lamps"), (300, "Price")),
        *line_of(3, (0, "Deck"), (150, "4"), (300, "30.00")),
        *line_of(4, (0, "Buoy"), (150, "12"), (300, "7.00")),
    ]

    (table,) = tables_of(rows_of(words))

    assert table.names == ["", "are not among them: Lamps", "Price"]


@pytest.mark.parametrize("lines", [1, 2])
def test_too_few_rows_are_no_table(lines: int) -> None:
    words = [
        word for n in range(lines) for word in line_of(n, (0, "Sales"), (200, "118"), (300, "9"))
    ]

    assert list(tables_of(rows_of(words))) == []


def _texts(row: Sequence[list[Word]]) -> list[str]:
    return [cell_text(cell) for cell in row]
