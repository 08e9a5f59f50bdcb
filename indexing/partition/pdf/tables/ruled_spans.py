"""Tell where the tables begin and end that have rules between some of their rows.

Several may stand below each other, with columns of the same width and a text or a title between.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median

from indexing.partition.pdf.tables.cells import CLOSE, is_label, plain_text
from indexing.partition.pdf.tables.edges import TO_RULE, Edge, RuledRows
from indexing.partition.pdf.tables.lines import (
    OVER,
    Line,
    between,
    columns_of,
    crosses,
    has_figures,
)

TALL = 1.5  # times the least height of a row
LABEL_AND_VALUE = 2  # cells, of a line of a form
WIDER = 1.2  # times the usual distance of lines in a column

# Of the height of the words:
IN_HEADER = 1.6  # from a line of a header to its next one
LOOSE = 2.0  # from a line of a label to its next one, at most
TO_ROW = 3.5  # from a row to the next without a rule between them
HIGHEST = 12.0  # of a header

IN_LINE = 2.0  # points
MIN_LINES = 3  # of a table, with that of its header

_PAGE_NUMBER = re.compile(r"\D{0,10}\d{1,4}(\D{1,8}\d{1,4})?\D{0,3}")  # `2`, `- 2 -`, `2 of 14`


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the edges that belongs to one table, and where this begins and ends."""

    whole: Sequence[Edge]
    top: float
    bottom: float
    close: float  # so far apart are two lines of a cell at most


def spans(edges: RuledRows, lines: Sequence[Line], height: float) -> Iterator[Span]:
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
        rest = [
            line
            for line in between(row, bottom, top)
            if not _is_in_cell(line, edges.partial, above, edge)
        ]
        is_parted = _parts(rest, between(row, top, edge.at), edge)
        if is_parted and (top < edge.at or edge.at - bottom > TALL * usual):
            yield Span(edges.whole[first:number], start, bottom, close)
            first, start = number, top
    last = edges.whole[-1]
    below = between(lines, last.at, inf)
    if len(below) == 1 and _is_page_number(below[0], between(lines, start, last.at), last):
        below = []
    bottom = _bottom(below, last, height, close)
    yield Span(edges.whole[first:], start, bottom, close)


def _is_page_number(line: Line, rows: Sequence[Line], edge: Edge) -> bool:
    """Tell whether a lone number below all rows is in line with none of its column."""
    if len(line.cells) != 1 or len(rows) < MIN_LINES:
        return False
    (cell,) = line.cells
    if not _PAGE_NUMBER.fullmatch(plain_text(cell)):
        return False
    column = columns_of([cell], edge)
    others = [one for row in rows for one in row.cells if columns_of([one], edge) == column]
    return not any(
        min(abs(cell[0].left - one[0].left), abs(cell[-1].right - one[-1].right)) < IN_LINE
        for one in others
    )


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


def _is_in_cell(line: Line, partial: Sequence[Edge], above: Edge, edge: Edge) -> bool:
    """Tell whether a line is in a cell over all columns, as the titles of groups of rows are."""
    heights = [one.at for one in partial if above.at < one.at < edge.at and one.is_all_of(edge)]
    return any(one < line.middle < other for one, other in itertools.pairwise(heights))


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
        is_of_form = len(line.cells) == LABEL_AND_VALUE and is_label(line.cells[0])
        if is_far or is_outside or is_of_form or crosses(line, edge, parts):
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
