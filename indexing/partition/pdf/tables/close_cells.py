"""Part cells that stand as close to each other as words, by the columns that other rows show."""

import collections
import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from indexing.partition.pdf.tables.cells import Cell, Row, Word, has_figures, is_value
from indexing.partition.pdf.tables.columns import Column
from indexing.partition.pdf.tables.distances import out_of_line

ALIGNED = 1.0  # points
WIDER = 2.0  # times as wide as others is the gap between two names of several words
AS_HIGH = 1.5  # times as high as the other is a word of one line at most


def parted_cells(
    rows: Sequence[Row], basis: Sequence[Row], columns: Sequence[Column]
) -> list[Row] | None:
    """Return rows with those cells parted that are of several of the columns of the basis, if any.

    The columns are beside each other, from the left to the right.
    Of a heading over several columns no words are aligned with each of them. What more cells run
    over is no column, and neither is what only the name of a sum has, beside its figure.
    """
    # Most cells are over one column, so that none of their words are in two of them.
    lefts, rights = [one.left for one in columns], [one.right for one in columns]
    several = [
        cell
        for row in rows
        for cell in row
        if len(cell) > 1
        and bisect_left(lefts, max([word.right for word in cell]))
        > bisect_right(rights, cell[0].left) + 1
    ]
    if not any(_is_parted(cell, columns) for cell in several):
        return None
    least = 1 if any(map(has_figures, basis)) else 2
    crossed = collections.Counter(
        number
        for cell in itertools.chain.from_iterable(basis)
        if len(over := _over(cell, columns)) > len(list(_parted(cell, columns)))
        for number in over
    )
    sure = [one for n, one in enumerate(columns) if one.rows >= max(least, crossed[n] + 1)]
    sure = [one for one in sure if one.rows > 1 or not _is_of_label(one, basis, columns[0].right)]
    if not any(_is_parted(cell, sure) for cell in several):
        return None
    return [_parted_row(row, sure) for row in rows]


def _is_of_label(column: Column, basis: Sequence[Row], second: float) -> bool:
    """Tell whether the words that begin a row stand in the column, and not in the first one."""
    labels = [row[0] for row in basis if row[0][0].left > second and not is_value(row[0])]
    return any(_over(label, [column]) for label in labels)


def _parted_row(row: Row, columns: Sequence[Column]) -> Row:
    """Return the row with its cells parted, but for a line of text that runs over columns.

    Its words happen to stand as in one of them; behind other words stands a figure.
    """
    parts = [part for cell in row for part in _parted(cell, columns)]
    if len(row) > 1 or has_figures(parts):
        return parts
    are_apart = (_are_apart(a[-1], b[0], columns) for a, b in itertools.pairwise(parts))
    return parts if len(parts) >= len(_over(row[0], columns)) and all(are_apart) else row


def _is_parted(cell: Cell, columns: Sequence[Column]) -> bool:
    return next(_cuts(cell, columns), 0) > 0


def _parted(cell: Cell, columns: Sequence[Column]) -> Iterator[Cell]:
    start = 0
    for cut in _cuts(cell, columns):
        yield cell[start:cut]
        start = cut
    yield cell[start:]


def _cuts(cell: Cell, columns: Sequence[Column]) -> Iterator[int]:
    """Yield which words begin another cell.

    A name of several words may begin beside its column: the widest gap parts it from that before.
    """
    before = 0
    for number, word in enumerate(cell[1:], 1):
        if not _columns_over(word.left, word.right, columns):
            continue
        if _are_apart(cell[before], word, columns):
            gaps = [cell[at].left - cell[at - 1].right for at in range(before + 1, number + 1)]
            *others, widest = sorted(gaps)
            if not others or widest > WIDER * others[-1]:
                yield before + 1 + gaps.index(widest)
        before = number


def _are_apart(before: Word, word: Word, columns: Sequence[Column]) -> bool:
    """Tell whether words stand in a column each; signs may stand beside that of their figure."""
    one, other = (_only_column(part, columns) for part in (before, word))
    if one is None or other is None or one is other:
        return False
    heights = before.height, word.height
    is_line = max(heights) < AS_HIGH * min(heights)
    is_aligned = out_of_line(word.left - other.left, word.right - other.right) < ALIGNED
    are_words = all(any(map(str.isalnum, part.text)) for part in (before, word))
    return is_line and are_words and is_aligned


def _only_column(word: Word, columns: Sequence[Column]) -> Column | None:
    over = _columns_over(word.left, word.right, columns)
    return over[0] if len(over) == 1 else None


def _columns_over(left: float, right: float, columns: Sequence[Column]) -> list[Column]:
    return [one for one in columns if one.left < right and left < one.right]


def _over(cell: Cell, columns: Sequence[Column]) -> list[int]:
    """Return which columns the cell is over."""
    left, right = cell[0].left, cell[-1].right
    return [n for n, one in enumerate(columns) if one.left < right and left < one.right]
