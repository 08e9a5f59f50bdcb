"""Part a first column of numbers or dates from a text that begins right behind it in all rows."""

import itertools
from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import Cell, Row, has_figures
from indexing.partition.tables import is_number

ALIGNED = 1.0  # points
MIN_ROWS = 3
MOST = 0.8  # of the rows that begin before the text do so with a number, if not that of a sum


def with_first_parted(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows, their first cells parted if these are two columns.

    Each row with a number has the text at the same place, and if there are names above, so is one
    of them: a number may as well be the beginning of a text.
    """
    # Most rows begin with a single word.
    if sum(len(row[0]) > 1 for row in rows) < MIN_ROWS:
        return rows
    basis = list(filter(has_figures, rows))
    numbered = [row[0] for row in basis if is_number(row[0][0].text)]
    if len(numbered) < MIN_ROWS or min(map(len, numbered)) < 2:
        return rows
    lefts = [cell[1].left for cell in numbered]
    left = min(lefts)
    if max(lefts) - left > ALIGNED or any(is_number(cell[1].text) for cell in numbered):
        return rows
    if len(numbered) < MOST * sum(row[0][0].left < left - ALIGNED for row in basis):
        return rows
    first = next(n for n, row in enumerate(rows) if row[0] is numbered[0])
    start = next((n for n in range(first - 1, -1, -1) if len(rows[n]) > 1), first)
    if start < first and not _is_name_at(rows[start], left):
        return rows
    return [*rows[:start], *(_parted(row, left) for row in rows[start:])]


def _is_name_at(names: Row, left: float) -> bool:
    words = list(itertools.chain(*names[:2]))
    return len(words) > 1 and abs(words[1].left - left) < ALIGNED


def _parted(row: Row, left: float) -> Row:
    cell, *others = row
    at = sum(word.left < left - ALIGNED for word in cell)
    parts: list[Cell] = [cell[:at], cell[at:]]
    return [*filter(None, parts), *others] if _ends_before(cell[:at], left) else row


def _ends_before(cell: Cell, left: float) -> bool:
    return all(word.right < left for word in cell)
