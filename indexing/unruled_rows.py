"""Part what stands in the cells of a ruled table where its rules alone do not."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from indexing.ocr import Line
from indexing.partition.tables import is_number
from indexing.ruling import Grid
from indexing.visual_rows import Row, middle, parted_at, parts_of, rows_of

MIN_FIGURES = 3  # below each other in one cell; they are rather rows than lines of a text
MIN_ROWS = 0.5  # of the lines in the cells: so many have a figure
NEAR_WALL = 2  # characters, between a wall and the space at which a line is parted


def with_rows(grid: Grid, lines: Sequence[Line]) -> Grid:
    """Return the grid with an edge between rows that no rule parts, as those of an invoice."""
    edges = [grid.edges_down[0]]
    rows: list[int] = []
    is_last: list[bool] = []
    for row, (top, bottom) in enumerate(itertools.pairwise(grid.edges_down)):
        inside = [line for line in lines if top < line.middle < bottom and _column(grid, line)]
        between = _between_rows(grid, rows_of(inside))
        edges += [*between, bottom]
        rows += [row] * (len(between) + 1)
        is_last += [False] * len(between) + [True]
    is_floored = grid.is_floored[rows] | ~np.array(is_last)[:, None]
    return replace(
        grid, edges_down=tuple(edges), is_walled=grid.is_walled[rows], is_floored=is_floored
    )


def parted_at_walls(grid: Grid, lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines; in parts, where a line goes on in the next cell behind a space."""
    rows = len(grid.edges_down) - 1
    for line in lines:
        row = int(np.searchsorted(grid.edges_down, line.middle)) - 1
        for column in range(grid.is_walled.shape[1] - 1) if 0 <= row < rows else ():
            if not grid.is_walled[row, column]:
                continue
            wall, margin = grid.edges_across[column + 1], line.height / 2
            if line.left + margin < wall < line.right - margin:
                parts = parted_at(line, wall, NEAR_WALL)
                if parts is not None:
                    yield parts[0]
                    line = parts[1]
        yield line


def _column(grid: Grid, line: Line) -> int:
    """Return the number of the column in which the line stands, from 1; 0 outside of all."""
    column = int(np.searchsorted(grid.edges_across, (line.left + line.right) / 2))
    return column if column < len(grid.edges_across) else 0


def _between_rows(grid: Grid, rows: Sequence[Row]) -> list[float]:
    """Return where the rows of a cell are parted, told by the column with most figures."""
    figures = [
        {_column(grid, part) for cell in row for part in parts_of(cell) if is_number(part.text)}
        for row in rows
    ]
    counts = Counter(itertools.chain.from_iterable(figures))
    if not counts or max(counts.values()) < max(MIN_FIGURES, MIN_ROWS * len(rows)):
        return []
    (column, _), *_ = counts.most_common(1)
    starts = [
        number for number, row in enumerate(rows) if column in figures[number] and len(row) > 1
    ]
    return [(middle(rows[at - 1]) + middle(rows[at])) / 2 for at in starts[1:]]
