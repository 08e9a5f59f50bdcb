"""Find tables without rules whose labels have several lines beside figures of one.

They are read as if a rule were drawn between any two of their rows.
"""

import bisect
import itertools
import operator
from collections.abc import Iterator, Sequence
from math import inf
from statistics import median

from indexing.partition.pdf.tables.cells import (
    CELL_GAP,
    Row,
    Word,
    cells_of,
    is_figure,
    line_of,
    middle_of,
    rows_of,
)
from indexing.partition.pdf.tables.distances import line_distances, middle_of_line
from indexing.partition.pdf.tables.edges import TO_RULE, Edge, RuledRows
from indexing.partition.pdf.tables.headings import columns_below
from indexing.partition.pdf.tables.rows_apart import (
    MIN_FIGURES,
    OVERLAP,
    SEVERAL_LINES,
    rows_apart,
    unbroken,
)

AROUND = 3  # lines above and below those with figures that may be of their labels
LONGEST_PAUSE = 12.0  # times the height of words, from the figures of one row to the next ones


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
    by_line = unbroken(words) if parts else []
    for lines in parts:
        edges = _ruled(by_line, lines)
        if edges is not None:
            yield edges


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
    start = bisect.bisect(middles, middle_of_line(figures[0]) - near)
    end = bisect.bisect(middles, middle_of_line(figures[-1]) + near)
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
    middles = list(map(middle_of_line, labels))
    near = max(word.height for word in figures[0])
    first = bisect.bisect(middles, middle_of_line(figures[0]) - near)
    last = bisect.bisect(middles, middle_of_line(figures[-1]) + near) - 1
    if last - first < (1 + SEVERAL_LINES / 2) * len(figures):
        return None
    line, close = line_distances([middles[first : last + 1]])
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
