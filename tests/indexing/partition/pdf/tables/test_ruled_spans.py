"""Where tables with rules between some of their rows begin and end."""

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


def test_a_label_with_its_value_above_names_is_none_of_the_names() -> None:
    form = [*line_of(0, (0, "Keeper:"), (110, "Ann")), *line_of(1, (0, "Place:"), (110, "Quay"))]
    names = line_of(2, (0, "Lamp"), (110, "Stock"), (210, "Price"))
    words = [*form, *names, *_row(3, "Buoy"), *_row(4, "Bell")]

    assert _spans(words, 2, 3, 4, 5) == [(2, 5)]


def _row(number: float, label: str) -> list[Word]:
    return line_of(number, (0, label), (110, "12"), (210, "30.00"))


def _spans(words: list[Word], *rules: int) -> list[tuple[int, int]]:
    """Return above which lines spans begin and end; rules are above these lines."""
    edges = [Edge(LINE * at - 2, ENDS) for at in rules]
    found = spans(RuledRows(edges, [], []), lines_of(words), 10)
    return [(round((one.top + 2) / LINE), round((one.bottom + 2) / LINE)) for one in found]
