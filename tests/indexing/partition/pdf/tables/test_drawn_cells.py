"""Cells and rows that are told by the order in which they are drawn."""

import pytest

from indexing.partition.pdf.tables.cells import plain_text
from indexing.partition.pdf.tables.drawn_cells import (
    DrawnRow,
    are_columns,
    drawn_rows,
    is_proven,
    line_distance,
    row_distance,
    steps_up,
)
from tests.indexing.partition.drawn_words import LINE, drawn_words

ROWS = [
    ["Oil the gates/of the north/quay", "Ida Berg", "open"],
    ["Count the lamps", "with their/chains/of brass", "closed"],
]
LEFTS = (0, 100, 200)


def _texts(rows: list[DrawnRow]) -> list[list[str]]:
    return [["/".join(map(plain_text, cell.lines)) for cell in row] for row in rows]


@pytest.mark.parametrize("place", [0.0, 0.5, 1.0], ids=["top", "middle", "bottom"])
def test_rows_are_told_by_cells_that_begin_again_further_left(place: float) -> None:
    words = drawn_words(ROWS, LEFTS, place)

    assert _texts(drawn_rows(words)) == ROWS


def test_a_label_beside_the_middle_of_rows_is_of_the_first_of_them() -> None:
    words = drawn_words([["", "Lamps", "12"], ["", "Buoys", "7"], ["", "Bells", "3"]], LEFTS)
    label, *_ = drawn_words([["", ""], ["Quay"]], (0, 100))

    rows = drawn_rows([label._replace(top=LINE, bottom=LINE + 9, middle=LINE + 4.5), *words])

    assert _texts(rows) == [["Quay", "Lamps", "12"], ["Buoys", "7"], ["Bells", "3"]]


def test_a_text_right_above_names_of_columns_is_no_line_of_the_first() -> None:
    text = drawn_words([["What is to be done on the quay this year, and by whom"]], LEFTS)
    names = drawn_words([[""], ["Work", "Who", "State"]], LEFTS)

    rows = drawn_rows([*text, *(word._replace(line=word.line + 1) for word in names)])

    assert _texts(rows)[1:] == [["Work", "Who", "State"]]


def test_a_text_right_below_the_last_cell_is_no_line_of_it() -> None:
    words = drawn_words(
        [["Lamps", "with their/chains"], ["What is to be done on the quay"]], (0, 100)
    )

    assert _texts(drawn_rows(words)) == [
        ["Lamps", "with their/chains"],
        ["What is to be done on the quay"],
    ]


def test_what_is_read_from_the_right_goes_on_behind_the_cells_beside_it() -> None:
    first, second, third, who, state = drawn_words([ROWS[0]], LEFTS)
    beside = [word._replace(line=second.line) for word in (who, state)]

    rows = drawn_rows([first, *beside, second, third], from_right=True)

    assert _texts(rows)[0] == ["Oil the gates/of the north", "Ida Berg", "open"]


def test_only_cells_of_several_lines_step_up() -> None:
    assert steps_up(drawn_words(ROWS, LEFTS))
    assert not steps_up(drawn_words([["Lamps", "12"], ["Buoys", "7"]], LEFTS))


def test_a_raised_mark_is_no_step() -> None:
    label, figure = drawn_words([["Lamps", "12"]], LEFTS)
    mark = figure._replace(text="(1)", left=30, top=-1, bottom=5, height=6, middle=2)

    assert not steps_up([label, mark, figure])


def test_a_row_is_proven_by_a_cell_that_begins_above_the_end_of_the_last_one() -> None:
    high, low = drawn_rows(drawn_words(ROWS, LEFTS, 1.0))

    assert [is_proven(high, LINE), is_proven(low, LINE)] == [False, True]


def test_columns_drawn_one_by_one_are_no_row_of_several_lines() -> None:
    (row,) = drawn_rows(drawn_words([["Ida/Jan/Ada", "12/7/3"]], LEFTS))

    assert are_columns(row)
    assert not is_proven(row, LINE)


def test_lines_of_cells_and_rows_are_told_by_their_distances() -> None:
    rows = drawn_rows(drawn_words(ROWS, LEFTS, pause=6))

    assert line_distance(rows) == LINE
    assert row_distance(rows) == LINE + 6


def test_a_line_that_begins_above_the_one_before_is_at_no_distance() -> None:
    first, second, beside = drawn_words([["Lamps/of brass", "12"]], LEFTS)
    high = second._replace(top=-5, bottom=45, height=50, middle=20)

    assert line_distance(drawn_rows([first, high, beside])) == 0
