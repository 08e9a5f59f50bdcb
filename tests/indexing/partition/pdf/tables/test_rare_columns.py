import pytest

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Row, Word, cell_text, rows_of
from indexing.partition.pdf.tables.rare_columns import Column, with_rare_columns
from tests.indexing.partition.placed_words import line_of

STATEMENT = [
    *line_of(0, (0, "Date"), (60, "Details"), (200, "Out"), (260, "In"), (320, "Balance")),
    *line_of(1, (0, "1 May"), (60, "Rent"), (200, "80.0"), (320, "120.0")),
    *line_of(2, (0, "3 May"), (60, "Bread"), (200, "48.1"), (320, "71.9")),
    *line_of(3, (0, "5 May"), (60, "Horns"), (200, "10.0"), (320, "61.9")),
]


def test_a_lone_figure_below_a_name_of_its_own_is_in_a_column_of_its_own() -> None:
    words = [*STATEMENT, *line_of(4, (0, "9 May"), (60, "Salary"), (250, "90.0"), (320, "151.9"))]

    header, *rows = _read(words)

    assert header == ["Date", "Details", "Out", "In", "Balance"]
    assert rows[2:] == [
        ["5 May", "Horns", "10.0", "", "61.9"],
        ["9 May", "Salary", "", "90.0", "151.9"],
    ]


def test_a_name_between_others_has_a_column_even_if_nothing_is_in_it() -> None:
    header, *rows = _read(STATEMENT)

    assert header == ["Date", "Details", "Out", "In", "Balance"]
    assert rows[0] == ["1 May", "Rent", "80.0", "", "120.0"]


def test_a_name_in_the_middle_of_a_wide_column_is_that_of_the_labels_on_its_left() -> None:
    words = [
        *line_of(0, (115, "Item"), (260, "Price"), (320, "Total")),
        *line_of(1, (0, "Oak"), (260, "80.0"), (320, "120.0")),
        *line_of(2, (0, "Gear wheel"), (260, "48.1"), (320, "71.9")),
        *line_of(3, (0, "Long bolt"), (260, "10.0"), (320, "61.9")),
    ]

    header, *rows = _read(words)

    assert header == ["Item", "Price", "Total"]
    assert rows[0] == ["Oak", "80.0", "120.0"]


@pytest.mark.parametrize(
    ("left", "labels"),
    [
        pytest.param(9, ("1", "2", "3"), id="numbers of rows"),
        pytest.param(29, ("Maple", "Beech", "Larch"), id="in cells with a padding"),
    ],
)
def test_a_name_in_the_middle_is_that_of_the_labels(left: int, labels: tuple[str, ...]) -> None:
    right = 2 * left + 32
    words = [
        *line_of(0, (left, "Item"), (260, "Price"), (320, "Total")),
        *line_of(1, (0, labels[0]), (right, "At sea"), (260, "80.0"), (320, "120.0")),
        *line_of(2, (0, labels[1]), (right, "On land"), (260, "48.1"), (320, "71.9")),
        *line_of(3, (0, labels[2]), (right, "In port"), (260, "10.0"), (320, "61.9")),
    ]
    words.insert(1, *line_of(0, (right, "Place")))

    assert _read(words)[0] == ["Item", "Place", "Price", "Total"]


def test_a_table_of_words_may_have_such_a_column() -> None:
    words = [
        *line_of(0, (0, "Lamp"), (80, "Keeper"), (160, "Place"), (240, "Stock"), (300, "Lost")),
        *line_of(1, (0, "Deck lamp"), (80, "Ann"), (160, "Quay"), (240, "4")),
        *line_of(2, (0, "Buoy"), (80, "Bo"), (160, "Mole"), (240, "7")),
        *line_of(3, (0, "Horn"), (80, "Cy"), (160, "Gate"), (305, "X")),
    ]

    assert _read(words)[1:] == [
        ["Deck lamp", "Ann", "Quay", "4", ""],
        ["Buoy", "Bo", "Mole", "7", ""],
        ["Horn", "Cy", "Gate", "", "X"],
    ]


def test_a_name_beside_a_column_without_one_may_be_that_of_the_column() -> None:
    columns = [Column(0, 50, 3), Column(100, 150, 3), Column(200, 250, 3)]
    names = _cells((160, "Stock"), (205, "Price"))

    assert with_rare_columns(columns, [], names) == columns


def test_several_lone_figures_side_by_side_are_those_of_another_table() -> None:
    columns, lone = (
        [Column(0, 50, 3), Column(300, 350, 3)],
        [Column(100, 120, 1), Column(200, 220, 1)],
    )
    names = _cells((100, "2023"), (200, "2024"), (300, "2025"))

    assert with_rare_columns(columns, lone, names) == columns


def _cells(*words: tuple[float, str]) -> Row:
    return [[word] for word in line_of(0, *words)]


def _read(words: list[Word]) -> list[list[str]]:
    """Return the texts of the header and the rows of the only table."""
    (table,) = tables_of(rows_of(words))
    return [[cell_text(cell) for cell in row] for row in (table.header, *table.rows)]
