import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from indexing.partition.pdf.tables.bands import Bands, bands_of, table_in
from indexing.partition.pdf.tables.cells import Word, cell_text
from indexing.partition.pdf.tables.rules import Rule, Rules

LINE = 12.0
"""From a line to the next; a rule stands right above each line that has a number for it."""


def test_rules_of_the_same_length_part_bands() -> None:
    across = [Rule(at, 50, 250) for at in (140, 100, 120)]

    assert bands_of(Rules(across, [], []), least=75) == [Bands(50, 250, [100, 120, 140], 20, 20)]


def test_a_rule_may_be_drawn_cell_by_cell() -> None:
    across = [Rule(at, left, left + 100) for left in (50, 150) for at in (100, 120, 141)]

    (bands,) = bands_of(Rules(across, [], []), least=75)

    assert (bands.left, bands.right, bands.heights) == (50, 250, [100, 120, 141])


@pytest.mark.parametrize(
    "across",
    [
        pytest.param([Rule(100, 50, 250), Rule(120, 50, 250)], id="two"),
        pytest.param([Rule(at, 50, 60 + at) for at in (100, 120, 140)], id="unlike"),
        pytest.param([Rule(at, 50, 90) for at in (100, 120, 140)], id="below figures"),
    ],
)
def test_other_rules_part_no_bands(across: list[Rule]) -> None:
    assert bands_of(Rules(across, [], []), least=75) == []


def test_bands_hold_a_row_below_them_and_two_lines_of_names_above() -> None:
    bands = Bands(50, 250, [100, 120, 140], 20, 20)

    heights = np.array([59, 61, 110, 159, 161])
    assert bands.holds(np.full(5, 60), heights).tolist() == [False, True, True, True, False]
    assert not bands.holds(np.full(5, 251), heights).any()


def test_cells_of_several_lines_are_one_row() -> None:
    words = [
        *_line(0, (0, "Step"), (50, "Action"), (250, "Owner")),
        *_line(1, (0, "1"), (50, "Open the gate and wait for"), (250, "Guard")),
        *_line(2, (50, "the lamp to turn green")),
        *_line(3, (0, "2"), (50, "Close the gate"), (250, "Driver")),
    ]

    assert _rows(words, 0, 1, 3, 4) == [
        ["Step", "Action", "Owner"],
        ["1", "Open the gate and wait for the lamp to turn green", "Guard"],
        ["2", "Close the gate", "Driver"],
    ]


def test_texts_of_all_columns_but_the_first_may_go_on_in_the_next_line_of_a_row() -> None:
    words = [
        *_line(0, (0, "Service"), (80, "Basic"), (180, "Plus"), (280, "Premium")),
        *_line(1, (0, "Updates"), (80, "once in the"), (180, "twice in"), (280, "each week")),
        *_line(2, (80, "year alone"), (180, "each month"), (280, "and day")),
        *_line(3, (0, "Repairs"), (80, "in May"), (180, "in June"), (280, "always")),
    ]

    assert _rows(words, 0, 1, 3, 4) == [
        ["Service", "Basic", "Plus", "Premium"],
        ["Updates", "once in the year alone", "twice in each month", "each week and day"],
        ["Repairs", "in May", "in June", "always"],
    ]


def test_a_wide_name_above_figures_of_a_long_table_is_that_of_their_column() -> None:
    rows = [_line(number, (0, "Lamp"), (150, f"{number}")) for number in range(1, 31)]
    words = [*_line(0, (0, "Article"), (60, "Pieces of the year")), *itertools.chain(*rows)]

    assert _rows(words, *range(1, 32))[0] == ["Article", "Pieces of the year"]


def test_two_columns_of_text_are_a_table_for_their_rules() -> None:
    words = [
        *_line(0, (0, "Company"), (150, "Seat")),
        *_line(1, (0, "Lamps LLC"), (150, "Delaware")),
        *_line(2, (0, "Gates AG"), (150, "Switzerland")),
    ]

    assert _rows(words, 0, 1, 2, 3) == [
        ["Company", "Seat"],
        ["Lamps LLC", "Delaware"],
        ["Gates AG", "Switzerland"],
    ]


def test_the_outer_rows_need_no_rules_around_them() -> None:
    words = [
        *_line(0, (0, "Company"), (150, "Seat")),
        *_line(1, (0, "Lamps LLC"), (150, "Delaware")),
        *_line(2, (0, "Gates AG"), (150, "Switzerland")),
        *_line(3, (0, "Doors and other")),
        *_line(3, (150, "Kenya")),
        *_line(4, (0, "Openings Ltd")),
        *_line(6, (0, "It is running text that follows.")),
    ]

    assert _rows(words, 1, 2, 3) == [
        ["Company", "Seat"],
        ["Lamps LLC", "Delaware"],
        ["Gates AG", "Switzerland"],
        ["Doors and other Openings Ltd", "Kenya"],
    ]


def test_the_last_row_has_lines_as_far_apart_as_those_of_the_others() -> None:
    words = [
        *_line(0, (0, "Part"), (80, "Use"), (200, "Price")),
        *_line(1, (0, "Lamp"), (80, "on the"), (112, "quay"), (200, "12.50")),
        *_line(3, (80, "and the"), (117, "bridge")),
        *_line(5, (0, "Bell"), (80, "at the"), (112, "gate"), (200, "30.00")),
        *_line(7, (80, "of the"), (112, "yard")),
    ]

    assert _rows(words, 0, 1, 5)[1:] == [
        ["Lamp", "on the quay and the bridge", "12.50"],
        ["Bell", "at the gate of the yard", "30.00"],
    ]


def test_a_caption_above_is_not_a_row() -> None:
    words = [
        *_line(0, (0, "Table 3: where the companies have their seats")),
        *_line(1, (0, "Company"), (150, "Seat")),
        *_line(2, (0, "Lamps LLC"), (150, "Delaware")),
        *_line(3, (0, "Gates AG"), (150, "Switzerland")),
    ]

    assert _rows(words, 1, 2, 3, 4)[0] == ["Company", "Seat"]


def test_one_cell_over_the_columns_does_not_join_them() -> None:
    words = [
        *_line(0, (0, "Companies of the whole group of ours")),
        *(word for n in range(1, 12) for word in _line(n, (0, f"Lamps {n}"), (150, "Kenya"))),
    ]

    assert _rows(words, *range(13))[1:3] == [["Lamps 1", "Kenya"], ["Lamps 2", "Kenya"]]


def test_a_name_of_several_words_above_the_first_rule_is_one() -> None:
    words = [
        *_line(0, (0, "Lamp"), (100, "Pieces"), (150, "Unit"), (174, "price")),
        *_line(1, (0, "Deck lamp"), (120, "2"), (160, "30.00")),
        *_line(2, (0, "Signal lamp"), (115, "12"), (165, "7.00")),
    ]

    assert _rows(words, 1, 2, 3)[0] == ["Lamp", "Pieces", "Unit price"]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([["Gold", "12"], ["Open", "14"]], id="figures below figures"),
        pytest.param([["a", "b", "c"], ["d", "e", "f"]], id="three cells below three"),
    ],
)
def test_several_rows_between_two_rules_are_not_made_one(lines: Sequence[Sequence[str]]) -> None:
    header, rows = ["Kind", "Count", "Note"], [*lines, ["All", "26", "sum"]]
    words = [
        word
        for number, row in enumerate([header, *rows])
        for word in _line(number, *((100 * n, text) for n, text in enumerate(row)))
    ]

    assert table_in(_bands(0, 1, 3, 4), words) is None


@pytest.mark.parametrize("first_rule", [0, 2])
def test_a_heading_over_several_columns_is_joined_with_their_names(first_rule: int) -> None:
    words = [
        *_line(0, (135, "2023"), (285, "2024")),
        *_line(1, (0, "Lamp"), (100, "Sold"), (170, "Lost"), (250, "Sold"), (320, "Lost")),
        *_line(2, (0, "Deck"), (100, "4"), (170, "30"), (250, "5"), (320, "31")),
        *_line(3, (0, "Buoy"), (100, "12"), (170, "7"), (250, "13"), (320, "8")),
    ]

    table = table_in(_bands(*sorted({first_rule, 2, 3, 4})), words)

    assert table is not None
    assert table.names == ["Lamp", "2023 Sold", "2023 Lost", "2024 Sold", "2024 Lost"]


def test_a_heading_over_several_columns_may_stand_above_a_rule_of_its_own() -> None:
    words = [
        *_line(0, (128, "In 2023"), (288, "In 2024")),
        *_line(2, (0, "Lamp"), (100, "Sold"), (160, "Lost"), (260, "Sold"), (320, "Lost")),
        *_line(4, (0, "Deck"), (100, "4"), (160, "30"), (260, "5"), (320, "31")),
        *_line(6, (0, "Buoy"), (100, "1234567"), (160, "7"), (260, "1234567"), (320, "8")),
    ]

    table = table_in(replace(_bands(1, 3, 5, 7), near=2 * LINE), words)

    assert table is not None
    assert table.names == ["Lamp", "In 2023 Sold", "In 2023 Lost", "In 2024 Sold", "In 2024 Lost"]


@pytest.mark.parametrize(
    "above",
    [
        pytest.param([(0, "Lamps at the quay, of two years")], id="a caption"),
        pytest.param([(100, "from the"), (250, "lists")], id="names of single columns"),
    ],
)
def test_what_is_above_names_is_no_heading_of_several(above: list[tuple[float, str]]) -> None:
    words = [
        *_line(0, *above),
        *_line(1, (0, "Lamp"), (100, "Sold"), (170, "Lost"), (250, "Kept"), (320, "Gone")),
        *_line(2, (0, "Deck"), (100, "4"), (170, "30"), (250, "5"), (320, "31")),
        *_line(3, (0, "Buoy"), (100, "12"), (170, "7"), (250, "13"), (320, "8")),
    ]

    table = table_in(_bands(2, 3, 4), words)

    assert table is not None
    assert table.names == ["Lamp", "Sold", "Lost", "Kept", "Gone"]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([["It is text."], ["And more text."], ["And again."]], id="one column"),
        pytest.param([["Name:", "Ada"], ["Seat:", "Kenya"], ["By:", "Hand"]], id="a form"),
        pytest.param([["One", "Two"], ["Three"], ["Four"], ["Five"]], id="few cells"),
        pytest.param([["Kind", "Note"], ["A", "long " * 61], ["B", "short"]], id="running text"),
        pytest.param([["Kind", "Note"], ["A", "far " * 999], ["B", "short"]], id="off the page"),
    ],
)
def test_what_is_no_table_stays_text(rows: Sequence[Sequence[str]]) -> None:
    words = [
        word
        for number, row in enumerate(rows)
        for word in _line(number, *((100 * n, text) for n, text in enumerate(row)))
    ]

    assert table_in(_bands(*range(len(rows) + 1)), words) is None


def _rows(words: Sequence[Word], *rules: int) -> list[list[str]]:
    table = table_in(_bands(*rules), words)
    assert table is not None
    return [[cell_text(cell) for cell in row] for row in (table.header, *table.rows) if row]


def _bands(*rules: int) -> Bands:
    return Bands(0, 400, [LINE * number - 1 for number in rules], LINE, LINE)


def _line(number: int, *words: tuple[float, str]) -> list[Word]:
    """Return words that begin there, each letter five points wide and ten high."""
    top = LINE * number
    return [
        Word(text, number, x, top, x + 5 * len(text), top + 10, height=10, middle=top + 5)
        for x, text in words
    ]
