from itertools import pairwise

import pytest

from indexing.partition.pdf.tables.cells import Word
from indexing.partition.pdf.tables.edges import Edge
from indexing.partition.pdf.tables.lines import (
    Line,
    crosses,
    has_figures,
    has_figures_below,
    has_figures_beside,
    is_one_cell,
    is_text,
    lines_of,
)

EDGE = Edge(0, (0, 100, 200, 300))


def test_words_side_by_side_are_the_cells_of_a_line() -> None:
    (line, below) = lines_of([*_words(10, (0, "Deck"), (120, "4")), *_words(30, (0, "Buoy"))])

    assert [[word.text for word in cell] for cell in line.cells] == [["Deck"], ["4"]]
    assert (line.middle, line.top, line.bottom) == (10, 5, 15)
    assert below.middle == 30


def test_a_word_over_two_lines_does_not_move_its_line() -> None:
    tall = Word("LN-001", 0, 0, 5, 30, 27, 22, 16)

    (line,) = lines_of([tall, *_words(10, (120, "4"), (220, "7"))])

    assert line.middle == 10


@pytest.mark.parametrize(
    ("text", "left", "is_over"),
    [
        pytest.param("Deck lamp", 10, False, id="within"),
        pytest.param("These lamps were counted", 10, True, id="over an end"),
        pytest.param("Deck", 79, False, id="up to it"),
    ],
)
def test_text_that_runs_over_the_end_of_a_column_is_no_cell(
    text: str, left: float, is_over: bool
) -> None:
    assert crosses(_line((left, text)), EDGE) is is_over


def test_a_heading_may_run_over_the_end_of_a_column_above_a_part() -> None:
    line = _line((110, "Price in euros and more"))

    assert crosses(line, EDGE)
    assert not crosses(line, EDGE, [Edge(20, (100, 300))])


def test_a_heading_is_one_cell_above_the_rule_of_its_columns() -> None:
    line = _line((10, "Lamp"), (180, "2023"))

    assert is_one_cell([line], Edge(20, (100, 200, 300)))
    assert not is_one_cell([line], EDGE)


def test_figures_are_looked_for_behind_the_first_cell() -> None:
    assert has_figures([_line((0, "Deck"), (120, "4.50"))])
    assert not has_figures([_line((0, "4.50"), (120, "Deck"))])


def test_several_figures_of_a_column_tell_that_there_are_more_columns_or_rows() -> None:
    row = _line((0, "Deck"), (110, "4"), (170, "7"))

    assert has_figures_beside(row, EDGE)
    assert has_figures_below([_line((0, "a"), (120, "4")), _line((0, "b"), (130, "7"))], EDGE)
    assert not has_figures_below([_line((0, "a"), (120, "4")), _line((0, "b"), (220, "7"))], EDGE)


@pytest.mark.parametrize(
    ("cells", "is_prose"),
    [
        pytest.param(((0, "Quay"), (100, "Ann")), False, id="names"),
        pytest.param(((0, "Quay"), (100, "Fill the tank up to the mark")), False, id="a remark"),
        pytest.param(((0, "It is running text in"), (100, "several columns of it")), True),
        pytest.param(((0, "•"), (100, "Fill the tank")), True, id="a list"),
    ],
)
def test_text_in_columns_is_told_from_rows(
    cells: tuple[tuple[float, str], ...], is_prose: bool
) -> None:
    long = [[(left, f"{text} and") for left, text in cells] if is_prose else list(cells)]
    rows = [[_line(*(cells if cells[0][1] == "•" else row))] for row in long * 3]

    assert is_text(rows, EDGE) is is_prose


def _line(*words: tuple[float, str]) -> Line:
    (line,) = lines_of(_words(10, *words))
    return line


def _words(middle: float, *words: tuple[float, str]) -> list[Word]:
    """Return words of 5 points a letter; none is longer than the place up to the next one."""
    ends = [left for left, _ in words[1:]] + [1000]
    assert all(left < end for left, end in pairwise([left for left, _ in words]))
    return [
        Word(text, 0, left, middle - 5, min(left + 5 * len(text), end - 5), middle + 5, 10, middle)
        for (left, text), end in zip(words, ends, strict=True)
    ]
