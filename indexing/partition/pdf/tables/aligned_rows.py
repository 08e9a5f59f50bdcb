"""Tell the rows of a table whose cells have several lines, where no rules part them.

The lines of a cell stand nearer to each other than two rows do, and what stands side by side has
its tops, its middles, or its bottoms at one height, in all rows alike.
"""

import bisect
import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, sqrt
from statistics import median
from typing import NamedTuple

from indexing.partition.pdf.tables.cells import (
    CELL_GAP,
    Cell,
    Row,
    Word,
    cells_of,
    height_of,
    is_figure,
    is_value,
    line_of,
    middle_of,
    rows_of,
)
from indexing.partition.pdf.tables.edges import TO_RULE, Edge, RuledRows
from indexing.partition.pdf.tables.headings import columns_below

MIN_FIGURES = 2  # side by side, and rows that have some
FARTHEST = 1.3  # times the least distance of two lines of a cell is another one
APART = 1.12  # times as far as lines of a cell are two rows
ALIGNED = 0.3  # of the distance of two lines
FIGURES_ROWS = 0.7  # of the rows have figures, and a label
SEVERAL_LINES = 0.3  # of the rows have more than one
OVERLAP = 1.0  # points
BROKEN = 1.6  # times as high as others is a word that reaches over two lines
AROUND = 3  # lines above and below those with figures that may be of their labels
LONGEST_PAUSE = 12.0  # times the height of words, from the figures of one row to the next ones


class _Cell(NamedTuple):
    """Lines that stand together in a column; in points from the upper left."""

    column: int  # from 1
    top: float
    bottom: float
    middles: tuple[float, float, float]  # of the first line, of all, of the last
    lines: int
    values: int  # how many of the lines are figures


def aligned_rows(words: Sequence[Word]) -> Iterator[RuledRows]:
    """Yield the tables among words as if a rule were drawn between any two of their rows."""
    # Most runs are told by the ends of their lines.
    last = dict(zip(map(line_of, words), words, strict=True)).values()
    figures = list(itertools.compress(itertools.count(), map(is_figure, last)))
    if len(figures) < MIN_FIGURES:
        return
    around = range(max(0, figures[0] - AROUND), min(figures[-1] + 1 + AROUND, len(last)))
    if len(around) - len(figures) <= SEVERAL_LINES * len(figures):
        return
    parts = list(_figures_beside_labels(words))
    unbroken = _unbroken(words) if parts else []
    for lines in parts:
        edges = _ruled(unbroken, lines)
        if edges is not None:
            yield edges


def rows_apart(words: Sequence[Word], ends: Sequence[float]) -> list[float]:
    """Return at which heights the rows of a table are parted; none where this is not sure.

    Of the columns is known where each ends.
    """
    if not words:
        return []
    columns: dict[int, list[Word]] = {}
    for word in _unbroken(words):
        columns.setdefault(bisect.bisect(ends, (word.left + word.right) / 2), []).append(word)
    if 1 not in columns:
        return []
    lines = {number: list(rows_of(column)) for number, column in columns.items()}
    if len(lines[1]) < (1 + SEVERAL_LINES / 2) * min(map(len, lines.values())):
        return []
    cells, line = _all_cells(lines)
    if not cells or any(cell.values and cell.lines > 1 for cell in cells):
        return []
    for place in range(3):
        rows = list(_side_by_side(cells, place, ALIGNED * line))
        if _are_rows(rows):
            sides = [(min(c.top for c in row), max(c.bottom for c in row)) for row in rows]
            return [(one[1] + two[0]) / 2 for one, two in itertools.pairwise(sides)]
    return []


def _unbroken(words: Sequence[Word]) -> list[Word]:
    """Return the words, and of those that were broken the part on each line."""
    heights = list(map(height_of, words))
    height = median(heights)
    if max(heights) < BROKEN * height:
        return list(words)
    parts: list[Word] = []
    for word in words:
        if word.bottom - word.top < BROKEN * height:
            parts.append(word)
        else:
            middle, other = word.top + height / 2, word.bottom - height / 2
            parts.append(word._replace(bottom=word.top + height, middle=middle))
            parts.append(word._replace(top=word.bottom - height, middle=other))
    return parts


def _middle(line: Sequence[Word]) -> float:
    return line[0].middle if len(line) == 1 else median([word.middle for word in line])


def _line_distances(columns: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return how far two lines of a cell are apart, and how far at most; 0 if no rows are seen.

    Of the lines of each column is known how high up their middles are.
    """
    distances = sorted(
        below - above for middles in columns for above, below in itertools.pairwise(middles)
    )
    farthest = FARTHEST * distances[0] if distances else 0.0
    steps = [(two / one, one, two) for one, two in itertools.pairwise(distances) if one <= farthest]
    step, one, two = max(steps, default=(0.0, 0.0, 0.0))
    return (distances[0], sqrt(one * two)) if step > APART else (0.0, 0.0)


def _all_cells(columns: Mapping[int, Sequence[Cell]]) -> tuple[list[_Cell], float]:
    """Return what stands together in columns of lines, and how far two of these are apart.

    There is nothing where no rows are seen.
    """
    middles = {number: list(map(_middle, lines)) for number, lines in columns.items()}
    line, close = _line_distances(middles.values())
    if not line:
        return [], 0.0
    return [
        cell
        for number, lines in columns.items()
        for cell in _cells(number, lines, middles[number], close)
    ], line


def _cells(
    column: int, lines: Sequence[Cell], middles: Sequence[float], close: float
) -> Iterator[_Cell]:
    """Yield the lines of a column that stand together, so high up their middles."""
    start = 0
    for end in range(1, len(lines) + 1):
        if end < len(lines) and middles[end] - middles[end - 1] < close:
            continue
        cell = lines[start:end]
        first, last = middles[start], middles[end - 1]
        top, bottom = min([word.top for word in cell[0]]), max([word.bottom for word in cell[-1]])
        values = sum(map(is_value, cell)) if column > 1 else 0
        yield _Cell(column, top, bottom, (first, (first + last) / 2, last), len(cell), values)
        start = end


def _side_by_side(cells: Iterable[_Cell], place: int, near: float) -> Iterator[list[_Cell]]:
    """Yield the cells that are at one height: by their tops, middles, or bottoms."""
    row: list[_Cell] = []
    for cell in sorted(cells, key=lambda cell: cell.middles[place]):
        if row and cell.middles[place] - row[0].middles[place] > near:
            yield row
            row = []
        row.append(cell)
    yield row


def _are_rows(rows: Sequence[Sequence[_Cell]]) -> bool:
    """Tell whether cells are side by side in rows below each other, mostly figures and a label."""
    if any(len({cell.column for cell in row}) < len(row) for row in rows):
        return False
    for above, row in itertools.pairwise(rows):
        if max(c.bottom for c in above) > min(c.top for c in row) + OVERLAP:
            return False
    named = sum(min(c.column for c in row) == 1 and any(c.values for c in row) for row in rows)
    several = sum(any(c.lines > 1 for c in row) for row in rows)
    fewest = max(MIN_FIGURES, FIGURES_ROWS * len(rows))
    return named >= fewest and several >= SEVERAL_LINES * len(rows)


def _figures_beside_labels(words: Sequence[Word]) -> Iterator[list[list[Word]]]:
    """Yield lines of figures that nothing parts from each other but more lines on their left."""
    are_figures = list(map(is_figure, words))
    values = list(itertools.compress(words, are_figures))
    lines = [line for line in rows_of(values) if len(line) >= MIN_FIGURES]
    if len(lines) < MIN_FIGURES:
        return
    others = sorted(itertools.compress(words, map(operator.not_, are_figures)), key=middle_of)
    middles = list(map(middle_of, others))
    parts = [lines[:1]]
    for above, line in itertools.pairwise(lines):
        if _are_below(above[0], line[0], others, middles):
            parts[-1].append(line)
        else:
            parts.append([line])
    for part in parts:
        if len(part) >= MIN_FIGURES and _has_labels(part, others, middles):
            yield part


def _are_below(above: Word, figure: Word, others: Sequence[Word], middles: Sequence[float]) -> bool:
    """Tell whether others, and so high up their middles, are only on the left of two figures."""
    if figure.middle - above.middle > LONGEST_PAUSE * figure.height:
        return False
    left = min(above.left, figure.left)
    start, end = bisect.bisect(middles, above.middle), bisect.bisect_left(middles, figure.middle)
    return all(word.right <= left for word in others[start:end])


def _has_labels(
    figures: Sequence[Sequence[Word]], others: Sequence[Word], middles: Sequence[float]
) -> bool:
    """Tell whether labels left of figures may have several lines: few have in most tables."""
    left = min(line[0].left for line in figures)
    near = 2 * max(word.height for word in figures[0])
    start = bisect.bisect(middles, _middle(figures[0]) - near)
    end = bisect.bisect(middles, _middle(figures[-1]) + near)
    beside = {word.line for word in others[start:end] if word.right < left}
    return len(beside) >= (1 + SEVERAL_LINES / 2) * len(figures)


def _ruled(words: Sequence[Word], figures: Sequence[Sequence[Word]]) -> RuledRows | None:
    """Return rules between the rows around lines of figures; None where these are not sure."""
    left = min(line[0].left for line in figures)
    labels = list(rows_of([word for word in words if word.right < left]))
    if len(labels) < (1 + SEVERAL_LINES) * len(figures):
        return None
    span = _around(labels, figures)
    if span is None:
        return None
    top, bottom = span
    within = [word for word in words if top < word.middle < bottom]
    height = median(word.height for word in within)
    near = TO_RULE * height
    above = [word for word in words if top - near < word.middle < top]
    ends = _ends([*within, *above], height) or _ends(within, height)
    heights = rows_apart(within, ends) if len(ends) > MIN_FIGURES + 1 else []
    if not heights:
        return None
    header = [word for word in words if top - 2 * near < word.middle < top]
    names = list(map(cells_of, rows_of(header)))
    if any(_are_over(one, other, ends) for one, other in itertools.pairwise(names)):
        return None
    lines = sorted({word.line for word in words})
    return RuledRows([Edge(at, ends) for at in (top, *heights, bottom)], [], lines)


def _around(
    labels: Sequence[Sequence[Word]], figures: Sequence[Sequence[Word]]
) -> tuple[float, float] | None:
    """Return where the labels beside figures begin and end; None if no rows are seen."""
    middles = list(map(_middle, labels))
    near = max(word.height for word in figures[0])
    first = bisect.bisect(middles, _middle(figures[0]) - near)
    last = bisect.bisect(middles, _middle(figures[-1]) + near) - 1
    if last - first < (1 + SEVERAL_LINES / 2) * len(figures):
        return None
    line, close = _line_distances([middles[first : last + 1]])
    if not line:
        return None
    while first and middles[first] - middles[first - 1] < close:
        first -= 1
    while last + 1 < len(labels) and middles[last + 1] - middles[last] < close:
        last += 1
    within = [*labels[first], *labels[last], *figures[0], *figures[-1]]
    return min(word.top for word in within) - OVERLAP, max(word.bottom for word in within) + OVERLAP


def _ends(words: Sequence[Word], height: float) -> tuple[float, ...]:
    """Return where the columns of words begin and end: no word stands there; none if it is one."""
    cells = itertools.chain.from_iterable(map(cells_of, rows_of(words)))
    sides = sorted((cell[0].left, max([word.right for word in cell])) for cell in cells)
    ends = [sides[0][0]]
    reach = -inf
    for left, right in sides:
        if reach > 0 and left - reach > CELL_GAP * height:
            ends.append((left + reach) / 2)
        reach = max(reach, right)
    return (*ends, reach) if len(ends) > 1 else ()


def _are_over(headings: Row, names: Row, ends: Sequence[float]) -> bool:
    """Tell whether each heading is above the middle of as many names: more than one."""
    over, below = ([one for one in row if one[0].left > ends[1]] for row in (headings, names))
    sides = list(itertools.pairwise(ends[1:]))
    return len(below) == len(sides) and bool(columns_below(over, sides))
