"""Part names of columns that nearly touch, where rules below them meet in the gaps between them."""

import itertools
from collections.abc import Iterator, Sequence

from indexing.partition.pdf.tables.cells import Cell
from indexing.partition.pdf.tables.edges import TO_RULE, RuledRows
from indexing.partition.pdf.tables.lines import OVER, Line, column_of, crosses


def with_names_parted(edges: RuledRows, lines: Sequence[Line], height: float) -> list[Line]:
    """Return the lines, those near the first edges parted if they then fill all its columns.

    Of a text that runs over columns, hardly all ends of these are between two words.
    """
    edge, last = edges.whole[0], edges.whole[:2][-1]
    columns = list(range(1, len(edge.ends)))
    parted = list(lines)
    for number, line in enumerate(lines):
        is_near = edge.at - TO_RULE * height < line.middle < last.at
        if is_near and crosses(line, edge):
            cells = [part for cell in line.cells for part in parted_at(edge.ends, cell)]
            if [column_of(cell, edge) for cell in cells] == columns:
                parted[number] = line._replace(cells=cells)
    return parted


def parted_at(ends: Sequence[float], cell: Cell) -> Iterator[Cell]:
    """Yield the parts of a cell between the ends of columns that its words leave free."""
    start = 0
    for number, (before, word) in enumerate(itertools.pairwise(cell), 1):
        if any(before.right < end + OVER and word.left > end - OVER for end in ends):
            yield cell[start:number]
            start = number
    yield cell[start:]
