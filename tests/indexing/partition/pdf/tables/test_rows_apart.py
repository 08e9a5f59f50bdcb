"""Rows whose cells have several lines, told by where these stand."""

import pytest

from indexing.partition.pdf.tables.rows_apart import rows_apart
from tests.indexing.partition.labelled_rows import ENDS, labelled_rows
from tests.indexing.partition.placed_words import line_of


@pytest.mark.parametrize("place", [0.0, 0.5, 1.0], ids=["top", "middle", "bottom"])
def test_rows_are_told_by_figures_that_stand_alike_beside_labels(place: float) -> None:
    words, middles = labelled_rows([3, 1, 4, 2], place)

    heights = rows_apart(words, ENDS)

    assert heights == pytest.approx(middles)


def test_a_word_that_is_broken_is_in_two_lines_of_its_cell() -> None:
    words, middles = labelled_rows([3, 1, 4, 2], 0.5)
    word = words[0]._replace(bottom=words[1].bottom, height=24, middle=words[0].bottom + 2)

    assert rows_apart([*words, word], ENDS) == pytest.approx(middles)


def test_lines_as_far_apart_as_rows_are_not_put_together() -> None:
    words, _ = labelled_rows([3, 1, 4, 2], 0.5, pause=0)

    assert rows_apart(words, ENDS) == []


def test_figures_below_each_other_beside_one_label_are_no_row() -> None:
    words, _ = labelled_rows([3, 1, 4, 2], 0)

    assert rows_apart([*words, *line_of(2, (150, "12"))], ENDS) == []
