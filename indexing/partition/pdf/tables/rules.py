"""Find the grids that ruling lines draw on a PDF page."""

import ctypes
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from statistics import median
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

from indexing.partition.pdf.boxes import Rectangle, Rectangles, shares
from indexing.partition.pdf.calls import Answers, direct
from indexing.partition.pdf.pictures import Drawn, bounds_of

MAX_RULES = 1000
"""A page with more is a drawing."""

MAX_SEGMENTS = 2000
"""As many lines of one path are looked at."""

THICKEST = 3.0  # points
SHORTEST = 5.0  # points
HIGHEST = 400.0  # points, of a cell
NARROWEST = 14.0  # the same, of one with a word
MOST_NARROW = 0.1  # of the cells
TOUCHING = 2.5  # points
EDGE = 0.05  # points, by which a letter may lie over a rule
MIN_ROWS = 2
MIN_COLUMNS = 2
MIN_WIDTH = 0.25
"""Of the width of the page; shorter rules across it stand below figures."""

# With plain numbers for pointers.
_get_draw_mode = direct("FPDFPath_GetDrawMode", None, ctypes.c_void_p)

_mode_answers = Answers(np.int32, 2)

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


@dataclass(frozen=True, slots=True)
class Bands:
    """What lies between equally long rules across the page; in points from the upper left."""

    left: float
    right: float
    heights: list[float]  # of the rules, from the top
    near: float  # usual distance of two

    def holds(self, xs: Places, ys: Places) -> npt.NDArray[np.bool_]:
        """Tell which places are between the rules, or as near to the outer ones as a row."""
        top, bottom = self.heights[0] - self.near, self.heights[-1] + self.near
        return (self.left < xs) & (xs < self.right) & (top < ys) & (ys < bottom)


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


def find_rules(page: pypdfium2.PdfPage, size: tuple[float, float], drawn: Drawn) -> Rules:
    """Return the rules among what is drawn on a page of this size; none if there are too many."""
    lines, fills = _lines(drawn)
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


def grids_of(rules: Rules) -> list[Grid]:
    """Return the grids that rules make, with at least two rows and columns."""
    # Most pages have rules below their headers and sums alone.
    if len(rules.across) <= MIN_ROWS or len(rules.down) < MIN_COLUMNS:
        return []
    groups = _touching(rules.across, rules.down)
    return [grid for group in groups if (grid := _grid(*group)) is not None]


def bands_of(rules: Rules, page_width: float) -> list[Bands]:
    """Return what lies between rules that run across the same part of the page."""
    least = MIN_WIDTH * page_width
    wide = []
    for line in rules.lines:
        at, start, _ = line[0]
        end = max([rule.end for rule in line])
        if end - start >= least:
            wide.append(Rule(at, start, end))
    groups: list[list[Rule]] = []
    for rule in sorted(wide, key=lambda rule: (rule.start, rule.end, rule.at)):
        last = groups[-1][0] if groups else rule
        is_as_long = abs(rule.end - last.end) < TOUCHING
        if not groups or rule.start - last.start > TOUCHING or not is_as_long:
            groups.append([])
        groups[-1].append(rule)
    return [_bands(group) for group in groups if len(group) > MIN_ROWS]


def _bands(rules: Sequence[Rule]) -> Bands:
    heights = sorted(rule.at for rule in rules)
    near = median(below - above for above, below in itertools.pairwise(heights))
    return Bands(rules[0].start, rules[0].end, heights, near)


def _rules(at: Places, starts: Places, ends: Places, which: npt.NDArray[np.bool_]) -> list[Rule]:
    sides = zip(*(one[which].tolist() for one in (at, starts, ends)), strict=True)
    # By what `Rule` itself calls, which is a function of Python.
    return list(map(tuple.__new__, itertools.repeat(Rule), sides))


def _lines(drawn: Drawn) -> tuple[Rectangles, Rectangles]:
    """Return the straight lines and thin rectangles, and the filled ones, in points.

    They are boxes from the lower left, whichever two corners of each come first.
    """
    objects, kinds = drawn
    paths = list(itertools.compress(objects, map(pdfium.FPDF_PAGEOBJ_PATH.__eq__, kinds)))
    bounds = bounds_of(paths).astype(np.float64)
    widths, heights = np.abs(bounds[:, :2] - bounds[:, 2:]).T
    is_thin = np.minimum(widths, heights) <= THICKEST
    thin = bounds[is_thin & (np.maximum(widths, heights) >= SHORTEST)]
    if is_thin.all():
        return thin, bounds[:0]
    numbers = np.flatnonzero(~is_thin)
    outlines = [paths[number] for number in numbers.tolist()]
    are_filled, are_stroked = _draw_modes(outlines).T
    stroked = [outlines[number] for number in np.flatnonzero(are_stroked).tolist()]
    further = [line for path in stroked for line in _drawn_lines(path) if _is_line(line)]
    fills = bounds[numbers[are_filled]]
    return np.concatenate([thin, further]) if further else thin, fills


def _is_line(box: Rectangle) -> bool:
    left, top, right, bottom = box
    thickness, length = sorted((right - left, top - bottom))
    return thickness <= THICKEST and length >= SHORTEST


def _draw_modes(paths: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Tell of each path whether it is filled, and whether it is drawn along its lines."""
    return _mode_answers.of(_get_draw_mode, paths).astype(np.bool_)


def _drawn_lines(pointer: int) -> Iterator[Rectangle]:
    """Yield the straight lines of a path."""
    path = ctypes.cast(pointer, pdfium.FPDF_PAGEOBJECT)
    count = pdfium.FPDFPath_CountSegments(path)
    if count > MAX_SEGMENTS:
        return
    raw_matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(path, raw_matrix)
    matrix = pypdfium2.PdfMatrix.from_raw(raw_matrix)
    x, y = ctypes.c_float(), ctypes.c_float()
    first = last = (0.0, 0.0)
    for number in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, number)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        point = matrix.on_point(x.value, y.value)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield _between(last, point)
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield _between(point, first)
        last = point


def _between(one: tuple[float, float], other: tuple[float, float]) -> Rectangle:
    (x, y), (x_2, y_2) = one, other
    return min(x, x_2), max(y, y_2), max(x, x_2), min(y, y_2)


def side_by_side(rules: Iterable[Rule]) -> list[list[Rule]]:
    """Return the rules from the top, those of a line that touch each other together."""
    lines: list[list[Rule]] = []
    height = reach = -inf
    for rule in sorted(_aligned(rules)):
        at, start, end = rule
        if at > height or start > reach + TOUCHING:
            lines.append([rule])
            height, reach = at, end
        else:
            lines[-1].append(rule)
            reach = end if end > reach else reach
    return lines


def _aligned(rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules sorted, those that nearly lie on one line put on it."""
    on_lines: list[Rule] = []
    height = -inf
    for rule in sorted(rules):
        at, start, end = rule
        if at - height >= TOUCHING:
            height = at
        on_lines.append(rule if at == height else Rule(height, start, end))
    return on_lines


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
    for number, crossed in enumerate(np.packbits(crossing, axis=1, bitorder="little")):
        # The rules down the page that this one crosses, as the bits of a number.
        columns = int.from_bytes(crossed.tobytes(), "little")
        if not columns:
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
            yield [across[n] for n in rows], [down[n] for n in range(len(down)) if columns >> n & 1]


def _grid(across: Iterable[Rule], down: Iterable[Rule]) -> Grid | None:
    across, down = _aligned(across), _aligned(down)
    if len({one.at for one in across}) <= MIN_ROWS or len({one.at for one in down}) < MIN_COLUMNS:
        return None
    left = min(min(one.start for one in across), down[0].at) - TOUCHING
    right = max(max(one.end for one in across), down[-1].at) + TOUCHING
    return Grid(tuple(across), tuple(down), left, across[0].at, right, across[-1].at)


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
