import numpy as np
import pytest
from PIL import Image, ImageDraw

from indexing.ocr import Line
from indexing.ocr_models import Picture
from indexing.ruling import Cells, fill, find_grids, joined_cells

COLUMNS = (40, 220, 340, 460)
ROWS = (40, 90, 140, 190)


def test_a_ruled_table_is_found_with_its_edges() -> None:
    (grid,) = find_grids(_ruled(), 0.0, [_line("Lantern", 60, 50)])

    assert grid.edges_across == pytest.approx(COLUMNS, abs=3)
    assert grid.edges_down == pytest.approx(ROWS, abs=3)
    assert grid.is_walled.all()


def test_thin_rules_of_a_light_grey_are_found_close_to_letters() -> None:
    picture = Image.fromarray(np.where(_ruled() < 255, 243, 255).astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    for left in COLUMNS[:-1]:
        draw.rectangle((left + 6, ROWS[1] + 8, left + 100, ROWS[2] - 8), fill="black")

    (grid,) = find_grids(np.asarray(picture), 0.0, [_line("Lantern", 60, 50)])

    assert grid.edges_across == pytest.approx(COLUMNS, abs=3)
    assert grid.is_walled.all()


def test_a_table_that_lies_askew_is_found() -> None:
    askew = np.asarray(Image.fromarray(_ruled()).rotate(-4, fillcolor="white"))

    (grid,) = find_grids(askew, np.radians(4), [_line("Lantern", 60, 50)])

    assert np.diff(grid.edges_across) == pytest.approx(np.diff(COLUMNS), abs=4)


def test_a_text_alone_has_no_rules() -> None:
    assert find_grids(np.full((240, 500, 3), 255, np.uint8), 0.0, [_line("Lantern", 60, 50)]) == []


def test_what_stands_in_a_cell_comes_together() -> None:
    lines = [_line("Storm lantern,", 60, 92), _line("brass", 60, 112), _line("24", 230, 100)]
    lines += [_line("Deck lamp", 60, 150), _line("12", 230, 150)]

    cells = _filled(lines)

    assert cells is not None
    assert [[[line.text for line in cell] for cell in row] for row in cells][1:] == [
        [["Storm lantern,", "brass"], ["24"], []],
        [["Deck lamp"], ["12"], []],
    ]


def test_a_name_over_two_columns_stands_in_the_first() -> None:
    picture = _ruled()
    picture[43:87, 210:230] = 255
    lines = [_line("Pieces", 240, 50), _line("a", 60, 100), _line("b", 230, 100)]
    lines += [_line("c", 60, 150), _line("d", 230, 150)]

    cells = _filled(lines, picture)

    assert cells is not None
    assert [len(cell) for cell in cells[0]] == [1, 0, 0]


def test_names_on_a_dark_ground_that_hides_the_rules_are_parted_as_what_is_below() -> None:
    picture = Image.fromarray(_ruled())
    draw = ImageDraw.Draw(picture)
    draw.rectangle((COLUMNS[0], ROWS[0], COLUMNS[-1], ROWS[1]), fill="black")
    for left, name in zip(COLUMNS, ("Item", "Pieces", "Price"), strict=False):
        draw.text((left + 20, ROWS[0] + 18), name, "white")

    (grid,) = find_grids(np.asarray(picture), 0.0, [_line("Lantern", 60, 50)])

    assert grid.edges_across[1:-1] == pytest.approx(COLUMNS[1:-1], abs=3)
    assert grid.is_walled.all()


def test_cells_that_no_rule_parts_are_joined() -> None:
    picture = _ruled()
    picture[43:87, 210:230] = 255
    picture[80:100, 343:457] = 255

    (grid,) = find_grids(picture, 0.0, [_line("Pieces", 240, 50)])

    assert list(joined_cells(grid)) == [((0, 0), (0, 1)), ((0, 2), (1, 2))]


def test_rules_between_the_rows_alone_part_a_table_whose_cells_have_several_lines() -> None:
    picture = Image.new("RGB", (640, 300), "white")
    for y in (70, 160, 250):
        ImageDraw.Draw(picture).line((40, y, 600, y), fill="black", width=2)
    names = [_line(name, left, 40) for name, left in (("Risk", 40), ("Means", 220), ("By", 460))]
    lines = [*names, _line("six weeks of stock", 220, 110)]
    for top, texts in ((80, ("Delay", "Two makers and", "Sales")), (170, ("Fire", "Pumps", "Ann"))):
        lines += [_line(text, line.left, top) for text, line in zip(texts, names, strict=True)]

    (grid,) = find_grids(np.asarray(picture), 0.0, lines)
    cells = fill(grid, lines)

    assert cells is not None
    assert [line.text for line in cells[1][1]] == ["six weeks of stock", "Two makers and"]
    assert grid.edges_down[1:3] == pytest.approx((65, 145), abs=15)


def test_lines_that_run_over_the_rules_make_no_table() -> None:
    lines = [_line("a line that runs over all of the rules", 60, y) for y in (50, 100, 150)]
    lines += [_line("a", 60, 100), _line("b", 230, 100), _line("c", 60, 150), _line("d", 230, 150)]

    assert _filled(lines) is None


def test_an_empty_grid_is_no_table() -> None:
    assert _filled([_line("Lantern", 60, 50)]) is None


def _filled(lines: list[Line], picture: Picture | None = None) -> Cells | None:
    (grid,) = find_grids(_ruled() if picture is None else picture, 0.0, lines)
    return fill(grid, lines)


def _ruled() -> Picture:
    picture = Image.new("RGB", (500, 240), "white")
    draw = ImageDraw.Draw(picture)
    for x in COLUMNS:
        draw.line((x, ROWS[0], x, ROWS[-1]), "black", 2)
    for y in ROWS:
        draw.line((COLUMNS[0], y, COLUMNS[-1], y), "black", 2)
    return np.array(picture)


def _line(text: str, left: float, top: float) -> Line:
    return Line(text, left, top, left + 9 * len(text), top + 18)
