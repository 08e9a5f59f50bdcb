import pytest

from indexing.partition.pdf.tables.cells import cells_of
from indexing.partition.pdf.tables.distances import (
    distance_of,
    distances_of,
    line_distances,
    out_of_line,
)
from tests.indexing.partition.placed_words import LINE, line_of


def test_rows_are_as_far_below_each_other_as_most_of_their_words() -> None:
    raised = line_of(0.9, (200, "1"))
    rows = [cells_of(line_of(0, (0, "Lamp"), (100, "12"))), cells_of(line_of(2, (0, "Buoy")))]
    rows[0] += [raised]

    assert distance_of(*rows) == 2 * LINE
    assert distances_of(rows) == [0, 2 * LINE]


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        pytest.param([[0, 10, 25, 35], [0, 25]], (10, 150**0.5), id="nearer in a cell"),
        pytest.param([[0, 10, 20, 30]], (0, 0), id="as far everywhere"),
        pytest.param([[0], []], (0, 0), id="no two lines"),
    ],
)
def test_lines_of_a_cell_stand_nearer_to_each_other_than_rows(
    columns: list[list[float]], found: tuple[float, float]
) -> None:
    assert line_distances(columns) == pytest.approx(found)


@pytest.mark.parametrize(
    ("left", "right", "apart"),
    [
        pytest.param(0, -30, 0, id="at the left"),
        pytest.param(30, 1, 1, id="nearly at the right"),
        pytest.param(-10, 10, 0, id="in the middle"),
        pytest.param(10, 30, 10, id="nowhere"),
    ],
)
def test_what_stands_above_each_other_is_in_line_at_a_side_or_in_the_middle(
    left: float, right: float, apart: float
) -> None:
    assert out_of_line(left, right) == apart
