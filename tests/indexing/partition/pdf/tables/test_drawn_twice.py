"""Cells of several lines that are drawn behind all those of one line, as sheets are printed."""

from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import Word, cell_text
from indexing.partition.pdf.tables.drawn_cells import DrawnRow, drawn_rows
from indexing.partition.pdf.tables.drawn_twice import (
    in_their_rows,
    line_distance_within,
    lines_behind,
)
from indexing.types import PageBox
from tests.indexing.partition.drawn_words import LINE, drawn_words

LEFTS = (0, 40, 200, 260)
ROWS = [
    ["No.", "What to do", "Who", "Cost"],
    ["1", "Oil all the gates/of the quay", "Ida", "12"],
    ["2", "Count the lamps", "Jan", "7"],
    ["3", "Paint the bells of/the harbour/in blue", "Ada", "31"],
    ["4", "Sweep", "Eva", "9"],
]


def _texts(rows: Sequence[DrawnRow]) -> list[list[str]]:
    return [[cell_text(cell.words) for cell in row] for row in rows]


def _printed(rows: Sequence[Sequence[str]]) -> list[Word]:
    """Return the words as of a sheet: those of cells of several lines are the last."""
    drawn = drawn_words(rows, LEFTS, 0.5)
    of_several = [line for row in rows for cell in row if "/" in cell for line in cell.split("/")]
    later = [word.text in of_several for word in drawn]
    in_turn = [
        word
        for is_later in (False, True)
        for word, one in zip(drawn, later, strict=True)
        if one is is_later
    ]
    return [word._replace(line=number) for number, word in enumerate(in_turn)]


def test_cells_drawn_later_are_put_into_their_rows() -> None:
    rows = in_their_rows(drawn_rows(_printed(ROWS)))

    assert _texts(rows) == [[cell.replace("/", " ") for cell in row] for row in ROWS]


def test_the_last_row_may_have_more_lines_than_one_below_its_others() -> None:
    last = ["5", "Count the boats/of the quay/and of all/other quays/in town", "Jan", "8"]

    rows = in_their_rows(drawn_rows(_printed([*ROWS, last])))

    assert _texts(rows)[-1][1] == "Count the boats of the quay and of all other quays in town"


def test_rows_drawn_in_order_and_columns_of_text_stay_as_they_are() -> None:
    column = drawn_words([["The quay is open"], ["from May on,"], ["says the board."]], (0,))
    beside = [word._replace(left=200, right=280, line=word.line + 3) for word in column]

    assert in_their_rows(drawn_rows(drawn_words(ROWS, LEFTS, 0.5))) == []
    assert in_their_rows(drawn_rows([*column, *beside])) == []


def test_labels_beside_several_rows_are_not_drawn_later() -> None:
    words = drawn_words([["", "Lamps", "12"], ["", "Buoys", "7"], ["", "Bells", "3"]], (0, 40, 200))
    label = words[0]._replace(text="Quay", left=0, right=20, top=12, bottom=21, middle=16.5)

    assert in_their_rows(drawn_rows([label, *words, label._replace(top=10)])) == []


def test_the_distance_of_lines_is_that_in_all_cells() -> None:
    assert line_distance_within(drawn_rows(drawn_words([["Oil/the gates"]], LEFTS))) == LINE
    assert line_distance_within(drawn_rows(drawn_words([["Oil"]], LEFTS))) == 0


def test_lines_behind_a_run_stand_between_its_own() -> None:
    run: list[PageBox | None] = [(0.1, top / 100, 0.9, top / 100 + 0.01) for top in (10, 15, 20)]
    within: PageBox = (0.2, 0.14, 0.5, 0.15)
    below: PageBox = (0.2, 0.3, 0.5, 0.31)

    assert lines_behind([*run, within, within, below], range(3)) == range(3, 5)
    assert not lines_behind([*run, below], range(3))
    assert not lines_behind(run, range(3))
