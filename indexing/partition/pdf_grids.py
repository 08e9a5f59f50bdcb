"""Tell rows and columns of tables that have ruling lines around their cells.

Cells that reach over several columns or rows are known by their rules, and written out as those of
Office files are.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from indexing.partition.merged_cells import Area, write_out_merged
from indexing.partition.pdf_cells import Cell, Row, Table, Word, cell_text, header_of, together
from indexing.partition.pdf_rules import Grid
from indexing.partition.text import clean_line

LONGEST_CELL = 600
FILLED = 0.4
MIN_CELLS = 4
MIN_ROWS = 2
MIN_COLUMNS = 2

Corner = tuple[float, float]
"""Of a cell: its top and left, or its bottom and right, in points from the upper left."""


def table_in(grid: Grid, words: Sequence[Word], mirror_width: float = 0.0) -> Table | None:
    """Return the words in the cells of the grid, if these are filled like those of a table.

    `mirror_width` is that of a page whose words, but not its rules, are seen in a mirror.
    """
    cells: dict[Corner, Cell] = {}
    middles = np.array([((word.left + word.right) / 2, word.middle) for word in words])
    xs, ys = middles.reshape(-1, 2).T
    if mirror_width:
        xs = mirror_width - xs
    places = grid.cells_at(xs, ys)
    for word, place in zip(words, places, strict=True):
        cells.setdefault(place, []).append(word)
    tops, lefts = ({place[side] for place in cells} for side in (0, 1))
    fewest = max(MIN_CELLS, FILLED * len(tops) * len(lefts))
    longest = max((sum(len(word.text) for word in cell) for cell in cells.values()), default=0)
    are_enough = len(tops) >= MIN_ROWS and len(lefts) >= MIN_COLUMNS and len(cells) >= fewest
    if not are_enough or longest > LONGEST_CELL:
        return None
    lines, columns = sorted(tops), sorted(lefts, reverse=bool(mirror_width))
    rows = [[cells.get((top, left), []) for left in columns] for top in lines]
    ends = dict(zip(places, grid.ends_at(xs, ys), strict=True))
    return _written_out(rows, _merged(ends, lines, columns))


def _merged(
    ends: Mapping[Corner, Corner], tops: Sequence[float], lefts: Sequence[float]
) -> Iterator[Area]:
    """Yield the cells that reach over several rows or columns.

    Given are the ends of each cell by its beginning, and where all rows and columns begin.
    """
    for (top, left), (bottom, right) in ends.items():
        rows = [n for n, one in enumerate(tops) if top <= one < bottom]
        columns = [n for n, one in enumerate(lefts) if left <= one < right]
        if len(rows) > 1 or len(columns) > 1:
            yield (rows[0], columns[0]), (rows[-1], columns[-1])


def _written_out(rows: list[Row], merged: Iterable[Area]) -> Table:
    """Return the table with what stands in merged cells wherever it is needed."""
    texts = [[cell_text(cell) for cell in row] for row in rows]
    write_out_merged(texts, merged)
    count = header_of(rows)
    # A row of headings that are all joined with the names below them is left empty.
    while 0 < count < len(rows) and not any(itertools.chain.from_iterable(texts[:count])):
        count += 1
    names = [clean_line(" ".join(column)) for column in zip(*texts[:count], strict=True)]
    return Table(together(rows[:count]), rows[count:], names, texts[count:])
