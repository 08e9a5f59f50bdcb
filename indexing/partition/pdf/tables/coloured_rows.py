"""Tell whether the columns that colours show are those of a table, and all of it is coloured.

Filings have cells for signs of currency, and empty ones for distance, between their columns, and
headings over several of them; lists have a column of marks.
"""

import itertools
from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import plain_text
from indexing.partition.pdf.tables.edges import TO_RULE, Edge
from indexing.partition.pdf.tables.lines import (
    Line,
    between,
    column_of,
    columns_of,
    crosses,
    has_figures,
)
from indexing.partition.pdf.tables.ruled_grids import Grid


def is_unclear(grid: Grid, edge: Edge, lines: Sequence[Line], height: float) -> bool:
    """Tell whether rows go on beyond a grid of colours, or its columns may be other ones."""
    within = between(lines, grid.top, grid.bottom)
    return (
        _goes_on_beyond(grid, edge, lines, TO_RULE * height)
        or _has_headings(_header(grid, within), edge)
        or _has_odd_columns(within, edge)
        or _lacks_labels(grid, within, edge)
    )


def _goes_on_beyond(grid: Grid, edge: Edge, lines: Sequence[Line], near: float) -> bool:
    """Tell whether more than text and labels stands so near above or below the grid."""
    above = between(lines, grid.top - near, grid.top)
    below = between(lines, grid.bottom, grid.bottom + near)
    return any(
        columns_of(line.cells, edge) - {1} and not _is_prose(line, edge) for line in above
    ) or any(columns_of(line.cells, edge) - {1} and not crosses(line, edge) for line in below)


def _header(grid: Grid, within: Sequence[Line]) -> list[Line]:
    """Return the lines above the first figures; without any, those of the first row."""
    header = list(itertools.takewhile(lambda line: not has_figures([line]), within))
    if len(header) < len(within):
        return header
    return between(within, grid.top, min(one.at for one in grid.across if one.at > grid.top))


def _has_odd_columns(within: Sequence[Line], edge: Edge) -> bool:
    """Tell whether columns are empty, or have nothing but marks."""
    texts: dict[int, str] = {}
    for line in within:
        for cell in line.cells:
            column = column_of(cell, edge)
            texts[column] = texts.get(column, "") + plain_text(cell)
    are_filled = len(texts) >= len(edge.ends) - 1
    return not are_filled or not all(any(map(str.isalnum, text)) for text in texts.values())


def _lacks_labels(grid: Grid, within: Sequence[Line], edge: Edge) -> bool:
    """Tell whether most rows have nothing in the first column."""
    heights = sorted({rule.at for rule in grid.across})
    rows = (between(within, one, other) for one, other in itertools.pairwise(heights))
    named = [any(1 in columns_of(line.cells, edge) for line in row) for row in rows if row]
    return 2 * sum(named) < len(named)


def _is_prose(line: Line, edge: Edge) -> bool:
    """Tell whether a line begins in the first column and runs over the next one."""
    return line.cells[0][0].left < edge.ends[1] and crosses(line, edge)


def _has_headings(header: Sequence[Line], edge: Edge) -> bool:
    """Tell whether a line of a header may be over several names of the next, or another row."""
    columns = [columns_of(line.cells, edge) for line in header]
    return any(
        (len(one) < len(other) and one & other) or len(one & other) > 1
        for one, other in itertools.pairwise(columns)
    )
