"""Part what stands between two rules of a grid into the rows that no rule parts.

Invoices have rules around the table, between its columns and below its header alone. Text goes on
in the next line of its cell where the line has no room for its next word; where it has, or figures
stand below each other, another row begins.
"""

import itertools
from collections.abc import Iterator, Sequence

from indexing.partition.pdf.tables.cells import (
    CLOSE,
    Cell,
    Row,
    is_broken,
    is_value,
    rows_of,
    together,
)
from indexing.partition.pdf.tables.distances import distances_of

MOST_ROWS = 4  # below the header, where rules part only its sums
MIN_ROWS_OF_WORDS = 3
MIN_COLUMNS_OF_WORDS = 3  # two may be addresses beside each other
MIN_BEGINNINGS = 2
SPACE = 0.3  # of the height of the words
AS_FAR = 0.9  # of the greatest distance of two lines

Side = tuple[float, float]
"""Where a column begins and ends, in points from the left."""


def unruled_rows(rows: Sequence[Row], columns: Sequence[Side]) -> list[list[Row]]:
    """Return the rows that each row of a grid is made of: mostly itself alone."""
    lines = [list(_lines(row)) for row in rows]
    by_column = zip(*rows, strict=True)
    widths = [_width(side, cells) for side, cells in zip(columns, by_column, strict=False)]
    is_unruled = len(rows) <= MOST_ROWS
    may_be_words = sum(len(row) > 1 for row in lines) == 1 and len(columns) >= MIN_COLUMNS_OF_WORDS
    parted = []
    for row in lines:
        beginnings, has_figures = _beginnings(row, widths, is_unruled=is_unruled)
        is_sure = has_figures or (may_be_words and len(beginnings) >= MIN_ROWS_OF_WORDS)
        parted.append(list(_parted(row, beginnings if is_sure else [0])))
    return parted


def _lines(row: Row) -> Iterator[Row]:
    """Yield the lines of a row, each with its words by column."""
    columns = {id(word): number for number, cell in enumerate(row) for word in cell}
    for words in rows_of([word for cell in row for word in cell]):
        line: Row = [[] for _ in row]
        for word in words:
            line[columns[id(word)]].append(word)
        yield line


def _width(column: Side, cells: Sequence[Cell]) -> float:
    """Return how wide the lines of a column may be: it has the same margin on both sides."""
    left, right = column
    margins = (min(word.left - left, right - word.right) for cell in cells for word in cell)
    return right - left - 2 * max(min(margins, default=0.0), 0.0)


def _beginnings(
    lines: Sequence[Row], widths: Sequence[float], *, is_unruled: bool
) -> tuple[list[int], bool]:
    """Return at which lines rows begin, and whether figures tell so.

    In a grid with rules between its rows only figures, each with its label, are rows of their own.
    """
    last = lines[0]
    beginnings, has_figures = [0], False
    for number, line in enumerate(lines[1:], 1):
        new = {
            column
            for column, (above, cell) in enumerate(zip(last, line, strict=True))
            if above and cell and _is_other(above, cell, widths[column])
        }
        figures = any(is_value(last[column]) and is_value(line[column]) for column in new)
        are_several = len(new) >= MIN_BEGINNINGS
        if (figures or are_several) if is_unruled else (figures and are_several and 0 in new):
            beginnings.append(number)
            has_figures = has_figures or figures
        last = [cell or above for above, cell in zip(last, line, strict=True)]
    if is_unruled:
        beginnings = sorted({*beginnings, *_labels(lines, widths[0], beginnings)})
    return beginnings, has_figures


def _is_other(above: Cell, cell: Cell, width: float) -> bool:
    """Tell whether the line of a column is another cell than the one above it."""
    if is_broken(above[-1], cell[0]):
        return False
    are_figures = is_value(above) and is_value(cell)
    is_far = cell[0].middle - above[-1].middle > CLOSE * cell[0].height
    return are_figures or is_far or _has_room(above, cell, width)


def _has_room(above: Cell, cell: Cell, width: float) -> bool:
    """Tell whether the first word of a line would have found room in the one above."""
    # What counts as a word may be several of them.
    several, space = cell[0], SPACE * cell[0].height
    share = len(several.text.split()[0]) / len(several.text)
    return above[-1].right - above[0].left + space + share * (several.right - several.left) < width


def _labels(lines: Sequence[Row], width: float, beginnings: Sequence[int]) -> Iterator[int]:
    """Yield which lines have a label alone, as far below another line as rows of one line stand."""
    distances = distances_of(lines)
    rows = [distances[at] for one, at in itertools.pairwise(beginnings) if at - one == 1]
    if not rows:
        return
    for number, (above, line) in enumerate(itertools.pairwise(lines), 1):
        is_alone = bool(above[0] and line[0]) and not any(line[1:])
        is_row = is_alone and _has_room(above[0], line[0], width)
        if is_row and distances[number] > AS_FAR * min(rows):
            yield number


def _parted(lines: Sequence[Row], beginnings: Sequence[int]) -> Iterator[Row]:
    """Yield the rows, parted where lines stand the furthest apart between two beginnings.

    Where they are as far apart everywhere, rows are parted right above where they begin.
    """
    distances = distances_of(lines)
    start = 0
    for one, other in itertools.pairwise(beginnings):
        far = AS_FAR * max(distances[one + 1 : other + 1])
        end = max(at for at in range(one + 1, other + 1) if distances[at] >= far)
        yield together(lines[start:end])
        start = end
    yield together(lines[start:])
