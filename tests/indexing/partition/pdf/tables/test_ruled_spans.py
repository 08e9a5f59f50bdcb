"""Where tables with rules between some of their rows begin and end."""

import pytest

from indexing.partition.pdf.tables.cells import Word
from indexing.partition.pdf.tables.edges import Edge, RuledRows
from indexing.partition.pdf.tables.lines import lines_of
from indexing.partition.pdf.tables.ruled_spans import spans
from tests.indexing.partition.placed_words import LINE, line_of

ENDS = (0.0, 100.0, 200.0, 300.0)


def test_names_above_the_first_rule_and_a_row_below_the_last_one_are_of_the_table() -> None:
    text = line_of(0, (0, "All lamps that were counted in the spring of the year, and sold."))
    words = [*text, *_row(2, "Lamp"), *_row(3, "Buoy"), *_row(4, "Bell"), *line_of(7, (0, "Text"))]

    assert _spans(words, 3, 4) == [(2, 5)]


def test_a_text_between_rules_parts_two_tables() -> None:
    text = line_of(3, (0, "The second one has all that was sold in the north, and where."))
    words = [*_row(0, "Lamp"), *_row(1, "Buoy"), *text, *_row(5, "Lamp"), *_row(6, "Bell")]

    assert _spans(words, 1, 2, 6, 7) == [(0, 2), (5, 7)]


def test_a_label_above_a_row_with_figures_parts_nothing() -> None:
    label = line_of(2, (0, "Lamps of the sea"))
    words = [*_row(0, "Lamp"), *_row(1, "Buoy"), *label, *_row(3, "Bell")]

    assert _spans(words, 1, 2, 4) == [(0, 4)]


def test_a_title_of_rows_in_a_cell_over_all_columns_parts_nothing() -> None:
    title = line_of(2, (0, "Lamps of the northern sea"))
    words = [*_row(0, "Lamp"), *_row(1, "Buoy"), *title, *_row(3, "Bell"), *_row(4, "Gong")]

    assert _spans(words, 0, 1, 4, 5, cells=(2, 3)) == [(0, 5)]
    assert len(_spans(words, 0, 1, 4, 5)) == 2


def test_a_label_with_its_value_above_names_is_none_of_the_names() -> None:
    form = [*line_of(0, (0, "Keeper:"), (110, "Ann")), *line_of(1, (0, "Place:"), (110, "Quay"))]
    names = line_of(2, (0, "Lamp"), (110, "Stock"), (210, "Price"))
    words = [*form, *names, *_row(3, "Buoy"), *_row(4, "Bell")]

    assert _spans(words, 2, 3, 4, 5) == [(2, 5)]


@pytest.mark.parametrize(
    ("left", "text", "end"),
    [
        pytest.param(150, "1 / 2", 4, id="a number of the page"),
        pytest.param(150, "Page 1 of 2", 4, id="with words"),
        pytest.param(210, "61.00", 5, id="a sum in line with its column"),
        pytest.param(150, "in all", 5, id="words"),
    ],
)
def test_the_number_of_the_page_below_the_last_rule_is_no_row(
    left: int, text: str, end: int
) -> None:
    words = [*_row(1, "Lamp"), *_row(2, "Buoy"), *_row(3, "Bell"), *line_of(4, (left, text))]

    assert _spans(words, 1, 2, 3, 4) == [(1, end)]


def _row(number: float, label: str) -> list[Word]:
    return line_of(number, (0, label), (110, "12"), (210, "30.00"))


def _spans(words: list[Word], *rules: int, cells: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    """Return above which lines spans begin and end; rules are above these lines.

    Those of cells over all columns are above others.
    """
    partial = [Edge(LINE * at - 2, (ENDS[0], ENDS[-1])) for at in cells]
    edges = [Edge(LINE * at - 2, ENDS) for at in rules]
    found = spans(RuledRows(edges, partial, []), lines_of(words), 10)
    return [(round((one.top + 2) / LINE), round((one.bottom + 2) / LINE)) for one in found]
