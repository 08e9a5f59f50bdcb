"""Find rules side by side that touch each other: below or above the cells of a row, each its own.

Where two of them meet ends a column, though nothing is drawn there; a cell over two rows has no
rule between these.
"""

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from indexing.partition.pdf.boxes import Rectangle
from indexing.partition.pdf.tables.rules import NARROWEST, TOUCHING, Rule

MAX_EDGES = 500
REMEMBERED_LINES = 500
"""Rules below each other mostly begin and end at the same places, also on the next page."""

MAX_COLUMNS = 40
NARROW = 8.0  # points: so little between the rules of two cells is their margin
MAX_OUTER_EDGES = 3  # of a table without rules between its rows: of its header and at its end
ABOVE = 150.0  # points, from the first edge to the text above the header
BELOW = 100.0  # points, from the last one to the text below a row without a rule
BELOW_HEADER = 24.0  # points, to the first row
TO_RULE = 2.5  # times the height of a line, from it to the rule above or below it
BESIDE = 12.0  # points: a line that is so near to an edge stands in a row beside it


class Edge(NamedTuple):
    """Rules side by side as one; in points from the upper left."""

    at: float
    ends: tuple[float, ...]  # where the first one begins, two of them meet, the last one ends

    @property
    def left(self) -> float:
        return self.ends[0]

    @property
    def right(self) -> float:
        return self.ends[-1]

    def has(self, place: float) -> bool:
        """Tell whether a rule begins or ends there."""
        return any(abs(end - place) < NARROW for end in self.ends)

    def is_part_of(self, other: "Edge") -> bool:
        """Tell whether the edge is below some of the columns, or cells over them."""
        return len(self.ends) < len(other.ends) and all(map(other.has, self.ends))

    def is_all_of(self, other: "Edge") -> bool:
        """Tell whether the edge is one rule along all of the other, as at the end of a table."""
        return len(self.ends) == 2 and all(
            abs(end - its_end) < NARROW
            for end, its_end in zip(self.ends, other.ends[:: len(other.ends) - 1], strict=True)
        )

    def is_as_wide_as(self, other: "Edge") -> bool:
        """Tell whether the edge has fewer columns than one as wide: above, or below, sums."""
        return len(self.ends) > 2 and self.has(other.left) and self.has(other.right)

    def is_like(self, other: "Edge") -> bool:
        # Most are drawn at the very same places.
        return self.ends == other.ends or (
            len(self.ends) == len(other.ends)
            and all(abs(one - its) < NARROW for one, its in zip(self.ends, other.ends, strict=True))
        )

    def without(self, places: Sequence[float]) -> "Edge":
        """Return the edge without the ends of columns there."""
        return Edge(
            self.at,
            tuple(end for end in self.ends if all(abs(end - one) >= NARROW for one in places)),
        )


@dataclass(frozen=True, slots=True)
class RuledRows:
    """Edges across all columns of a table, and those across some of them, from the top."""

    whole: Sequence[Edge]
    partial: Sequence[Edge]
    lines: Sequence[int]  # that the table may have, be it without a rule


def edges_of(lines: Sequence[Sequence[Rule]]) -> list[Edge]:
    """Return rules that touch each other on a line as edges, from the top.

    None where no two meet, as on many a page: nothing tells there where a column ends.
    """
    if len(lines) > MAX_EDGES or max(map(len, lines), default=0) < 2:
        return []
    ends = list(map(_ends, lines))
    if max(map(len, ends)) <= 2:
        return []
    return [Edge(line[0].at, places) for line, places in zip(lines, ends, strict=True)]


def ruled_rows(
    edges: Sequence[Edge],
    places: Callable[[], Sequence[Rectangle]],
    have_figures: Sequence[bool],
    known: Collection[float] | None = None,
) -> list[RuledRows]:
    """Return the edges that may be those of tables, widest first, each edge once.

    `places` tells those of the lines of the page, some of which end with figures, and is asked only
    where edges may be seen. Where some edges are only those of colours, `known` are the heights of
    the others.
    """
    groups = list(filter(_may_be_seen, _alike(edges)))
    if not groups:
        return []
    stand = places()
    found: list[RuledRows] = []
    used: set[Edge] = set()
    for group in sorted(groups, key=lambda group: group[0].left - group[0].right):
        is_new = known is None or any(one.at not in known for one in group)
        if not is_new or not used.isdisjoint(group):
            continue
        if lines := _lines_between(group, stand, have_figures):
            last = group[-1].at
            parts = [one for one in edges if one.is_part_of(group[0])]
            partial = [one for one in parts if one.at < last or one.is_as_wide_as(group[0])]
            used.update(group, partial)
            found.append(RuledRows(group, partial, lines))
    return found


def _may_be_seen(group: Sequence[Edge]) -> bool:
    """Tell whether there are rules between rows, or columns wide enough to be those of words.

    Filings have rules below single figures, and columns for signs of currency.
    """
    columns = itertools.pairwise(group[0].ends)
    is_ruled = len(group) > MAX_OUTER_EDGES
    return is_ruled or all(right - left > NARROWEST for left, right in columns)


def _lines_between(
    group: Sequence[Edge], places: Sequence[Rectangle], have_figures: Sequence[bool]
) -> list[int]:
    """Return which lines stand between the ends of edges; none if the edges are no table's.

    Lines that begin beside them and run over their beginning have labels of figures: the rules are
    then those of the figures, or of their names, alone.
    """
    first, last = group[0], group[-1]
    if len(group) == 1 and not _is_below_header(first, places):
        return []
    left, right = first.left, first.right
    for (start, top, end, bottom), has_figures in zip(places, have_figures, strict=True):
        if start < left - NARROW and end > left + NARROW:
            reach = last.at + BESIDE + (BELOW_HEADER if has_figures else 0)
            if first.at - BESIDE < (top + bottom) / 2 < reach:
                return []
    highest = first.at - ABOVE
    lowest = last.at + BELOW if len(group) > MAX_OUTER_EDGES else inf
    return [
        number
        for number, (start, top, end, bottom) in enumerate(places)
        if left < (start + end) / 2 < right and highest < (top + bottom) / 2 < lowest
    ]


def _is_below_header(edge: Edge, places: Sequence[Rectangle]) -> bool:
    """Tell whether lines stand right above and below an edge, behind its first column, too."""
    at, left, second, right = edge.at, edge.left, edge.ends[1], edge.right
    distances = [
        (top + bottom) / 2 - at
        for start, top, end, bottom in places
        if abs((top + bottom) / 2 - at) < TO_RULE * (bottom - top)
        and end > second
        and start < right
        and start + end > 2 * left
    ]
    return bool(distances) and min(distances) < 0 < max(distances)


def reaches_over(part: Edge, end: float, whole: Edge) -> bool:
    """Tell whether a heading right above a part may reach over the end of a column."""
    if not part.left + TOUCHING < end < part.right - TOUCHING:
        return False
    is_across = whole.is_like(Edge(part.at, (part.left, *whole.ends[1:-1], part.right)))
    # Browsers draw a rule for each column below a heading, too.
    return not is_across or not part.has(end)


def _ends(beside: Sequence[Rule]) -> tuple[float, ...]:
    """Return where the first of these begins, where two of them meet, and where the last ends."""
    if len(beside) == 1:
        return beside[0][1:]
    _, starts, ends = zip(*beside, strict=True)
    return _meetings(starts, ends)


@functools.lru_cache(maxsize=REMEMBERED_LINES)
def _meetings(starts: tuple[float, ...], ends: tuple[float, ...]) -> tuple[float, ...]:
    # Many a rule is drawn twice.
    places = sorted({*starts, *ends})
    meetings: list[float] = []
    first = last = places[0]
    for place in places:
        if place - first > NARROW:
            meetings.append((first + last) / 2)
            first = place
        last = place
    return places[0], *meetings[1:], places[-1]


def _alike(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Yield edges with the same columns below each other, and no other ones across these."""
    open_groups: list[list[Edge]] = []
    for edge in edges:
        if not 2 < len(edge.ends) <= MAX_COLUMNS + 1:
            continue
        going_on = []
        for group in open_groups:
            last = group[-1]
            if edge.is_like(last):
                group.append(edge)
                break
            is_beside = (
                edge.ends[0] > last.ends[-1] - TOUCHING or last.ends[0] > edge.ends[-1] - TOUCHING
            )
            if is_beside or edge.is_part_of(last) or last.is_part_of(edge):
                going_on.append(group)
            else:
                yield group
        else:
            open_groups = [*going_on, [edge]]
    yield from open_groups
