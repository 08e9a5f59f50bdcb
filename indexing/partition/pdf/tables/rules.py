"""Find the ruling lines on a PDF page, and those around what is coloured."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2

from indexing.partition.pdf.boxes import shares
from indexing.partition.pdf.pictures import Drawn
from indexing.partition.pdf.tables.drawn_lines import SHORTEST, drawn_lines

MAX_RULES = 2000
"""A page with more is a drawing."""

HIGHEST = 400.0  # points, of a cell
NARROWEST = 14.0  # the same, of one with a word
MOST_NARROW = 0.1  # of the cells
TOUCHING = 2.5  # points

Places = npt.NDArray[np.float64]
"""How far right, or down, each of several places is, in points from the upper left."""


class Rule(NamedTuple):
    """A straight line across or down the page as it is displayed."""

    at: float  # its height, or how far right it is
    start: float
    end: float

    def mirrored(self, width: float) -> "Rule":
        """Return a rule across the page as a page of this width has it in a mirror."""
        return Rule(self.at, width - self.end, width - self.start)


@dataclass(frozen=True)
class Rules:
    """The straight lines on a page."""

    across: list[Rule]
    down: list[Rule]
    around_fills: list[Rule]  # above and below rectangles, as those behind coloured cells are

    @cached_property
    def lines(self) -> list[list[Rule]]:
        """Those across the page as `side_by_side` has them, looked for once."""
        return side_by_side(self.across)


def find_rules(page: pypdfium2.PdfPage, size: tuple[float, float], drawn: Drawn) -> Rules:
    """Return the rules among what is drawn on a page of this size; none if there are too many."""
    lines, fills = drawn_lines(drawn)
    if len(lines) > MAX_RULES:
        # Browsers draw each cell's own four sides, so that most rules are there twice.
        lines = np.unique(lines.round(1), axis=0)
    if len(lines) > MAX_RULES:
        return Rules([], [], [])
    if len(fills) > MAX_RULES:
        fills = fills[:0]
    if not len(lines) and not len(fills):
        return Rules([], [], [])
    # Most of the time goes to asking the page where it lies, so that both are placed at once.
    placed = (shares(page, np.concatenate([lines, fills])) * (size * 2)).T
    # A rectangle may begin at any of its corners, the more so on a page that is turned.
    one, other = placed[:2], placed[2:]
    sides = np.concatenate([np.minimum(one, other), np.maximum(one, other)])
    lefts, tops, rights, bottoms = sides[:, : len(lines)]
    is_across = rights - lefts >= bottoms - tops
    across = _rules((tops + bottoms) / 2, lefts, rights, is_across)
    down = _rules((lefts + rights) / 2, tops, bottoms, ~is_across)
    return Rules(across, down, _around(sides[:, len(lines) :]) if len(fills) else [])


def _around(fills: Places) -> list[Rule]:
    """Return the rules above and below what may be cells, given the four sides of each."""
    lefts, tops, rights, bottoms = fills
    widths, heights = rights - lefts, bottoms - tops
    is_cell = (widths > SHORTEST) & (heights > SHORTEST) & (heights < HIGHEST)
    cells = np.count_nonzero(is_cell)
    # Filings have cells for signs of currency, and for distance: none that a reader sees.
    narrow = np.count_nonzero(is_cell & (widths < NARROWEST))
    if not cells or narrow > MOST_NARROW * cells:
        return []
    return [*_rules(tops, lefts, rights, is_cell), *_rules(bottoms, lefts, rights, is_cell)]


def _rules(at: Places, starts: Places, ends: Places, which: npt.NDArray[np.bool_]) -> list[Rule]:
    sides = zip(*(one[which].tolist() for one in (at, starts, ends)), strict=True)
    # By what `Rule` itself calls, which is a function of Python.
    return list(map(tuple.__new__, itertools.repeat(Rule), sides))


def side_by_side(rules: Iterable[Rule]) -> list[list[Rule]]:
    """Return the rules from the top, those of a line that touch each other together."""
    lines: list[list[Rule]] = []
    height = reach = -inf
    for rule in sorted(aligned(rules)):
        at, start, end = rule
        if at > height or start > reach + TOUCHING:
            lines.append([rule])
            height, reach = at, end
        else:
            lines[-1].append(rule)
            reach = end if end > reach else reach
    return lines


def aligned(rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules sorted, those that nearly lie on one line put on it."""
    on_lines: list[Rule] = []
    height = -inf
    for rule in sorted(rules):
        at, start, end = rule
        if at - height >= TOUCHING:
            height = at
        on_lines.append(rule if at == height else Rule(height, start, end))
    return on_lines
