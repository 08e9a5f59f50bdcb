"""Complete the grids of tables that have rules, or colours, between some of their cells only.

Browsers, WeasyPrint and Word draw a rule below each cell, or below those of the header, and colour
the header or every second row, cell by cell. The rest is told from where the words stand.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median

from indexing.partition.pdf.tables.cells import CLOSE, Word, height_of, plain_text
from indexing.partition.pdf.tables.edges import (
    MAX_OUTER_EDGES,
    TO_RULE,
    Edge,
    RuledRows,
    reaches_over,
)
from indexing.partition.pdf.tables.lines import (
    OVER,
    Line,
    between,
    column_of,
    columns_of,
    crosses,
    goes_on_in_one_column,
    has_figures,
    has_figures_below,
    has_figures_beside,
    has_words,
    is_text,
    least_distance,
    lines_of,
    runs_over,
)
from indexing.partition.pdf.tables.rows_apart import rows_apart
from indexing.partition.pdf.tables.rules import Grid, Rule

MIN_ROWS = 3  # with that of the header
MANY_COLUMNS = 4  # of which all are filled
CROSSED = 0.3  # of the lines: what so many run over is no end of a column
TALL = 1.5  # times the least height of a row
WIDER = 1.2  # times the usual distance of lines in a column

# Of the height of the words:
IN_HEADER = 1.6  # from a line of a header to its next one
LOOSE = 2.0  # from a line of a label to its next one, at most
TO_ROW = 3.5  # from a row to the next without a rule between them
HIGHEST = 12.0  # of a header


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of the edges that belongs to one table, and where this begins and ends."""

    whole: Sequence[Edge]
    top: float
    bottom: float
    close: float  # so far apart are two lines of a cell at most


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
    uncrossed = _without_crossed(edges, lines)
    if is_colour and uncrossed is not edges:
        return
    for span in _spans(uncrossed, lines, height):
        grid = _grid(span, uncrossed.partial, lines, height, is_colour=is_colour)
        if grid is None or _is_header_alone(grid, lines, height):
            continue
        if not is_colour or not _is_unclear(grid, span.whole[0], lines, height):
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


def _spans(edges: RuledRows, lines: Sequence[Line], height: float) -> Iterator[_Span]:
    """Yield the tables among edges, parted where text, or a title, stands between two of them."""
    first = 0
    close = _line_distance(edges.whole, lines, height)
    heights = [below.at - above.at for above, below in itertools.pairwise(edges.whole)]
    usual = min(heights, default=0.0)
    start = _top(between(lines, 0, edges.whole[0].at), edges.whole[0], edges.partial, height, close)
    for number, (above, edge) in enumerate(itertools.pairwise(edges.whole), 1):
        row = between(lines, above.at, edge.at)
        top = _top(row, edge, edges.partial, height, close)
        bottom = _bottom(row, above, height, close)
        is_parted = _parts(between(row, bottom, top), between(row, top, edge.at), edge)
        if is_parted and (top < edge.at or edge.at - bottom > TALL * usual):
            yield _Span(edges.whole[first:number], start, bottom, close)
            first, start = number, top
    last = edges.whole[-1]
    bottom = _bottom(between(lines, last.at, inf), last, height, close)
    yield _Span(edges.whole[first:], start, bottom, close)


def _line_distance(edges: Sequence[Edge], lines: Sequence[Line], height: float) -> float:
    """Return how far apart the lines of a label are at most, as seen where one row is alone."""
    distances = []
    for above, edge in itertools.pairwise(edges):
        row = between(lines, above.at, edge.at)
        labels = [columns for line in row if len(columns := columns_of(line.cells, edge)) == 1]
        is_alone = len(labels) == len(row) - 1 and len(set().union(*labels)) <= 1
        if is_alone and not any(crosses(line, edge) for line in row):
            distances += [below.middle - line.middle for line, below in itertools.pairwise(row)]
    usual = median(distances) if distances else 0.0
    return max(CLOSE * height, WIDER * usual if usual < LOOSE * height else 0.0)


def _parts(rest: Sequence[Line], header: Sequence[Line], edge: Edge) -> bool:
    """Tell whether lines between two rules part two tables: a text, or a title above names."""
    if not rest or not all(len(line.cells) == 1 or crosses(line, edge) for line in rest):
        return False
    return not has_figures(header) or any(crosses(line, edge) for line in rest)


def _top(
    lines: Sequence[Line], edge: Edge, partial: Sequence[Edge], height: float, close: float
) -> float:
    """Return where a header, or the rest of a row, above an edge begins; at the edge without."""
    top = below = edge.at
    columns: set[int] = set()
    for line in reversed(lines):
        parts = [one for one in partial if line.middle < one.at < edge.at]
        near = IN_HEADER if len(line.cells) > 1 else CLOSE
        if not columns or any(one.at < below for one in parts):
            near = TO_RULE
        goes_on = bool(columns - {1}) and columns_of(line.cells, edge) == columns
        far = max(near * height, close if goes_on else 0.0)
        is_far = below - line.middle > far or edge.at - line.middle > HIGHEST * height
        is_outside = any(one.is_all_of(edge) for one in parts)
        if is_far or is_outside or crosses(line, edge, parts):
            break
        columns |= columns_of(line.cells, edge)
        below = line.middle
        top = line.top - OVER
    # Words above the first column alone are the end of a text, or a title.
    return top if columns - {1} else edge.at


def _bottom(lines: Sequence[Line], edge: Edge, height: float, close: float) -> float:
    """Return where rows below an edge end that have no rule; at the edge if there are none."""
    bottom = above = edge.at
    near = TO_RULE
    for line, behind in itertools.zip_longest(lines, lines[1:]):
        distance = line.middle - above
        columns = columns_of(line.cells, edge)
        if above == edge.at:
            # The rest of a row that the end of the page before cut may be in one column alone.
            goes_on = distance <= near * height and bool(columns - {1})
        else:
            is_row = len(columns) > 1 or _is_label(line, behind, distance) or _is_in(line, behind)
            goes_on = distance <= (near * height if is_row else close)
        if not goes_on or crosses(line, edge):
            break
        above, near = line.middle, TO_ROW
        bottom = line.bottom + OVER
    return bottom


def _is_label(line: Line, behind: Line | None, distance: float) -> bool:
    """Tell whether a line, so far below a row, is as near to figures below: they are about it."""
    return (
        behind is not None
        and has_figures([behind])
        and distance < WIDER * (behind.middle - line.middle)
        and line.cells[0][0].left < behind.cells[0][-1].right
    )


def _is_in(line: Line, row: Line | None) -> bool:
    """Tell whether a line is the first one of a row whose other cells stand at their middles."""
    return row is not None and len(row.cells) > 1 and row.top < line.bottom - OVER


def _grid(
    span: _Span,
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
    rows: list[list[Line]] = []
    for above, below in itertools.pairwise(sorted({rule.at for rule in across})):
        row = between(lines, above, below)
        # Of rows that colours part, the first one may be the last line of the header.
        are_several = is_colour and (not rows or sum(has_figures([one]) for one in row) > 1)
        if are_several or len(span.whole) <= MAX_OUTER_EDGES or above == span.whole[-1].at:
            is_known = rows or goes_on_in_one_column(row, edge)
            parted = _parted(row, edge, span.close if is_known else CLOSE * height)
        else:
            parted = [row]
        names = rows[0] if rows else parted[0]
        is_sure = bool(names) and (not has_figures(names) or _are_full(parted, edge))
        if len(parted) > 1 and (not is_sure or is_text(parted, edge)):
            return None
        if any(_is_no_row(one, edge, max(IN_HEADER * height, span.close)) for one in parted):
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


def _are_full(rows: Sequence[Sequence[Line]], edge: Edge) -> bool:
    """Tell whether each row fills all of many columns."""
    columns = set(range(1, len(edge.ends)))
    return len(columns) >= MANY_COLUMNS and all(
        columns_of(itertools.chain.from_iterable(line.cells for line in row), edge) == columns
        for row in rows
    )


def _down(span: _Span, parts: Sequence[Edge], lines: Sequence[Line]) -> tuple[Rule, ...]:
    """Return rules at the ends of all columns; below the headings that are over several."""
    edge = span.whole[0]
    heads = [(one, between(lines, span.top, one.at)) for one in parts if one.at < edge.at]
    rules = [Rule(end, span.top, span.bottom) for end in (edge.left, edge.right)]
    for end, behind in itertools.pairwise(edge.ends[1:]):
        over = (
            one.at
            for one, above in heads
            if reaches_over(one, end, edge) and not has_words(above, end, behind)
        )
        rules.append(Rule(end, max(over, default=span.top), span.bottom))
    return tuple(sorted(rules))


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


def _is_header_alone(grid: Grid, lines: Sequence[Line], height: float) -> bool:
    """Tell whether only names of columns stand in a grid: figures follow right behind it."""
    below = between(lines, grid.bottom, grid.bottom + TO_ROW * height)
    return has_figures(below) and not has_figures(between(lines, grid.top, grid.bottom))


def _is_unclear(grid: Grid, edge: Edge, lines: Sequence[Line], height: float) -> bool:
    """Tell whether rows go on beyond a grid of colours, or its columns may be other ones.

    Filings have cells for signs of currency, and empty ones for distance, between their columns,
    and headings over several of them; lists have a column of marks.
    """
    within = between(lines, grid.top, grid.bottom)
    near = TO_RULE * height
    above = between(lines, grid.top - near, grid.top)
    below = between(lines, grid.bottom, grid.bottom + near)
    header = list(itertools.takewhile(lambda line: not has_figures([line]), within))
    if len(header) == len(within):
        header = between(lines, grid.top, min(one.at for one in grid.across if one.at > grid.top))
    texts: dict[int, str] = {}
    for line in within:
        for cell in line.cells:
            column = column_of(cell, edge)
            texts[column] = texts.get(column, "") + plain_text(cell)
    heights = sorted({rule.at for rule in grid.across})
    rows = (between(within, one, other) for one, other in itertools.pairwise(heights))
    named = [any(1 in columns_of(line.cells, edge) for line in row) for row in rows if row]
    return (
        any(columns_of(line.cells, edge) - {1} and not _is_prose(line, edge) for line in above)
        or any(columns_of(line.cells, edge) - {1} and not crosses(line, edge) for line in below)
        or _has_headings(header, edge)
        or len(texts) < len(edge.ends) - 1
        or not all(any(map(str.isalnum, text)) for text in texts.values())
        or 2 * sum(named) < len(named)
    )


def _is_prose(line: Line, edge: Edge) -> bool:
    """Tell whether a line begins in the first column and runs over the next one."""
    return line.cells[0][0].left < edge.ends[1] and crosses(line, edge)


def _has_headings(header: Sequence[Line], edge: Edge) -> bool:
    """Tell whether a line of a header may be over several names of the next, or another row."""
    columns = [columns_of(line.cells, edge) for line in header]
    return any(
        len(one) < len(other) or len(one & other) > 1 for one, other in itertools.pairwise(columns)
    )
