"""Find the grids that ruling lines make where they touch each other."""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from indexing.partition.pdf.boxes import Rectangles
from indexing.partition.pdf.tables.rules import TOUCHING, Places, Rule, Rules, aligned

EDGE = 0.05  # points, by which a letter may lie over a rule
OPEN = 8.0  # points, from the last rule across to the end of those at the sides
MIN_ROWS = 2
MIN_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Grid:
    """Rules that touch each other, sorted, and what they enclose; in points from the upper left."""

    across: tuple[Rule, ...]
    down: tuple[Rule, ...]
    left: float
    top: float
    right: float
    bottom: float
    is_headed: bool = False  # by a row that is coloured while no other one is

    def holds(self, xs: Places, ys: Places) -> npt.NDArray[np.bool_]:
        return (self.left < xs) & (xs < self.right) & (self.top < ys) & (ys < self.bottom)

    def cells_at(self, xs: Places, ys: Places) -> list[tuple[float, float]]:
        """Return top and left of the cell around each place, also of one over rows or columns."""
        tops, lefts = _last_before(self.across, ys, xs), _last_before(self.down, xs, ys)
        return list(zip(tops.tolist(), lefts.tolist(), strict=True))

    def ends_at(self, xs: Places, ys: Places) -> list[tuple[float, float]]:
        """Return bottom and right of the cell around each place; infinite where none is drawn."""
        bottoms, rights = _first_behind(self.across, ys, xs), _first_behind(self.down, xs, ys)
        return list(zip(bottoms.tolist(), rights.tolist(), strict=True))

    def mirrored(self, width: float) -> "Grid":
        """Return the grid as a page of this width has it in a mirror."""
        across = (rule.mirrored(width) for rule in self.across)
        down = (Rule(width - at, start, end) for at, start, end in self.down)
        sides = width - self.right, self.top, width - self.left, self.bottom
        return Grid(tuple(sorted(across)), tuple(sorted(down)), *sides)

    def crossed(self, stand: Rectangles) -> npt.NDArray[np.int_]:
        """Return which of these are crossed by a rule down the page."""
        lefts, tops, rights, bottoms = stand.T
        middles = (tops + bottoms) / 2
        first, last = (_last_before(self.down, xs, middles) for xs in (lefts + EDGE, rights - EDGE))
        return np.flatnonzero(first != last)

    def parted(self, stand: Rectangles) -> npt.NDArray[np.int_]:
        """Return which of these a rule parts from the one before, on whichever side that is.

        A rule that runs through either of them parts none: their text runs over it.
        """
        lefts, tops, rights, bottoms = stand.T
        middles = (tops + bottoms) / 2
        is_behind = lefts[1:] + rights[1:] > lefts[:-1] + rights[:-1]
        ends = np.where(is_behind, rights[:-1] - EDGE, lefts[:-1] + EDGE)
        starts = np.where(is_behind, lefts[1:] + EDGE, rights[1:] - EDGE)
        before = _last_before(self.down, ends, middles[:-1])
        behind = _last_before(self.down, starts, middles[1:])
        return np.flatnonzero(before != behind) + 1


def grids_of(rules: Rules) -> list[Grid]:
    """Return the grids that rules make, with at least two rows and columns."""
    # Most pages have rules below their headers and sums alone.
    if len(rules.across) <= MIN_ROWS or len(rules.down) < MIN_COLUMNS:
        return []
    groups = _touching(rules.across, rules.down)
    return [grid for group in groups if (grid := _grid(*group)) is not None]


def _touching(
    across: Sequence[Rule], down: Sequence[Rule]
) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Yield groups of rules that hang together, of so many as those of a grid are."""
    if not across or not down:
        return
    heights, lefts, rights = np.array(across).T
    places, tops, bottoms = np.array(down).T
    crossing = (
        (lefts[:, None] - TOUCHING <= places)
        & (places <= rights[:, None] + TOUCHING)
        & (tops - TOUCHING <= heights[:, None])
        & (heights[:, None] <= bottoms + TOUCHING)
    )
    groups: list[tuple[int, list[int]]] = []
    alone: list[Rule] = []
    for number, crossed in enumerate(np.packbits(crossing, axis=1, bitorder="little")):
        # The rules down the page that this one crosses, as the bits of a number.
        columns = int.from_bytes(crossed.tobytes(), "little")
        if not columns:
            alone.append(across[number])
            continue
        rows = [number]
        apart = []
        for group in groups:
            if group[0] & columns:
                columns |= group[0]
                rows += group[1]
            else:
                apart.append(group)
        groups = [*apart, (columns, rows)]
    for columns, rows in sorted(groups, key=lambda group: min(group[1])):
        # Most groups are a box, or a rule and what ends it.
        if len(rows) > MIN_ROWS and columns.bit_count() >= MIN_COLUMNS:
            touching = sorted([across[n] for n in rows])
            between = [one for one in alone if _is_between(one, touching)]
            yield touching + between, [down[n] for n in range(len(down)) if columns >> n & 1]


def _is_between(rule: Rule, rules: Sequence[Rule]) -> bool:
    """Tell whether a rule lies between sorted ones on a line: above a cell over three columns.

    That in the middle of it touches no rule down the page, where each column has its own.
    """
    start, end = (
        bisect(rules, rule.at + near, key=itemgetter(0)) for near in (-TOUCHING, TOUCHING)
    )
    beside = rules[start:end]
    return any(one.end < rule.start + TOUCHING for one in beside) and any(
        one.start > rule.end - TOUCHING for one in beside
    )


def _grid(across: Iterable[Rule], down: Iterable[Rule]) -> Grid | None:
    across, down = aligned(across), aligned(down)
    if len({one.at for one in across}) <= MIN_ROWS or len({one.at for one in down}) < MIN_COLUMNS:
        return None
    left = min(min(one.start for one in across), down[0].at) - TOUCHING
    right = max(max(one.end for one in across), down[-1].at) + TOUCHING
    across = _with_open_ends(across, down)
    return Grid(tuple(across), tuple(down), left, across[0].at, right, across[-1].at)


def _with_open_ends(across: list[Rule], down: Sequence[Rule]) -> list[Rule]:
    """Return the rules across, the outermost also where both sides end, if they reach further.

    The end of a page cuts a row so. Of some programs each cell has a rule of its own.
    """
    sides = [
        (min(starts), max(ends))
        for place in (down[0].at, down[-1].at)
        for _, starts, ends in [zip(*(one for one in down if one.at == place), strict=True)]
    ]
    top, bottom = max(start for start, _ in sides), min(end for _, end in sides)
    first, last = across[0].at, across[-1].at
    above = [one._replace(at=top) for one in across if one.at == first and first - top > OPEN]
    below = [one._replace(at=bottom) for one in across if one.at == last and bottom - last > OPEN]
    return [*above, *across, *below]


def _last_before(rules: Iterable[Rule], at: Places, beside: Places) -> Places:
    """Return the last rule before each `at` that reaches past its `beside`; 0 without one."""
    ats, reaches = _reaching(rules, beside)
    last: Places = np.where(reaches & (ats <= at), ats, 0.0).max(axis=0)
    return last


def _first_behind(rules: Iterable[Rule], at: Places, beside: Places) -> Places:
    """Return the first rule behind each `at` that reaches past its `beside`; infinity without."""
    ats, reaches = _reaching(rules, beside)
    first: Places = np.where(reaches & (ats > at), ats, np.inf).min(axis=0)
    return first


def _reaching(rules: Iterable[Rule], beside: Places) -> tuple[Places, npt.NDArray[np.bool_]]:
    """Return where the rules are, and which of them reach past each of these."""
    sides = np.array([(rule.at, rule.start - TOUCHING, rule.end + TOUCHING) for rule in rules])
    ats, starts, ends = sides.T[:, :, None]
    return ats, (starts <= beside) & (beside <= ends)
