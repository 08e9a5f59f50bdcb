from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.pictures import drawn_objects
from indexing.partition.pdf.tables.ruled_grids import Grid, grids_of
from indexing.partition.pdf.tables.rules import find_rules

SIZE = (300, 200)
XS = (50, 150, 250)
YS = (20, 60, 100)


def _lines(canvas: Canvas) -> None:
    for y in YS:
        canvas.line(50, y, 250, y)
    for x in XS:
        canvas.line(x, 20, x, 100)


def _thin_boxes(canvas: Canvas) -> None:
    for y in YS:
        canvas.rect(50, y, 200, 0.5, stroke=0, fill=1)
    for x in XS:
        canvas.rect(x, 20, 0.5, 80, stroke=0, fill=1)


def _frames(canvas: Canvas) -> None:
    for x in XS[:-1]:
        for y in YS[:-1]:
            canvas.rect(x, y, 100, 40)


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda canvas: canvas.grid(XS, YS), id="one path"),
        pytest.param(_lines, id="lines"),
        pytest.param(_thin_boxes, id="thin boxes"),
        pytest.param(_frames, id="frames"),
    ],
)
def test_a_grid_is_found_however_it_is_drawn(
    tmp_path: Path, draw: Callable[[Canvas], object]
) -> None:
    canvas = Canvas(str(tmp_path / "grid.pdf"), pagesize=SIZE)
    draw(canvas)
    canvas.save()

    (grid,) = _grids(tmp_path / "grid.pdf")

    cells = grid.cells_at(np.array([60.0, 240, 60, 240]), np.array([110.0, 110, 170, 170]))
    assert [(round(top), round(left)) for top, left in cells] == [
        (100, 50),
        (100, 150),
        (140, 50),
        (140, 150),
    ]


def test_a_cell_over_two_columns_has_no_rule_between(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "merged.pdf"), pagesize=SIZE)
    canvas.grid((50, 250), (20, 60, 100))
    canvas.line(150, 20, 150, 60)
    canvas.save()

    (grid,) = _grids(tmp_path / "merged.pdf")

    above = grid.cells_at(np.array([60.0, 240]), np.array([110.0, 110]))
    below = grid.cells_at(np.array([60.0, 240]), np.array([170.0, 170]))
    assert above[0] == above[1]
    assert below[0] != below[1]


def test_a_cell_over_three_columns_may_have_a_rule_of_each_above_it(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "pieces.pdf"), pagesize=SIZE)
    for y in YS:
        for left, right in pairwise((50, 100, 150, 200, 250)):
            canvas.line(left, y, right, y)
    for x in (100, 150, 200):
        canvas.line(x, 20, x, 60)
    for x in (50, 200, 250):
        canvas.line(x, 20, x, 100)
    canvas.save()

    (grid,) = _grids(tmp_path / "pieces.pdf")

    ((top, left),) = grid.cells_at(np.array([125.0]), np.array([110.0]))
    assert (round(top), round(left)) == (100, 50)


@pytest.mark.parametrize(
    ("sides", "bottom"),
    [pytest.param((50, 250), 191, id="both"), pytest.param((50,), 180, id="one of them")],
)
def test_a_row_that_the_end_of_the_page_cuts_ends_where_its_sides_do(
    sides: Sequence[int], bottom: int, tmp_path: Path
) -> None:
    canvas = Canvas(str(tmp_path / "grid.pdf"), pagesize=SIZE)
    _lines(canvas)
    for x in sides:
        canvas.line(x, 10, x, 20)
    canvas.save()

    (grid,) = _grids(tmp_path / "grid.pdf")

    assert round(grid.bottom) == bottom


def test_a_row_without_a_rule_above_it_ends_where_the_rules_beside_its_cells_do(
    tmp_path: Path,
) -> None:
    canvas = Canvas(str(tmp_path / "grid.pdf"), pagesize=SIZE)
    for x in (100, 150, 200):
        canvas.line(x, 20, x, 160)
    for y in (60, 100, 130):
        for start, end in pairwise((50, 100, 150, 200, 250)):
            canvas.line(start, y, end - 2, y)
    canvas.save()

    (grid,) = _grids(tmp_path / "grid.pdf")

    tops = [top for top, _ in grid.cells_at(np.array([75.0, 125, 175, 225]), np.full(4, 50.0))]
    assert {round(top) for top in tops} == {39}


def test_frames_lines_and_drawings_are_no_grids(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "frame.pdf"), pagesize=SIZE)
    canvas.rect(20, 20, 200, 100)
    canvas.line(20, 150, 220, 150)
    canvas.circle(250, 50, 20)
    canvas.save()

    assert _grids(tmp_path / "frame.pdf") == []


def test_a_page_full_of_lines_is_a_drawing(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "drawing.pdf"), pagesize=(2000, 2000))
    canvas.grid(range(0, 2000, 2), range(0, 2000, 2))
    canvas.save()

    assert _grids(tmp_path / "drawing.pdf") == []


def _grids(path: Path) -> list[Grid]:
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[0]
        return grids_of(find_rules(page, page.get_size(), drawn_objects(page)))
