"""Tables of cells that are told by the order in which they are drawn."""

import pytest

from indexing.partition.pdf.tables.drawn_tables import drawn_tables
from tests.indexing.partition.drawn_words import drawn_words

LEFTS = (0, 120, 250, 330)
NAMES = ["Work", "What is to be done", "Who", "Cost"]
GATES = ["Gates of the/north quay", "Oil all of them before/the harvest market/begins", "Ida", "12"]
LAMPS = ["Lamps", "Count them, with/their chains", "Jan", "7"]
BELLS = ["Bells of brass/and of steel/at the gate", "None", "Ada", "31"]


def _whole(row: list[str]) -> list[str]:
    return [cell.replace("/", " ") for cell in row]


@pytest.mark.parametrize("place", [0.0, 0.5, 1.0], ids=["top", "middle", "bottom"])
def test_cells_of_several_lines_are_whole_where_no_room_is_between_rows(place: float) -> None:
    words = drawn_words([NAMES, GATES, LAMPS, BELLS], LEFTS, place)

    (drawn,) = drawn_tables(words)

    assert drawn.table.names == NAMES
    assert drawn.table.texts == list(map(_whole, [GATES, LAMPS, BELLS]))


def test_titles_of_groups_stay_rows_of_their_own() -> None:
    words = drawn_words([NAMES, ["Quay"], GATES, LAMPS, ["Harbour"], BELLS], LEFTS, 0.5)

    (drawn,) = drawn_tables(words)

    titles = [row[0] for row in drawn.table.texts if not any(row[1:])]
    assert titles == ["Quay", "Harbour"]


def test_a_heading_over_columns_is_joined_with_their_names() -> None:
    rows = [
        ["", "Cost in 2024"],
        ["Work", "Plan", "Done"],
        ["Oil the gates/of the quay", "7", "12"],
        ["Lamps", "8", "9"],
        ["Count the bells/of brass", "3", "31"],
    ]
    words = drawn_words(rows, (0, 130, 180))
    words[0] = words[0]._replace(left=135, right=195)

    (drawn,) = drawn_tables(words)

    assert drawn.table.names == ["Work", "Cost in 2024 Plan", "Cost in 2024 Done"]


def test_a_label_beside_the_middle_of_rows_stands_in_each() -> None:
    rows = [["", *GATES[1:]], ["", *LAMPS[1:]], ["", *BELLS[1:]]]
    words = drawn_words([NAMES, *rows], LEFTS)
    label = words[0]._replace(text="Quay", line=4, top=45, bottom=54, middle=49.5)
    below = [word._replace(line=word.line + 1) for word in words[4:]]

    (drawn,) = drawn_tables([*words[:4], label, *below])

    assert [row[0] for row in drawn.table.texts] == ["Quay"] * 3


def test_rows_that_are_sure_are_told() -> None:
    words = drawn_words([NAMES, GATES, LAMPS, BELLS], LEFTS)

    (drawn,) = drawn_tables(words)

    assert {"Bells of brass and of steel at the gate"} in drawn.sure


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([["Lamps", "12"], ["Buoys", "7"], ["Bells", "3"]], id="of one line each"),
        pytest.param([["Ida/Jan/Ada/Eva", "12/7/3/9"]] * 3, id="columns drawn one by one"),
        pytest.param(
            [["The gates/of the quay", "1"], ["Lamps/at sea", "4"], ["Bells", "7"]], id="contents"
        ),
    ],
)
def test_other_words_are_no_table_of_drawn_cells(rows: list[list[str]]) -> None:
    assert list(drawn_tables(drawn_words(rows, LEFTS))) == []
