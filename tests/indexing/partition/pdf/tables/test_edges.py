"""Rules side by side that touch each other, and which of them are those of a table."""

from collections.abc import Collection, Sequence
from itertools import pairwise

import pytest

from indexing.partition.pdf.boxes import Rectangle
from indexing.partition.pdf.tables.edges import Edge, RuledRows, edges_of, reaches_over, ruled_rows
from indexing.partition.pdf.tables.rules import Rule, side_by_side

ENDS = (50.0, 150.0, 250.0, 350.0)


def test_rules_that_touch_each_other_are_one_edge() -> None:
    (found,) = _ruled_rows(_row(100, *ENDS) + _row(120, *ENDS), *_lines(110))

    assert [(edge.at, edge.ends) for edge in found.whole] == [(100, ENDS), (120, ENDS)]


def test_the_margin_between_the_rules_of_two_cells_ends_one_column() -> None:
    rules = [Rule(100, 50, 148), Rule(100, 148, 154), Rule(100, 154, 250)]

    (found,) = _ruled_rows(rules, *_lines(110))

    assert found.whole[0].ends == (50, 151, 250)


def test_rules_apart_from_each_other_are_no_edge() -> None:
    assert _ruled_rows([Rule(100, 50, 150), Rule(100, 160, 250)], *_lines(110)) == []


def test_rules_of_which_no_two_meet_tell_no_columns() -> None:
    assert (
        edges_of(side_by_side([Rule(100, 50, 350), Rule(101, 50, 350), Rule(120, 50, 350)])) == []
    )


def test_an_edge_below_some_of_the_columns_is_a_part() -> None:
    rules = [*_row(100, *ENDS), *_row(120, *ENDS[1:]), *_row(140, *ENDS)]

    (found,) = _ruled_rows(rules, *_lines(110))

    assert [edge.at for edge in found.whole] == [100, 140]
    assert [edge.ends for edge in found.partial] == [ENDS[1:]]


def test_edges_of_other_columns_between_them_are_another_table() -> None:
    rules = [*_row(100, *ENDS), *_row(120, 50, 90, 350), *_row(140, *ENDS)]

    found = _ruled_rows(rules, *_lines(110, 130, 150))

    assert [[edge.at for edge in one.whole] for one in found] == [[100], [120], [140]]


@pytest.mark.parametrize(
    ("left", "middle", "has_figures", "is_table"),
    [
        pytest.param(60, 110, True, True, id="within"),
        pytest.param(10, 110, False, False, id="label of a row"),
        pytest.param(10, 140, True, False, id="label of figures below"),
        pytest.param(10, 140, False, True, id="text below"),
        pytest.param(10, 300, True, True, id="further down"),
    ],
)
def test_rules_beside_labels_are_those_of_figures_alone(
    left: float, middle: float, has_figures: bool, is_table: bool
) -> None:
    places = [(60.0, 84.0, 340.0, 96.0), (left, middle - 6, 340.0, middle + 6)]
    rules = _row(100, *ENDS) + _row(120, *ENDS)

    assert bool(_ruled_rows(rules, places, [False, has_figures])) is is_table


@pytest.mark.parametrize(
    ("boxes", "is_table"),
    [
        pytest.param([(60, 84, 340, 96), (60, 104, 340, 116)], True, id="names and a row"),
        pytest.param([(60, 84, 340, 96)], False, id="no row below"),
        pytest.param([(60, 104, 340, 116)], False, id="no names above"),
        pytest.param([(60, 84, 340, 96), (60, 150, 340, 162)], False, id="text far below"),
        pytest.param([(60, 84, 140, 96), (60, 104, 340, 116)], False, id="a title above"),
    ],
)
def test_an_edge_alone_is_that_between_a_header_and_its_rows(
    boxes: list[Rectangle], is_table: bool
) -> None:
    assert bool(_ruled_rows(_row(100, *ENDS), boxes, [False] * len(boxes))) is is_table


def test_colours_are_asked_only_for_what_rules_do_not_tell() -> None:
    rules = _row(100, *ENDS) + _row(120, *ENDS)

    assert _ruled_rows(rules, *_lines(110), known={100, 120}) == []
    assert len(_ruled_rows(rules, *_lines(110), known={100})) == 1


@pytest.mark.parametrize(
    ("part", "end", "is_over"),
    [
        pytest.param((150, 250, 350), 250, True, id="above columns with rules of their own"),
        pytest.param((150, 350), 250, True, id="above one rule"),
        pytest.param((150, 350), 150, False, id="beside it"),
        pytest.param(ENDS, 150, False, id="above all columns"),
        pytest.param((50, 150, 350), 250, True, id="above all, some of them together"),
    ],
)
def test_a_heading_reaches_over_the_columns_of_the_rule_below_it(
    part: tuple[float, ...], end: float, is_over: bool
) -> None:
    assert reaches_over(Edge(100, part), end, Edge(120, ENDS)) is is_over


def _row(at: float, *ends: float) -> list[Rule]:
    return [Rule(at, left, right) for left, right in pairwise(ends)]


def _ruled_rows(
    across: Sequence[Rule],
    places: Sequence[Rectangle],
    have_figures: Sequence[bool],
    known: Collection[float] | None = None,
) -> list[RuledRows]:
    return ruled_rows(edges_of(side_by_side(across)), lambda: places, have_figures, known)


def _lines(*middles: float) -> tuple[list[Rectangle], list[bool]]:
    """Return places of lines of words between the ends, none of which has figures.

    Further ones stand right above and below a rule at 100 points.
    """
    middles = (90, 110, *middles)
    return [(60, middle - 6, 340, middle + 6) for middle in middles], [False] * len(middles)
