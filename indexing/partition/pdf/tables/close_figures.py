"""Part figures from the texts right behind them, where rules of cells meet in the gaps between.

Amounts end at the right of their column, and units begin at the left of theirs: `40 bags`.
"""

from collections.abc import Iterable, Sequence

from indexing.partition.pdf.tables.cells import is_figure
from indexing.partition.pdf.tables.close_names import parted_at
from indexing.partition.pdf.tables.edges import RuledRows
from indexing.partition.pdf.tables.lines import OVER, Line, between, runs_over

MIN_LINES = 2


def with_figures_parted(edges: RuledRows, lines: Sequence[Line]) -> list[Line]:
    """Return the lines, their cells parted at ends of columns that a figure stands before in all.

    Those are meant that run over such an end.
    """
    within = between(lines, edges.whole[0].at, edges.whole[-1].at)
    ends = [end for end in edges.whole[0].ends[1:-1] if _is_behind_figures(end, within)]
    if not ends:
        return list(lines)
    return [
        line._replace(cells=[part for cell in line.cells for part in parted_at(ends, cell)])
        for line in lines
    ]


def _is_behind_figures(end: float, lines: Iterable[Line]) -> bool:
    over = [line for line in lines if runs_over(line, end)]
    return len(over) >= MIN_LINES and all(_has_figure_before(end, line) for line in over)


def _has_figure_before(end: float, line: Line) -> bool:
    """Tell whether of a cell that runs over the end all before it is a figure."""
    parts = [next(parted_at([end], cell)) for cell in line.cells]
    return any(
        len(part) == 1 < len(cell) and part[0].right < end + OVER and is_figure(part[0])
        for part, cell in zip(parts, line.cells, strict=True)
    )
