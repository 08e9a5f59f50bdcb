"""Put the cells of rows into the columns that they stand in, or name."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from indexing.partition.pdf.tables.cells import Row, plain_text
from indexing.partition.pdf.tables.columns import Column
from indexing.partition.pdf.tables.headings import begins_a_name, columns_below

FITTING = 0.8  # of the cells are in a column that no other of their row is in


def placed_in(rows: Sequence[Row], columns: Sequence[Column], above: int) -> list[Row]:
    """Return rows with a cell for each column; none if cells do not stand in these.

    So many rows are above the first figures.
    """
    placed: list[Row] = []
    cells = fitting = 0
    lefts, rights = [one.left for one in columns], [one.right for one in columns]
    all_columns = list(range(len(columns)))
    for at, row in enumerate(rows):
        numbers = _columns_of(row, lefts, rights)
        if at < above:
            numbers = _columns_named(row, rows[at + 1 : above], columns, numbers)
        cells += len(row)
        fitting += len(set(numbers))
        if numbers == all_columns:
            placed.append(row)
            continue
        in_columns: Row = [[] for _ in columns]
        for number, cell in zip(numbers, row, strict=True):
            in_columns[number] += cell
        placed.append(in_columns)
    return placed if fitting >= FITTING * cells else []


def _columns_of(row: Row, lefts: Sequence[float], rights: Sequence[float]) -> list[int]:
    """Return the column of each cell; these begin and end there."""
    numbers: list[int] = []
    for cell in row:
        left, right = cell[0].left, cell[-1].right
        # Columns are beside each other, so that most cells lie within one and over no other.
        within = bisect_right(lefts, left) - 1
        is_within = within >= 0 and left < right <= rights[within]
        numbers.append(within if is_within else _nearest(left, right, lefts, rights))
    return numbers


def _nearest(left: float, right: float, lefts: Sequence[float], rights: Sequence[float]) -> int:
    """Return the first column that a cell is over, or the nearest one."""
    nearest, most = 0, -inf
    for number, (begin, end) in enumerate(zip(lefts, rights, strict=True)):
        # As conditions, for calls of `min` and `max` would be what reading a table takes.
        shared = (right if right < end else end) - (left if left > begin else begin)
        if shared > 0 and shared > min(right - left, end - begin) / 2:
            return number
        if shared > most:
            nearest, most = number, shared
    return nearest


def _columns_named(
    row: Row, below: Sequence[Row], columns: Sequence[Column], nearest: list[int]
) -> list[int]:
    """Return the column of each cell above figures; one over several is in their first."""
    numbers = _in_order(row, columns, nearest)
    headings = [cell for cell, number in zip(row, numbers, strict=True) if number]
    if not below or numbers != nearest or len(headings) == len(columns) - 1:
        return numbers
    sides = [(one.left, one.right) for one in columns[1:]]
    # Names of all columns, mostly without one of the labels, are in the next line.
    names = list(map(plain_text, below[0]))
    is_named = len(columns) - 1 <= len(names) <= len(columns)
    if is_named and begins_a_name(headings, below[0][-len(sides) :]):
        return numbers
    found = columns_below(headings, sides, names[-len(sides) :] if is_named else ())
    if not found:
        return numbers
    return [0] * (len(row) - len(headings)) + [1 + one[0] for one in found]


def _in_order(row: Row, columns: Sequence[Column], nearest: list[int]) -> list[int]:
    """Return columns of which none has two names, if there are enough.

    Sheets have names on the left of their columns and figures on the right, so that a name may
    stand beside the figures of the column before, and over none of its own.
    """
    if len(row) == len(columns):
        return list(range(len(columns)))
    numbers: list[int] = []
    for cell, number in zip(row, nearest, strict=True):
        is_behind = cell[0].left >= columns[number].right
        is_taken = number in numbers[-1:] or (number == 0 and len(row) > 1)
        numbers.append(number + 1 if is_behind and is_taken else number)
    are_apart = all(one < other for one, other in pairwise(numbers))
    return numbers if are_apart and numbers[-1] < len(columns) else nearest
