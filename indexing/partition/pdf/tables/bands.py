"""Tell rows and columns of tables that have ruling lines between their rows only.

Between two rules stands one row, so that a cell may have several lines; columns are parted where
hardly a row has anything.
"""

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from statistics import median

import numpy as np
import numpy.typing as npt

from indexing.partition.pdf.tables.cells import (
    Cell,
    Row,
    Table,
    Word,
    cell_text,
    cells_of,
    header_of,
    is_form,
    is_value,
    rows_of,
    table_of,
    texts_of,
    together,
)
from indexing.partition.pdf.tables.headings import (
    Side,
    begins_a_name,
    columns_below,
    with_headings,
)
from indexing.partition.pdf.tables.rules import TOUCHING, Places, Rule, Rules

GAP = 0.3  # of the height of the words, between two columns
SPACE = 0.6  # the same, between the words of a name at most
MIN_RULES = 3
MIN_ROWS = 3  # with that of the header
MIN_COLUMNS = 2
MAX_COLUMNS = 40
ACROSS_GAPS = 0.1  # of the rows, as many may have a cell over several columns
FILLED = 0.6  # of the rows have more than one cell
LINE_DISTANCE = 1.5  # of the height of the words
FARTHER = 1.1  # times the usual distance of two lines of a cell
LONGEST_CELL = 300
WIDEST = 14_400  # points, as pages may be

Lines = list[Row]
"""The lines of a row, each of the cells that are seen in it."""


@dataclass(frozen=True, slots=True)
class Bands:
    """What lies between equally long rules across the page; in points from the upper left."""

    left: float
    right: float
    heights: list[float]  # of the rules, from the top
    near: float  # usual distance of two
    far: float  # greatest distance of two

    def holds(self, xs: Places, ys: Places) -> npt.NDArray[np.bool_]:
        """Tell which places are between the rules, or near to the outer ones.

        A row may be below the last one, names of the columns and headings of these above the first.
        """
        top, bottom = self.heights[0] - 2 * self.near, self.heights[-1] + self.far
        return (self.left < xs) & (xs < self.right) & (top < ys) & (ys < bottom)


def bands_of(rules: Rules, least: float) -> list[Bands]:
    """Return what lies between rules, of this length at least, across the same part of the page."""
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
    return [_between(group) for group in groups if len(group) >= MIN_RULES]


def _between(rules: Sequence[Rule]) -> Bands:
    heights = sorted(rule.at for rule in rules)
    distances = [below - above for above, below in itertools.pairwise(heights)]
    return Bands(rules[0].start, rules[0].end, heights, median(distances), max(distances))


def table_in(bands: Bands, words: Sequence[Word]) -> Table | None:
    """Return the words between the rules, if they are the cells of a table.

    Those right above the first rule and below the last one belong to it as well, if they stand in
    its columns: many tables have no rule there.
    """
    found: list[list[Word]] = [[] for _ in range(len(bands.heights) + 1)]
    for word in words:
        found[bisect_left(bands.heights, word.middle)].append(word)
    between = [row for row in (_lines(words, GAP) for words in found[1:-1]) if row]
    gaps = gaps_of(_without_headings(between)) if len(between) > 1 else []
    if not MIN_COLUMNS <= len(gaps) + 1 <= MAX_COLUMNS:
        return None
    # What stands in two columns over a rule may be who is to sign there, and his company.
    above = _lines(found[0], SPACE if len(gaps) > 1 else GAP)
    below = _lines(found[-1], SPACE if len(gaps) > 1 else GAP)
    is_near = bool(above) and bands.heights[0] - above[-1][0][0].middle < bands.near
    head = [above[-1:]] if is_near and _is_row(above[-1:], between, gaps) else []
    foot = [_with_rest(below, gaps, between)] if _is_row(below[:1], between, gaps) else []
    lines = [*head, *between, *foot]
    if head or foot:
        gaps = gaps_of(_without_headings(lines))
    if len(lines) < MIN_ROWS or any(_holds_several(row, gaps) for row in lines):
        return None
    if head and _are_close(above[-2:]) and _are_headings(above[:-1], lines, gaps):
        lines = [above[-2:], *lines[1:]]
    elif is_near and not head and _are_headings(above, lines, gaps):
        lines = [[*above[-1:], *lines[0]], *lines[1:]]
    return _table(lines, gaps)


def _table(lines: Sequence[Lines], gaps: Sequence[float]) -> Table | None:
    """Return what stands between rules as rows of cells, if these are filled as in a table."""
    rows = [row_of(row, gaps) for row in lines]
    count = header_of(rows)
    if not _is_filled(rows) or is_form(rows):
        return None
    table = table_of(together(rows[:count]), rows[count:])
    names = [row_of([line], gaps) for row in lines[:count] for line in row]
    if len(names) < 2:
        return table
    return replace(table, names=texts_of(with_headings(names, sides_of([names[-1], *table.rows]))))


def sides_of(rows: Sequence[Row]) -> list[Side]:
    """Return where the columns of rows begin and end."""
    by_column = (list(itertools.chain.from_iterable(cells)) for cells in zip(*rows, strict=True))
    return [
        (min(word.left for word in words), max(word.right for word in words))
        if words
        else (nan, nan)
        for words in by_column
    ]


def _lines(words: Sequence[Word], gap: float) -> Lines:
    """Return the lines of words, each parted where such a gap is, in heights of the words."""
    return [cells for line in rows_of(words) if (cells := cells_of(line, gap))]


def _is_row(lines: Lines, rows: Sequence[Lines], gaps: Sequence[float]) -> bool:
    """Tell whether there is a line and it has cells in the columns that rows have without it."""
    if not lines or len(lines[0]) < MIN_COLUMNS:
        return False
    # Of many rows one may have a cell over several columns, but not this one.
    least = int(ACROSS_GAPS / (1 - ACROSS_GAPS) * len(rows)) + 1
    wider = gaps_of([*[lines] * least, *rows])
    return len(wider) == len(gaps) and _fits(lines[0], wider)


def _are_close(lines: Lines) -> bool:
    """Tell whether the first of two lines is as far above the other as one of the same cell."""
    (above, *_), (below, *_) = lines[0], lines[-1]
    return below[0].middle - above[0].middle <= LINE_DISTANCE * below[0].height


def _are_headings(above: Lines, rows: Sequence[Lines], gaps: Sequence[float]) -> bool:
    """Tell whether each cell of the last line above the first row is over several names there."""
    if not above:
        return False
    headings = above[-1]
    if headings[0][0].left < gaps[0]:
        return False
    cells = [row_of(row, gaps) for row in rows]
    named = cells[0][1:]
    is_over_several = columns_below(headings, sides_of(cells)[1:], list(map(cell_text, named)))
    return bool(is_over_several) and all(named) and not begins_a_name(headings, named)


def _with_rest(lines: Lines, gaps: Sequence[float], rows: Sequence[Lines]) -> Lines:
    """Return the first line, with those below it in which one of its cells goes on.

    They are as far apart as lines of the rows above are.
    """
    pairs = itertools.chain.from_iterable(map(itertools.pairwise, rows))
    of_one_cell = [
        below[0][0].middle - above[0][0].middle for above, below in pairs if len(below) == 1
    ]
    far = FARTHER * median(of_one_cell) if of_one_cell else 0.0
    row = lines[:1]
    for line in lines[1:]:
        distance = line[0][0].middle - row[-1][0][0].middle
        near = max(LINE_DISTANCE * line[0][0].height, far)
        if len(line) > 1 or not _fits(line, gaps) or distance > near:
            break
        row.append(line)
    return row


def _fits(line: Row, gaps: Sequence[float]) -> bool:
    """Tell whether each cell stands in a column of its own."""
    sides = [(bisect_left(gaps, cell[0].left), bisect_left(gaps, cell[-1].right)) for cell in line]
    return len({first for first, last in sides if first == last}) == len(line)


def gaps_of(
    rows: Sequence[Lines], least_gap: float = GAP, across: float = ACROSS_GAPS
) -> list[float]:
    """Return where the columns are parted, in points from the left.

    The least gap is given in heights of the words, what may be across it as a share of the rows.
    """
    taken = [span for row in rows for span in _taken(row)]
    left = min(start for start, _ in taken)
    width = max(end for _, end in taken) - left + 1
    if width > WIDEST:
        return []
    starts, ends = np.array(taken).T - left
    changes = np.bincount(starts, minlength=width) - np.bincount(ends, minlength=width)
    counts = np.cumsum(changes)
    is_free = np.concatenate([[False], counts <= across * len(rows), [False]])
    edges = np.flatnonzero(is_free[1:] != is_free[:-1]).reshape(-1, 2)
    heights = [word.height for row in rows for line in row for cell in line for word in cell]
    least = least_gap * median(heights)
    return [
        left + (start + end) / 2
        for start, end in edges.tolist()
        if end - start >= least and start > 0 and end < width - 1
    ]


def _taken(lines: Lines) -> list[tuple[int, int]]:
    """Return which whole points of the page's width a row takes, from the left, each once."""
    spans = sorted((int(cell[0].left), int(cell[-1].right) + 1) for line in lines for cell in line)
    taken = spans[:1]
    for start, end in spans[1:]:
        reach = taken[-1][1]
        if start > reach:
            taken.append((start, end))
        elif end > reach:
            taken[-1] = taken[-1][0], end
    return taken


def _without_headings(rows: Sequence[Lines]) -> list[Lines]:
    """Return the rows, of the first the lines alone that may not be over several columns."""
    first, *others = rows
    most = max(map(len, first))
    return [[line for line in first if len(line) == most], *others]


def _holds_several(lines: Lines, gaps: Sequence[float]) -> bool:
    """Tell whether several rows may stand between two rules: of one, one line at most is full."""
    return sum(_is_full(line, gaps) for line in lines) > 1


def _is_full(line: Row, gaps: Sequence[float]) -> bool:
    """Tell whether a line has most of a row; texts without a label are the next lines of texts."""
    columns = {_column(cell, gaps) for cell in line}
    has_values = any(map(is_value, line))
    return (len(columns) > 2 and (0 in columns or has_values)) or (len(columns) == 2 and has_values)


def row_of(lines: Lines, gaps: Sequence[float]) -> Row:
    """Return the lines of a row as its cells."""
    cells: list[Cell] = [[] for _ in range(len(gaps) + 1)]
    for line in lines:
        for cell in line:
            cells[_column(cell, gaps)] += cell
    return cells


def _column(cell: Cell, gaps: Sequence[float]) -> int:
    return bisect_left(gaps, (cell[0].left + cell[-1].right) / 2)


def _is_filled(rows: Sequence[Row]) -> bool:
    filled = [[cell for cell in row if cell] for row in rows]
    longest = max(sum(len(word.text) for word in cell) for row in filled for cell in row)
    return longest <= LONGEST_CELL and sum(len(row) > 1 for row in filled) >= FILLED * len(rows)
