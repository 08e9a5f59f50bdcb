"""Tables without rules whose labels have several lines."""

import pytest

from indexing.partition.pdf.tables.aligned_rows import aligned_rows
from tests.indexing.partition.labelled_rows import labelled_rows
from tests.indexing.partition.placed_words import line_of

NAMES = line_of(0, (0, "Lamp"), (150, "Stock"), (250, "Price"))


def test_a_heading_and_other_text_are_no_rows_of_a_table() -> None:
    words, middles = labelled_rows([3, 1, 4, 2], 0.5)
    text = line_of(14, (0, "These lamps were counted in the spring of the year, all of them."))

    (edges,) = aligned_rows([*NAMES, *words, *text])

    (_, *within, _) = edges.whole
    assert [edge.at for edge in within] == pytest.approx(middles)
    assert all(len(edge.ends) == 4 for edge in within)


def test_few_labels_of_two_lines_are_left_to_other_rules() -> None:
    words, _ = labelled_rows([1, 1, 1, 1, 1, 2], 1)

    assert list(aligned_rows([*NAMES, *words])) == []


def test_names_below_headings_over_several_columns_are_left_to_other_rules() -> None:
    words, _ = labelled_rows([3, 1, 4, 2], 0)
    heading = line_of(-1, (190, "2024"))

    assert list(aligned_rows([*heading, *NAMES, *words])) == []
