"""Tables and titles of groups among rows that are told by the order in which they are drawn."""

import pytest

from indexing.partition.pdf.tables.cells import cell_text
from indexing.partition.pdf.tables.columns import Column
from indexing.partition.pdf.tables.drawn_cells import DrawnRow, drawn_rows
from indexing.partition.pdf.tables.drawn_groups import (
    at_gaps,
    is_item,
    tables_in,
    without_titles,
)
from tests.indexing.partition.drawn_words import LINE, drawn_words

LEFTS = (0, 100, 200)
COLUMNS = [Column(0, 80, 2), Column(100, 150, 2), Column(200, 230, 2)]
SEVERAL = ["Oil the gates/of the quay", "Ida Berg/and Jan/Holm", "12"]


def _texts(rows: list[DrawnRow]) -> list[list[str]]:
    return [[cell_text(cell.words) for cell in row] for row in rows]


@pytest.mark.parametrize("place", [0.0, 0.5], ids=["top", "middle"])
def test_a_title_is_told_by_the_heights_of_the_other_cells(place: float) -> None:
    rows = [SEVERAL, ["Quay"], ["Lamps/of brass", "Ada Lund", "7"]]

    found = without_titles(
        drawn_rows(drawn_words(rows, LEFTS, place)), COLUMNS, LINE, are_apart=False
    )

    assert _texts(list(found))[1:] == [["Quay"], ["Lamps of brass", "Ada Lund", "7"]]


def test_a_title_above_cells_at_the_bottom_ends_where_there_was_room() -> None:
    rows = [SEVERAL, ["Quay"], ["Lamps for the/gates", "Ada Lund", "7"]]

    found = without_titles(
        drawn_rows(drawn_words(rows, LEFTS, 1.0)), COLUMNS, LINE, are_apart=False
    )

    assert _texts(list(found))[1:] == [["Quay"], ["Lamps for the gates", "Ada Lund", "7"]]


def test_what_is_too_far_above_a_cell_stands_alone() -> None:
    rows = drawn_rows(drawn_words([["Quay"], ["Lamps", "7"]], LEFTS, pause=10))

    assert _texts(rows) == [["Quay Lamps", "7"]]
    assert _texts(list(at_gaps(rows, 1.2 * LINE))) == [["Quay"], ["Lamps", "7"]]


def test_names_of_columns_below_figures_begin_another_table() -> None:
    rows = [["Item", "2023", "2024"], ["Lamps", "12", "7"], ["Item", "Stock", "Price"]]

    first, second = tables_in(drawn_rows(drawn_words([*rows, ["Buoys", "3", "9"]], LEFTS)))

    assert _texts(first) == rows[:2]
    assert _texts(second) == [rows[2], ["Buoys", "3", "9"]]


def test_a_row_of_words_below_figures_names_the_columns_of_a_narrower_table() -> None:
    lefts = (0, 60, 120, 180, 240)
    rows = [["Item", "2021", "2022", "2023", "2024"], ["Lamps", "12", "7", "9", "4"]]
    rows.append(["Bells", "3", "8", "1", "6"])
    others = [["Rate", "Net", "Gross"], ["5%", "12", "13"]]

    first, second = tables_in(drawn_rows(drawn_words([*rows, *others], lefts)))

    assert [_texts(first), _texts(second)] == [rows, others]


def test_a_text_of_several_lines_parts_tables() -> None:
    text = [["The lamps of the quay were counted in spring, all of"], ["them."]]
    rows = [["Sign", "Place", "Work"], ["A9", "Quay", "Oil the gates"]]

    drawn = drawn_rows(drawn_words([*rows, *text, *rows], LEFTS))
    first, second = tables_in(list(at_gaps(drawn, LINE)))

    assert _texts(first) == rows
    assert _texts(second)[-2:] == rows


def test_a_note_behind_its_mark_is_no_row() -> None:
    (note,) = drawn_rows(drawn_words([["(1)", "With what was found at the gate."]], (0, 30)))
    (row,) = drawn_rows(drawn_words([["Lamps", "7"]], (0, 100)))

    assert is_item(note, 100)
    assert not is_item(row, 100)
