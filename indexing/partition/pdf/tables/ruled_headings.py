"""Tell headings over several columns where rules are drawn below each column, not each heading.

So browsers draw a rule below all cells of a row. Others draw one below the names alone.
"""

import itertools
from collections.abc import Sequence
from math import inf

from indexing.partition.pdf.tables.cells import Row, plain_text
from indexing.partition.pdf.tables.edges import TO_RULE, Edge, RuledRows
from indexing.partition.pdf.tables.headings import MIN_BELOW, Side, columns_below
from indexing.partition.pdf.tables.lines import Line, between, column_of, crosses, has_figures

ALIGNED = 2.0  # points
MAX_EDGES_ABOVE = 2  # the headings: one above the table, and one below them


def with_rules_below_headings(edges: RuledRows, lines: Sequence[Line], height: float) -> RuledRows:
    """Return the edges, the one below headings as a rule below each of them."""
    if len(edges.whole) <= MAX_EDGES_ABOVE:
        return _with_rules_above_names(edges, lines, height)
    for number, edge in enumerate(edges.whole[:MAX_EDGES_ABOVE]):
        near = edges.whole[number - 1].at if number else edge.at - TO_RULE * height
        headings = between(lines, near, edge.at)
        if not number and len(headings) > 1 and len(headings[-2].cells) == 1:
            headings = headings[-1:]  # below a text
        names = between(lines, edge.at, edges.whole[number + 1].at)
        if len(headings) == 1 and len(headings[0].cells) < len(edge.ends) - 1:
            parts = _below(headings[0].cells, names, edge)
            if parts:
                whole = [one for one in edges.whole if one is not edge]
                return RuledRows(whole, [*edges.partial, *parts], edges.lines)
    return _with_rules_above_names(edges, lines, height)


def _with_rules_above_names(edges: RuledRows, lines: Sequence[Line], height: float) -> RuledRows:
    """Return the edges, with a rule below each heading if there is none but below the names."""
    edge = edges.whole[0]
    above = between(lines, -inf, edge.at)[-2:]
    if len(above) < 2:
        return edges
    headings, names = above
    is_near = max(names.middle - headings.middle, edge.at - names.middle) < TO_RULE * height
    if not is_near or not crosses(headings, edge) or crosses(names, edge):
        return edges
    if any(headings.middle < one.at < edge.at for one in edges.partial):
        return edges
    parts = _below(headings.cells, [names], edge)
    middle = (headings.bottom + names.top) / 2
    parts = [Edge(middle, one.ends) for one in parts]
    return RuledRows(edges.whole, [*edges.partial, *parts], edges.lines) if parts else edges


def _below(line: Row, names: Sequence[Line], edge: Edge) -> list[Edge]:
    """Return the rules below the cells of a line; none if these are no headings of names."""
    cells = [cell for cell in line if cell[0].left > edge.ends[1]]
    if not cells or has_figures(names) or has_figures([Line(line, 0, 0, 0)]):
        return []
    texts: dict[int, str] = {}
    for cell in itertools.chain.from_iterable(one.cells for one in names):
        texts.setdefault(column_of(cell, edge), plain_text(cell))
    columns = range(2, len(edge.ends))
    if not all(map(texts.__contains__, columns)):
        return []
    sides = list(itertools.pairwise(edge.ends[1:]))
    below = columns_below(cells, sides, [texts[number] for number in columns])
    below = below or _centred(cells, sides)
    return [
        Edge(edge.at, edge.ends[one.start + 1 : one.stop + 2])
        for one in below
        if len(one) >= MIN_BELOW
    ]


def _centred(headings: Row, sides: Sequence[Side]) -> list[range]:
    """Return the columns of each heading, be they more than those of another; none if not all.

    Rules tell where columns end, so that it stands right in the middle of its own. Above the first
    columns there may be none, where these have labels as well.
    """
    for first in range(len(sides)):
        below: list[range] = []
        start = first
        for heading in headings:
            middle = (heading[0].left + heading[-1].right) / 2
            for stop in range(start + 1, len(sides) + 1):
                if abs(sides[start][0] + sides[stop - 1][1] - 2 * middle) < 2 * ALIGNED:
                    below.append(range(start, stop))
                    start = stop
                    break
        if len(below) == len(headings) and start == len(sides):
            return below
    return []
