"""Find the tables of spreadsheets that are printed without lines: names left, figures right.

A name may stand over none of its figures there, for these end right before the next name. What
stands below names is theirs only if all of it lies between them, at one side or the other.
"""

import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf
from statistics import median

from indexing.partition.pdf.tables.cell_lines import lines_begun, whole_rows
from indexing.partition.pdf.tables.cells import (
    CLOSE,
    Row,
    Table,
    Word,
    cells_of,
    has_figures,
    height_of,
    is_figure,
    is_value,
    rows_of,
    table_of,
)
from indexing.partition.pdf.tables.distances import distances_of
from indexing.partition.pdf.tables.segments import FAR_OFF, MAX_ROW_DISTANCE
from indexing.partition.pdf.tables.touching_columns import FIGURE_BEFORE_TEXT

MIN_NAMES = 3
MIN_ROWS = 2  # below the names
LOOKED_AT = 3  # rows below names, for a figure that ends right before one

# Of the height of the words:
BEFORE = 0.6  # from the end of a figure to the next name
ALIGNED = 0.15
CUT = 0.6  # a letter is wide
EDGE = 0.1  # a column begins so far before its name

Parted = Callable[[Sequence[float], set[int]], list[Word]]
"""Returns the words of lines, parted at these places from the left."""


def sheets_of(rows: Sequence[Sequence[Word]], parted: Parted) -> Iterator[tuple[Table, list[Word]]]:
    """Yield the tables among rows of words, each with the words that its cells are made of."""
    end = 0
    for at, row in enumerate(rows):
        if at < end or not _may_be_names(row, rows[at + 1 : at + 1 + LOOKED_AT]):
            continue
        lines = {word.line for one in rows[at:] for word in one}
        found = _sheet(row, lines, parted)
        if found and not (at and _are_names_above(rows[at - 1], row)):
            yield found
            taken = {word.line for one in found[0].rows for cell in one for word in cell}
            end = at + sum(one[0].line in taken for one in rows[at:]) + 1


def _may_be_names(row: Sequence[Word], below: Sequence[Sequence[Word]]) -> bool:
    """Tell whether a figure below ends right before one of these words, of which none is one."""
    # Where there are figures, the last word is mostly one.
    if len(row) < MIN_NAMES or any(map(is_figure, reversed(row))):
        return False
    lefts = [word.left for word in row]
    return any(_is_before(word, lefts) for one in below for word in one)


def _is_before(word: Word, lefts: Sequence[float]) -> bool:
    """Tell whether a figure ends right before a name, or goes on with the text below the name."""
    if word.text[-1].isdecimal():
        at = bisect.bisect_left(lefts, word.right)
        if 0 < at < len(lefts) and lefts[at] - word.right < BEFORE * word.height:
            return True
    at = bisect.bisect(lefts, word.left)
    is_below = at < len(lefts) and lefts[at] < word.right
    return is_below and FIGURE_BEFORE_TEXT.match(word.text) is not None


def _are_names_above(above: Sequence[Word], names: Sequence[Word]) -> bool:
    """Tell whether the header has another line: nobody knows which names that goes on with."""
    is_near = names[0].middle - above[0].middle < CLOSE * names[0].height
    return is_near and (len(cells_of(above)) > 1 or above[0].left > names[1].left - ALIGNED)


def _sheet(
    names: Sequence[Word], lines: set[int], parted: Parted
) -> tuple[Table, list[Word]] | None:
    height = median(map(height_of, names))
    cells = cells_of(names)
    if len(cells) < MIN_NAMES or any(map(is_value, cells)):
        return None
    all_starts = [word.left for word in names]
    words = parted([start - EDGE * height for start in all_starts], lines)
    _, *rows = rows_of(words) if words else [[]]
    apart = {cell[0].left for cell in cells}
    starts = [one for one in all_starts if one in apart or _begins_column(one, rows, height)]
    if starts != all_starts:
        words = parted([start - EDGE * height for start in starts], lines)
    header, *rows = rows_of(words) if words else [[]]
    edges = [*(start - EDGE * height for start in starts), inf]
    placed = list(_placed(header, rows, edges, height))
    if len(placed) <= MIN_ROWS or not _are_figures_before_names(placed, edges, height):
        return None
    distances = distances_of(placed)
    begun = lines_begun(placed, distances)
    return table_of(placed[0], whole_rows(placed[1:], distances[1:], begun[1:])), words


def _begins_column(start: float, rows: Sequence[Sequence[Word]], height: float) -> bool:
    """Tell whether a word that stands close behind another one is the name of a column.

    Words begin there in most rows, and figures end right before it.
    """
    begun = sum(any(abs(word.left - start) < ALIGNED * height for word in row) for row in rows)
    ended = sum(any(0 <= start - word.right < BEFORE * height for word in row) for row in rows)
    return 2 * min(begun, ended) >= len(rows) > 0


def _placed(
    header: Sequence[Word], rows: Sequence[Sequence[Word]], edges: Sequence[float], height: float
) -> Iterator[Row]:
    """Yield the names and the rows below by column; nothing more where these are not sure."""
    names = _by_column(header, edges)
    if names is None or not all(names):
        return
    placed, distances = [names], [inf]
    above = header[0].middle
    for row in rows:
        distance = row[0].middle - above
        cells = _by_column(row, edges)
        is_far = len(placed) > MIN_ROWS and distance > FAR_OFF * min(distances)
        if distance > MAX_ROW_DISTANCE * height or (is_far and not has_figures(cells_of(row))):
            break
        if cells is None or not _are_aligned(cells, names, edges, height):
            if has_figures(cells_of(row)):
                return
            break
        placed.append(cells)
        distances.append(distance)
        above = row[0].middle
    yield from placed


def _by_column(row: Sequence[Word], edges: Sequence[float]) -> Row | None:
    """Return the words of each column; None if one reaches into the next.

    A text that is too long for its cell ends there, within a letter.
    """
    cells: Row = [[] for _ in edges[1:]]
    for word in row:
        number = bisect.bisect(edges, word.left) - 1
        if number < 0 or word.right > edges[number + 1] + CUT * word.height:
            return None
        cells[number].append(word)
    return cells


def _are_aligned(cells: Row, names: Row, edges: Sequence[float], height: float) -> bool:
    """Tell whether each cell begins with its name, or ends with it or right before the next one.

    Labels may be indented, and figures of the last column end anywhere.
    """
    near = ALIGNED * height
    return all(
        abs(cell[0].left - name[0].left) < near
        or abs(cell[-1].right - name[-1].right) < near
        or end - cell[-1].right < BEFORE * height
        or (end == inf and is_value(cell))
        for cell, name, end in zip(cells[1:], names[1:], edges[2:], strict=True)
        if cell
    )


def _are_figures_before_names(rows: Sequence[Row], edges: Sequence[float], height: float) -> bool:
    """Tell whether the figures of a column end right before the next name, not below their own."""
    names, *below = rows
    several = sum(sum(map(bool, row)) > 1 for row in below)
    for number, (left, right) in enumerate(pairwise(edges)):
        figures = [row[number] for row in below if is_value(row[number])]
        before = [
            one
            for one in figures
            if right - one[-1].right < BEFORE * height
            and one[0].left - left > BEFORE * height
            and one[-1].right - names[number][-1].right > BEFORE * height
        ]
        if several >= MIN_ROWS and len(before) >= MIN_ROWS and 2 * len(before) >= several:
            return True
    return False
