"""Rows whose cells have several lines, told by where these stand."""

import itertools
from collections.abc import Sequence

import pytest

from indexing.partition.pdf.tables.aligned_rows import aligned_rows, rows_apart
from indexing.partition.pdf.tables.cells import Word
from tests.indexing.partition.placed_words import LINE, line_of

ENDS = (0.0, 100.0, 200.0, 300.0)
LABELS = ["of the harbour", "at the gate", "with its chain", "in blue", "of brass"]
PAUSE = 0.5  # of a line, between two rows
NAMES = line_of(0, (0, "Lamp"), (150, "Stock"), (250, "Price"))


@pytest.mark.parametrize("place", [0.0, 0.5, 1.0], ids=["top", "middle", "bottom"])
def test_rows_are_told_by_figures_that_stand_alike_beside_labels(place: float) -> None:
    words, middles = _rows([3, 1, 4, 2], place)

    heights = rows_apart(words, ENDS)

    assert heights == pytest.approx(middles)


def test_a_heading_and_other_text_are_no_rows_of_a_table() -> None:
    words, middles = _rows([3, 1, 4, 2], 0.5)
    text = line_of(14, (0, "These lamps were counted in the spring of the year, all of them."))

    (edges,) = aligned_rows([*NAMES, *words, *text])

    (_, *within, _) = edges.whole
    assert [edge.at for edge in within] == pytest.approx(middles)
    assert all(len(edge.ends) == 4 for edge in within)


def test_a_word_that_is_broken_is_in_two_lines_of_its_cell() -> None:
    words, middles = _rows([3, 1, 4, 2], 0.5)
    word = words[0]._replace(bottom=words[1].bottom, height=24, middle=words[0].bottom + 2)

    assert rows_apart([*words, word], ENDS) == pytest.approx(middles)


def test_lines_as_far_apart_as_rows_are_not_put_together() -> None:
    words, _ = _rows([3, 1, 4, 2], 0.5, pause=0)

    assert rows_apart(words, ENDS) == []


def test_figures_below_each_other_beside_one_label_are_no_row() -> None:
    words, _ = _rows([3, 1, 4, 2], 0)

    assert rows_apart([*words, *line_of(2, (150, "12"))], ENDS) == []


def test_few_labels_of_two_lines_are_left_to_other_rules() -> None:
    words, _ = _rows([1, 1, 1, 1, 1, 2], 1)

    assert list(aligned_rows([*NAMES, *words])) == []


def test_names_below_headings_over_several_columns_are_left_to_other_rules() -> None:
    words, _ = _rows([3, 1, 4, 2], 0)
    heading = line_of(-1, (190, "2024"))

    assert list(aligned_rows([*heading, *NAMES, *words])) == []


def _rows(
    counts: Sequence[int], place: float, pause: float = PAUSE
) -> tuple[list[Word], list[float]]:
    """Return the words of rows with labels of so many lines, and the heights between the rows.

    The figures stand at this place of them: from 0, their top, to 1.
    """
    words: list[Word] = []
    starts = list(itertools.accumulate((count + pause for count in counts), initial=1 + pause))
    for row, (start, count) in enumerate(zip(starts, counts, strict=False)):
        for number in range(count):
            words += line_of(start + number, (0, LABELS[(row + number) % len(LABELS)]))
        figures = (150, f"{row + 2}4"), (250, f"{row + 3}.50")
        words += line_of(start + place * (count - 1), *figures)
    return words, [LINE * (start - pause / 2) - 2 for start in starts[1:-1]]
