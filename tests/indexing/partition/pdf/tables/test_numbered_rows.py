import pytest

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Row, Word, cell_text, cells_of, rows_of
from indexing.partition.pdf.tables.numbered_rows import numbered_rows
from tests.indexing.partition.placed_words import line_of

NAMES = line_of(0, (0, "No."), (50, "What to do"), (250, "Who"), (400, "Until"))
DATE = [*line_of(-3, (300, "Date"), (400, "01.11.2022")), *line_of(-1.6, (0, "What is left:"))]
AT_THE_BOTTOM = [
    *line_of(2, (50, "Paint the boat shed")),
    *line_of(3, (50, "before the harvest")),
    *line_of(4, (0, "1."), (50, "market"), (250, "Ida Berg"), (400, "02.11.2022")),
    *line_of(5.5, (50, "Count the lamps of"), (250, "Jan")),
    *line_of(6.5, (0, "2."), (50, "the harbour"), (250, "Holm"), (400, "27.02.2023")),
]
LAST = line_of(8.5, (0, "3."), (50, "Oil the gates"), (250, "Ada Lund"), (400, "09.05.2023"))
IN_THE_MIDDLE = [
    *line_of(2, (50, "Paint the boat shed")),
    *line_of(3, (0, "1."), (50, "before the harvest"), (250, "Ida Berg"), (400, "02.11.2022")),
    *line_of(4, (50, "market")),
    *line_of(6, (50, "Count the lamps of"), (250, "Jan")),
    *line_of(6.5, (0, "2."), (400, "27.02.2023")),
    *line_of(7, (50, "the harbour"), (250, "Holm")),
]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(AT_THE_BOTTOM, id="at the bottom"),
        pytest.param(IN_THE_MIDDLE, id="in the middle"),
        pytest.param([*DATE, *AT_THE_BOTTOM], id="below other figures and a text"),
    ],
)
def test_lines_near_a_number_are_those_of_its_row(words: list[Word]) -> None:
    (table,) = tables_of(rows_of([*NAMES, *words, *LAST]))

    assert _texts(table.header) == ["No.", "What to do", "Who", "Until"]
    assert list(map(_texts, table.rows)) == [
        ["1.", "Paint the boat shed before the harvest market", "Ida Berg", "02.11.2022"],
        ["2.", "Count the lamps of the harbour", "Jan Holm", "27.02.2023"],
        ["3.", "Oil the gates", "Ada Lund", "09.05.2023"],
    ]


def test_two_rows_of_several_lines_are_a_table_without_names() -> None:
    words = [
        *line_of(0, (50, "Lamps for the")),
        *line_of(1, (0, "1."), (50, "north gate"), (250, "12"), (300, "30.00")),
        *line_of(2.5, (50, "Buoys of cork")),
        *line_of(3.5, (0, "2."), (50, "and rope"), (250, "7"), (300, "21.00")),
    ]

    (table,) = tables_of(rows_of(words))

    assert list(map(_texts, table.rows)) == [
        ["1.", "Lamps for the north gate", "12", "30.00"],
        ["2.", "Buoys of cork and rope", "7", "21.00"],
    ]


def test_a_text_below_the_last_row_is_none_of_it() -> None:
    near = [*IN_THE_MIDDLE, *line_of(8, (50, "A text below the table."))]

    assert numbered_rows(_rows(near)) == [range(3), range(3, 6)]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            [
                *line_of(0, (0, "1."), (50, "Lamps"), (250, "12")),
                *line_of(1, (50, "of brass")),
                *line_of(2.5, (0, "2."), (50, "Buoys"), (250, "40")),
                *line_of(3.5, (50, "of cork")),
            ],
            id="numbers at the top",
        ),
        pytest.param(
            [
                *line_of(0, (50, "Lamps")),
                *line_of(1, (0, "1."), (50, "of brass"), (250, "12")),
                *line_of(2, (50, "Buoys")),
                *line_of(3, (0, "2."), (50, "of cork"), (250, "40")),
            ],
            id="rows as near to each other as lines",
        ),
        pytest.param(
            [
                *line_of(0, (0, "1."), (50, "Lamps"), (250, "12")),
                *line_of(1.5, (0, "In the north")),
                *line_of(2.5, (0, "2."), (50, "Buoys"), (250, "40")),
            ],
            id="a heading in between",
        ),
    ],
)
def test_rows_are_not_sure(words: list[Word]) -> None:
    assert numbered_rows(_rows(words)) == []


def test_letters_of_other_heights_do_not_tell_rows() -> None:
    high = [word._replace(height=14) for word in line_of(0.9, (50, "Lamps of"))]
    words = [
        *line_of(0, (0, "1."), (50, "Bells"), (250, "7")),
        *high,
        *line_of(1.8, (0, "2."), (50, "brass"), (250, "12")),
        *line_of(2.9, (0, "3."), (50, "Buoys"), (250, "40")),
    ]

    assert numbered_rows(_rows(words)) == []


def _rows(words: list[Word]) -> list[Row]:
    return list(map(cells_of, rows_of(words)))


def _texts(row: Row) -> list[str]:
    return list(map(cell_text, row))
