import numpy as np
import pytest

from indexing.ocr import Line
from indexing.ruling import Cells, Grid, fill
from indexing.unruled_rows import parted_at_walls, with_rows


def test_figures_below_each_other_in_a_ruled_cell_are_rows() -> None:
    lines = [_line("Item", 10, 0), _line("Pieces", 210, 0)]
    lines += [_line("Lantern", 10, 40), _line("24", 210, 40)]
    lines += [_line("Deck lamp,", 10, 70), _line("12", 210, 70), _line("brass", 10, 92)]
    lines += [_line("Rope", 10, 120), _line("8", 210, 120)]

    assert _texts(fill(with_rows(_grid(0, 30, 150), lines), lines)) == [
        [["Item"], ["Pieces"]],
        [["Lantern"], ["24"]],
        [["Deck lamp,", "brass"], ["12"]],
        [["Rope"], ["8"]],
    ]


def test_the_lines_of_ruled_cells_stay_together() -> None:
    lines = [_line("Storm lantern,", 10, 40), _line("of brass", 10, 65), _line("24", 210, 40)]
    grid = _grid(0, 30, 90)

    assert with_rows(grid, lines).edges_down == grid.edges_down


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2 185,24 81 673,10", ["2 185,24", "81 673,10"]), ("Harbourmaster", ["Harbourmaster"])],
)
def test_a_line_that_goes_on_behind_a_wall_is_parted_at_the_space_there(
    text: str, expected: list[str]
) -> None:
    line = Line(text, 130, 10, 280, 28)

    assert [part.text for part in parted_at_walls(_grid(0, 30), [line])] == expected


def _grid(*edges_down: float) -> Grid:
    all_cells = np.ones((len(edges_down) - 1, 2), bool)
    return Grid((0, 200, 300), edges_down, all_cells, all_cells)


def _texts(cells: Cells | None) -> list[list[list[str]]]:
    return [[[line.text for line in cell] for cell in row] for row in cells or []]


def _line(text: str, left: float, top: float) -> Line:
    return Line(text, left, top, left + 9 * len(text), top + 18)
