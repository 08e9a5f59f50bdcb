"""Complete the grids of tables that have rules, or colours, between some of their cells only.

Browsers, WeasyPrint and Word draw a rule below each cell, or below those of the header, and colour
the header or every second row, cell by cell. The rest is told from where the words stand.
"""

import itertools
from bisect import bisect
from collections.abc import Iterator, Sequence
from math import inf
from statistics import median

from indexing.partition.pdf.tables.cells import CLOSE, Word, height_of
from indexing.partition.pdf.tables.close_figures import with_figures_parted
from indexing.partition.pdf.tables.close_names import with_names_parted
from indexing.partition.pdf.tables.coloured_rows import is_unclear
from indexing.partition.pdf.tables.edges import (
    MAX_OUTER_EDGES,
    Edge,
    RuledRows,
    reaches_over,
)
from indexing.partition.pdf.tables.lines import (
    OVER,
    Line,
    between,
    columns_of,
    goes_on_in_one_column,
    has_figures,
    has_figures_below,
    has_figures_beside,
    has_words,
    is_one_cell,
    is_text,
    least_distance,
    lines_of,
    runs_over,
)
from indexing.partition.pdf.tables.rows_apart import rows_apart
from indexing.partition.pdf.tables.ruled_grids import Grid
from indexing.partition.pdf.tables.ruled_headings import with_rules_below_headings
from indexing.partition.pdf.tables.ruled_spans import IN_HEADER, TO_ROW, WIDER, Span, spans
from indexing.partition.pdf.tables.rules import Rule

MIN_ROWS = 3  # with that of the header
MANY_COLUMNS = 4  # of which all are filled
CROSSED = 0.3  # of the lines: what so many run over is no end of a column


def completed(
    edges: RuledRows, words: Sequence[Word], *, is_colour: bool = False
) -> Iterator[Grid]:
    """Yield the grids around words, with rules where none are drawn.

    Tables below each other may have columns of the same width; text stands between them. Rows that
    are only coloured, as every second one is for its looks, do not show where a table begins and
    ends: such a table must stand apart, and its cells be those that a reader sees.
    """
    lines = lines_of(words)
    if not lines:
        return
    height = median(map(height_of, words))
    lines = with_figures_parted(edges, lines)
    uncrossed = _without_crossed(edges, lines)
    if is_colour and uncrossed is not edges:
        return
    lines = with_names_parted(uncrossed, lines, height)
    if not is_colour:
        uncrossed = with_rules_below_headings(uncrossed, lines, height)
    for span in spans(uncrossed, lines, height):
        grid = _grid(span, uncrossed.partial, lines, height, is_colour=is_colour)
        if grid is None or _is_header_alone(grid, uncrossed.whole[0], lines, height):
            continue
        if not is_colour or not is_unclear(grid, span.whole[0], lines, height):
            yield grid


def _without_crossed(edges: RuledRows, lines: Sequence[Line]) -> RuledRows:
    """Leave out ends of rules that are no ends of columns: many lines run over them."""
    within = between(lines, edges.whole[0].at, edges.whole[-1].at)
    crossed = [
        end
        for end in edges.whole[0].ends[1:-1]
        if sum(runs_over(line, end) for line in within) > CROSSED * len(within)
    ]
    if not crossed:
        return edges
    whole, partial = (
        [edge.without(crossed) for edge in some] for some in (edges.whole, edges.partial)
    )
    return RuledRows(whole, [edge for edge in partial if len(edge.ends) > 1], edges.lines)


def _grid(
    span: Span,
    partial: Sequence[Edge],
    lines: Sequence[Line],
    height: float,
    *,
    is_colour: bool,
) -> Grid | None:
    """Return the grid of a table, None if its words do not stand in rows and columns."""
    edge = span.whole[0]
    if span.top >= span.bottom:
        return None
    parts = [one for one in partial if span.top < one.at < span.bottom]
    drawn = {Rule(one.at, one.left, one.right) for one in (*span.whole, *parts)}
    across = sorted(drawn | {Rule(at, edge.left, edge.right) for at in (span.top, span.bottom)})
    heights = sorted({rule.at for rule in across})
    close = max(IN_HEADER * height, span.close)
    rows: list[list[Line]] = []
    for parted in _rows_between(heights, span, lines, height, is_colour=is_colour):
        if not _are_rows(parted, rows[0] if rows else parted[0], edge, close):
            return None
        gaps = ((one[-1].bottom + two[0].top) / 2 for one, two in itertools.pairwise(parted))
        across += (Rule(at, edge.left, edge.right) for at in gaps)
        rows += parted
    filled = list(filter(None, rows))
    # The last rows of a table of the page before may be two, and stand above all else.
    is_rest = not between(lines, 0, span.top) and _are_full(filled, edge)
    if len(filled) < (MIN_ROWS - 1 if is_rest else MIN_ROWS):
        return None
    down = _down(span, parts, lines)
    return Grid(tuple(sorted(across)), down, edge.left, span.top, edge.right, span.bottom)


def _rows_between(
    heights: Sequence[float],
    span: Span,
    lines: Sequence[Line],
    height: float,
    *,
    is_colour: bool,
) -> Iterator[list[list[Line]]]:
    """Yield the rows between each two heights where rules are: one, if these part all rows."""
    edge = span.whole[0]
    for number, (above, below) in enumerate(itertools.pairwise(heights)):
        row = between(lines, above, below)
        # Of rows that colours part, the first one may be the last line of the header.
        are_several = is_colour and (not number or sum(has_figures([one]) for one in row) > 1)
        if are_several or len(span.whole) <= MAX_OUTER_EDGES or above == span.whole[-1].at:
            is_known = number or goes_on_in_one_column(row, edge)
            yield _parted(row, edge, span.close if is_known else CLOSE * height)
        else:
            yield [row]


def _parted(lines: Sequence[Line], edge: Edge, close: float) -> list[list[Line]]:
    """Return the rows without rules between them: they stand further apart than lines of a cell."""
    words = [word for line in lines for cell in line.cells for word in cell]
    if heights := rows_apart(words, edge.ends):
        return [between(lines, *sides) for sides in itertools.pairwise((0.0, *heights, inf))]
    distances = [line.middle - above.middle for above, line in itertools.pairwise(lines)]
    usual = least_distance(lines, edge)
    if min(usual, *distances, inf) < close:
        close = max(close, WIDER * usual)
    rows = [list(lines[:1])]
    for line, distance in zip(lines[1:], distances, strict=True):
        if distance > close:
            rows.append([])
        rows[-1].append(line)
    return rows


def _are_rows(
    rows: Sequence[Sequence[Line]], names: Sequence[Line], edge: Edge, close: float
) -> bool:
    """Tell whether what stands between two rules is a row each; several need names above."""
    if len(rows) > 1:
        is_sure = bool(names) and (not has_figures(names) or _are_full(rows, edge))
        if not is_sure or is_text(rows, edge):
            return False
    return not any(_is_no_row(row, edge, close) for row in rows)


def _is_no_row(lines: Sequence[Line], edge: Edge, close: float) -> bool:
    """Tell whether lines are no row: words stand beside the rules, or more than one row or column.

    Lines of one row are so close at most, if both are of several cells. Labels stand beside rules
    that are only below figures.
    """
    return (
        any(line.cells[0][0].left < edge.left - OVER for line in lines)
        or any(line.cells[-1][-1].right > edge.right + OVER for line in lines)
        or any(has_figures_beside(line, edge) for line in lines)
        or has_figures_below(lines, edge)
        or any(
            line.middle - above.middle > close
            and min(len(columns_of(one.cells, edge)) for one in (above, line)) > 1
            for above, line in itertools.pairwise(lines)
        )
    )


def _are_full(rows: Sequence[Sequence[Line]], edge: Edge) -> bool:
    """Tell whether each row fills all of many columns."""
    columns = set(range(1, len(edge.ends)))
    return len(columns) >= MANY_COLUMNS and all(
        columns_of(itertools.chain.from_iterable(line.cells for line in row), edge) == columns
        for row in rows
    )


def _down(span: Span, parts: Sequence[Edge], lines: Sequence[Line]) -> tuple[Rule, ...]:
    """Return rules at the ends of all columns; below the headings that are over several."""
    edge = span.whole[0]
    heads = [(one, between(lines, span.top, one.at)) for one in parts if one.at < edge.at]
    rules = [Rule(end, span.top, span.bottom) for end in (edge.left, edge.right)]
    for end, behind in itertools.pairwise(edge.ends[1:]):
        over = (
            one.at
            for one, above in heads
            if reaches_over(one, end, edge)
            and (is_one_cell(above, _around(one, end)) or not has_words(above, end, behind))
        )
        rules.append(Rule(end, max(over, default=span.top), span.bottom))
    return tuple(sorted(rules))


def _around(part: Edge, end: float) -> Edge:
    """Return the one of the rules side by side in which the end of a column is."""
    if part.has(end):
        return part
    number = bisect(part.ends, end)
    return Edge(part.at, part.ends[number - 1 : number + 1])


def _is_header_alone(grid: Grid, edge: Edge, lines: Sequence[Line], height: float) -> bool:
    """Tell whether only names of columns stand in a grid: figures follow right behind it.

    A line of more cells than columns is a text whose words are spread to fill it.
    """
    near = between(lines, grid.bottom, grid.bottom + TO_ROW * height)
    below = [line for line in near if len(line.cells) < len(edge.ends)]
    return has_figures(below) and not has_figures(between(lines, grid.top, grid.bottom))
