"""Find the rules that part a picture's tables into cells, and which lines stand in which."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from indexing.drawing import within_memory
from indexing.ocr import Line
from indexing.ocr_models import Mask, Picture
from indexing.ruled_rows import Rule, edges_of_rows

LOOKED_AT_PIXELS = 1_500_000
SURROUNDINGS = 25  # pixels of what is looked at, which a rule stands out from
CONTRAST = 8  # of 255
GROUND_CONTRAST = 15
"""The same at the edge of a ground, which is a rule too."""

MIDDLE_GREY = 127

MIN_ACROSS = 3.0  # times the height of a line; in letters no stroke is as long
MIN_DOWN = 2.0
MIN_LONG = 12.0  # the same of a rule below a row
THICKEST = 0.5
"""Rules nearer to each other than this are one, maybe a double one."""

PARTED = 0.6
"""How much of the border of two cells is ruled, if they are two."""

MIN_GROUND = 0.6
"""How much of a row is dark if its ground is, with light letters."""

MAX_TABLES = 20
MAX_CELLS = 5000
MAX_CELL_LINES = 12
MIN_FILLED = 0.4
MAX_CROSSING = 0.1
"""Of the lines: with more, the rules were not those of a table, or not found as they are."""

Cells = list[list[list[Line]]]
"""The lines in each cell of each row; of cells that are joined they are in the first."""

_Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Grid:
    """The rules of a table, in the upright and straightened picture."""

    edges_across: tuple[float, ...]  # from the left to the right
    edges_down: tuple[float, ...]
    is_walled: Mask  # between each cell and the one to its right
    is_floored: Mask  # between each cell and the one below


def find_grids(picture: Picture, angle: float, lines: Sequence[Line]) -> list[Grid]:
    """Return the tables that are ruled in an upright picture which lies askew by an angle.

    Raises:
        RecognitionFailed: memory gave out.
    """
    if not lines:
        return []
    with within_memory():
        grids, rules = _grids(picture, angle, median(line.height for line in lines))
        return [*grids, *_grids_of_rows(rules, lines, grids)]


def fill(grid: Grid, lines: Sequence[Line]) -> Cells | None:
    """Return the lines in the cells of the grid; None if they make no table."""
    rows, columns = len(grid.edges_down) - 1, len(grid.edges_across) - 1
    cells: Cells = [[[] for _ in range(columns)] for _ in range(rows)]
    inside = crossing = 0
    for line in lines:
        row = int(np.searchsorted(grid.edges_down, line.middle)) - 1
        column = int(np.searchsorted(grid.edges_across, (line.left + line.right) / 2)) - 1
        if not (0 <= row < rows and 0 <= column < columns):
            continue
        crossing += _crosses(grid, line, row, column)
        inside += 1
        row, column = _first_of(grid, row, column)
        cells[row][column].append(line)
    return cells if crossing <= MAX_CROSSING * inside and _is_table(cells) else None


def joined_cells(grid: Grid) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the first and the last (row, column) of those cells that rules do not part."""
    rows, columns = grid.is_walled.shape
    for row in range(rows):
        for column in range(columns):
            if _first_of(grid, row, column) != (row, column):
                continue
            last_row, last_column = row, column
            while last_row + 1 < rows and not grid.is_floored[last_row, column]:
                last_row += 1
            while last_column + 1 < columns and not grid.is_walled[row, last_column]:
                last_column += 1
            if (last_row, last_column) != (row, column):
                yield (row, column), (last_row, last_column)


def _grids_of_rows(
    rules: Sequence[Rule], lines: Sequence[Line], grids: Sequence[Grid]
) -> Iterator[Grid]:
    """Yield the tables, beside those that are known, that have rules between their rows alone."""
    outside = [rule for rule in rules if not any(_is_in(rule, grid) for grid in grids)]
    for across, down in edges_of_rows(outside, lines):
        is_parted = np.ones((len(down) - 1, len(across) - 1), dtype=bool)
        yield Grid(tuple(across), tuple(down), is_parted, is_parted)


def _is_in(rule: Rule, grid: Grid) -> bool:
    top, bottom = grid.edges_down[0] - 1, grid.edges_down[-1] + 1
    return top <= rule.y <= bottom and (
        rule.left < grid.edges_across[-1] and grid.edges_across[0] < rule.right
    )


def _grids(picture: Picture, angle: float, height: float) -> tuple[list[Grid], list[Rule]]:
    """Return the tables whose rules cross, and all rules from the left to the right."""
    straight, scale, shift = _straightened(picture, angle)
    ink = _ink(straight)
    across = _straight(ink, 1, max(20, round(MIN_ACROSS * height * scale)))
    down = _straight(ink, max(15, round(MIN_DOWN * height * scale)), 1)
    grids = []
    filled = _filled(straight)
    for touching, (left, top) in _touching(across | down):
        bottom, right = top + touching.shape[0], left + touching.shape[1]
        grid = _grid(
            across[top:bottom, left:right] & touching,
            down[top:bottom, left:right] & touching,
            filled[top:bottom, left:right],
            height * scale,
        )
        if grid is not None:
            grids.append(_moved(grid, shift[0] + left, shift[1] + top, scale))
    return grids, [
        Rule((left + shift[0]) / scale, (right + shift[0]) / scale, (y + shift[1]) / scale)
        for left, right, y in _rules(across, height * scale)
    ]


def _rules(across: _Bits, line_height: float) -> Iterator[tuple[int, int, float]]:
    """Yield where long rules begin and end, and at which height."""
    thick = cv2.dilate(across, np.ones((3, 3), np.uint8))
    _, _, found, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
    for left, top, width, height, _ in found[1:].tolist():
        if width >= MIN_LONG * line_height and height <= THICKEST * line_height + 2:
            yield left, left + width, top + height / 2


def _crosses(grid: Grid, line: Line, row: int, column: int) -> bool:
    """Tell whether the line goes on behind a wall of its cell."""
    last = column
    while last + 1 < len(grid.edges_across) - 1 and not grid.is_walled[row, last]:
        last += 1
    _, first = _first_of(grid, row, column)
    margin = line.height / 2
    return (
        line.left < grid.edges_across[first] - margin
        or line.right > grid.edges_across[last + 1] + margin
    )


def _is_table(cells: Cells) -> bool:
    filled = [sum(map(bool, row)) for row in cells]
    longest = max(len(cell) for row in cells for cell in row)
    return (
        sum(count > 1 for count in filled) > 1
        and sum(filled) >= MIN_FILLED * len(cells) * len(cells[0])
        and longest <= MAX_CELL_LINES
    )


def _first_of(grid: Grid, row: int, column: int) -> tuple[int, int]:
    """Return the upper left one of the cells that are joined with this one."""
    while row and not grid.is_floored[row - 1, column]:
        row -= 1
    while column and not grid.is_walled[row, column - 1]:
        column -= 1
    return row, column


def _straightened(picture: Picture, angle: float) -> tuple[Picture, float, tuple[float, float]]:
    """Return the picture grey, straight and small, how small, and where its corner then lies."""
    height, width = picture.shape[:2]
    scale = min(1.0, (LOOKED_AT_PIXELS / (height * width)) ** 0.5)
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    if abs(angle) * max(size) < 1:
        return np.asarray(small, dtype=np.uint8), scale, (0.0, 0.0)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[0, 0], [size[0], 0], [0, size[1]], size]) @ turn.T
    left, top = corners.min(axis=0)
    right, bottom = np.ceil(corners.max(axis=0) - (left, top)).astype(int)
    matrix = np.hstack([turn, [[-left], [-top]]])
    straight = cv2.warpAffine(
        small, matrix, (int(right), int(bottom)), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(straight, dtype=np.uint8), scale, (float(left), float(top))


def _ink(grey: Picture) -> _Bits:
    """Return what is darker than what surrounds it; lighter, where the paper is dark."""
    shades = grey if np.median(grey) > MIDDLE_GREY else np.subtract(255, grey)
    # The median is the paper also where letters stand close to a light rule.
    paper = cv2.medianBlur(shades, SURROUNDINGS)
    # The mean is lighter than a ground at its edge.
    around = cv2.blur(shades, (SURROUNDINGS, SURROUNDINGS))
    is_ink = cv2.subtract(paper, shades) > CONTRAST
    return (is_ink | (cv2.subtract(around, shades) > GROUND_CONTRAST)).astype(np.uint8)


def _filled(grey: Picture) -> Mask:
    """Return what is dark; light, where the paper is dark."""
    filled: Mask = (grey > MIDDLE_GREY) != (np.median(grey) > MIDDLE_GREY)
    return filled


def _straight(ink: _Bits, height: int, width: int) -> _Bits:
    """Return only what is at least as high and wide; it may lean by a pixel here and there."""
    thick = cv2.dilate(ink, np.ones((1, 3) if height > width else (3, 1), np.uint8))
    kernel = np.ones((height, width), np.uint8)
    return np.asarray(cv2.morphologyEx(thick, cv2.MORPH_OPEN, kernel), dtype=np.uint8)


def _touching(rules: _Bits) -> Iterator[tuple[_Bits, tuple[int, int]]]:
    """Yield the rules that touch each other, with their left and top; the largest first."""
    thick = cv2.dilate(rules, np.ones((3, 3), np.uint8))
    _, labels, found, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
    largest = np.argsort(-found[1:, 2] * found[1:, 3])[:MAX_TABLES] + 1
    for label in largest.tolist():
        left, top, width, height = found[label, :4].tolist()
        of_it = labels[top : top + height, left : left + width] == label
        yield of_it.astype(np.uint8), (left, top)


def _grid(across: _Bits, down: _Bits, filled: Mask, line_height: float) -> Grid | None:
    apart = max(3.0, THICKEST * line_height)
    xs = _edges(down.sum(axis=0) >= MIN_DOWN * line_height, apart)
    ys = _edges(across.sum(axis=1) >= MIN_ACROSS * line_height, apart)
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 2 or columns < 2 or rows * columns > MAX_CELLS:
        return None
    margin = max(2, round(apart / 2))
    is_walled, is_floored = np.ones((rows, columns), bool), np.ones((rows, columns), bool)
    for row in range(rows):
        for column in range(columns):
            top, bottom = ys[row], ys[row + 1]
            left, right = xs[column], xs[column + 1]
            wall = down[top:bottom, max(0, right - margin) : right + margin + 1]
            floor = across[max(0, bottom - margin) : bottom + margin + 1, left:right]
            is_walled[row, column] = wall.any(axis=1).mean() >= PARTED
            is_floored[row, column] = floor.any(axis=0).mean() >= PARTED
    if filled[ys[0] : ys[1]].mean() > MIN_GROUND:
        # Rules cannot be seen on the ground of a header.
        is_walled[0] = is_walled[1]
    return Grid(tuple(map(float, xs)), tuple(map(float, ys)), is_walled, is_floored)


def _edges(is_ruled: Mask, apart: float) -> list[int]:
    """Return where the rules are, and the ends of those across them, which may have none."""
    edges: list[list[int]] = []
    for at in [0, *np.flatnonzero(is_ruled).tolist(), len(is_ruled) - 1]:
        if edges and at - edges[-1][-1] < apart:
            edges[-1].append(at)
        else:
            edges.append([at])
    return [round((edge[0] + edge[-1]) / 2) for edge in edges]


def _moved(grid: Grid, left: float, top: float, scale: float) -> Grid:
    """Return the grid in the places of the picture itself."""
    across = tuple((left + edge) / scale for edge in grid.edges_across)
    down = tuple((top + edge) / scale for edge in grid.edges_down)
    return Grid(across, down, grid.is_walled, grid.is_floored)
