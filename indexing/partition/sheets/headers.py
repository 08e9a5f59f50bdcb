"""Find the row, or the two rows, that name the columns of a table in a sheet."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.column_names import BoldText, is_bold, is_named
from indexing.partition.sheets.completed_names import ROWS_COMPARED, completed
from indexing.partition.tables import (
    ROWS_TO_VALUES,
    are_labelled,
    filled,
    is_header,
    is_number,
    names_ranges,
    repeats,
)

MAX_TITLE_ROWS = 6
"""So many rows may stand above the header of two columns; above one of more, titles do not end."""

MAX_PREAMBLE_ROWS = 40

MIN_WIDTH = 4

# A row of fewer counted columns may as well hold values.
MIN_COUNTED_COLUMNS = 3
MIN_COUNTED_ON = 4
MAX_DIGITS = 6


MIN_BETWEEN_FIGURES = 2
"""So many different words between figures are names; a single one may stand for a figure."""


@dataclass(frozen=True, slots=True)
class SheetHeader:
    """The names of the columns, and which rows hold them."""

    names: Row
    first: int
    end: int  # the row behind them


def find_header(run: Sequence[Row]) -> SheetHeader | None:
    """Return the header of rows that no blank row parts; above it stand titles alone."""
    at = None if are_labelled(run) else _position(run)
    if at is None:
        return None
    if is_named(run[at]):
        return SheetHeader(run[at], at, at + 1)
    if at and (names := _grouped(run[at - 1], run[at])):
        return SheetHeader(names, at - 1, at + 1)
    second, below = run[at + 1 : at + 2], run[at + 2 : at + 3]
    if second and not _holds_number(second[0]) and all(map(_holds_number, below)):
        names = _grouped(run[at], second[0])
        if names:
            return SheetHeader(names, at, at + 2)
    if second and repeats(second[0], run[at]):
        pairs = itertools.zip_longest(run[at], second[0], fillvalue="")
        names = [name or other for name, other in pairs]
        return SheetHeader(names, at, at + 2)
    names = completed(run[at], run[at + 1 : at + 1 + ROWS_COMPARED])
    return SheetHeader(names or run[at], at, at + (2 if names else 1))


def _position(run: Sequence[Row]) -> int | None:
    width = max(map(filled, run))
    above = MAX_PREAMBLE_ROWS if width > 2 else MAX_TITLE_ROWS
    titles = 0
    for n, row in enumerate(run[: above + 1]):
        if _names_columns(row, run[n + 1 : n + 1 + ROWS_TO_VALUES], width):
            return n
        titles += filled(row) == 1
        if filled(row) > width / 2 and _stands_between(run[n : n + 3], width):
            return n + 1
        if filled(row) > width / 2 or n - titles >= MAX_TITLE_ROWS:
            return None
    return None


def _names_columns(row: Row, below: Sequence[Row], width: int) -> bool:
    if is_named(row) or _is_counted(row, width) or _counts_on(row, below, width):
        return True
    # A name and its value above a table of four columns fill two of them as well.
    is_wide = filled(row) > width / 2 or (width < MIN_WIDTH and filled(row) >= width / 2)
    return is_wide and (is_header(row, width) or names_ranges(row, below))


def _stands_between(rows: Sequence[Row], width: int) -> bool:
    """Tell whether the second of three rows names columns, and the first has the sums of them."""
    if len(rows) < 3 or not is_header(rows[1], width):
        return False
    columns = zip(*rows, strict=False)
    names = [name for above, name, below in columns if is_number(above) and is_number(below)]
    is_alone_in_bold = is_bold(rows[1]) and not is_bold(rows[2])
    least = 1 if is_alone_in_bold else MIN_BETWEEN_FIGURES
    return len(names) >= least and all(names) and len(set(names)) == len(names)


def _is_counted(row: Row, width: int) -> bool:
    """Tell whether a count from 1 names the columns, and a word those of the rows."""
    cells = list(filter(None, row))
    counted = [str(n) for n in range(1, len(cells))]
    is_long = len(counted) >= max(MIN_COUNTED_COLUMNS, width / 2)
    return is_long and cells[1:] == counted and not is_number(cells[0])


def _counts_on(row: Row, below: Sequence[Row], width: int) -> bool:
    """Tell whether whole numbers that go on by one, as those of weeks, and words name the columns.

    No row below may do the same: a calendar has such ones. Beside words alone in bold print, as
    those of sizes and quantities are, some numbers may be left out.
    """
    numbers, places = _whole_numbers(row), [n for n, cell in enumerate(row) if cell.isdecimal()]
    words = [cell for cell in row if cell and not cell.isdecimal()]
    if not len(places) == len(numbers) >= max(MIN_COUNTED_ON, width / 2):
        return False
    if not words or any(map(is_number, words)):
        return False
    rises = all(later > one for one, later in itertools.pairwise(numbers))
    if rises and places[-1] - places[0] < len(places) and _are_alone_in_bold(words, below):
        return True
    return _go_on(numbers) and not any(_go_on(_whole_numbers(one)) for one in below)


def _are_alone_in_bold(words: Row, below: Sequence[Row]) -> bool:
    return is_bold(words) and not any(isinstance(cell, BoldText) for row in below for cell in row)


def _whole_numbers(row: Row) -> list[int]:
    return [int(cell) for cell in row if cell.isdecimal() and len(cell) < MAX_DIGITS]


def _go_on(numbers: Sequence[int]) -> bool:
    steps = itertools.pairwise(numbers)
    return len(numbers) >= MIN_COUNTED_COLUMNS and all(later == one + 1 for one, later in steps)


def _grouped(above: Row, names: Row) -> Row:
    """Return names that repeat ("Sales", "Profit") each with what stands above its group.

    Above each group stands one name, in whichever of its columns; else nothing is returned.
    """
    pairs = list(itertools.zip_longest(above, names, fillvalue=""))
    columns = [n for n, pair in enumerate(pairs) if any(pair)]  # others part the groups
    leads, own = ([pairs[n][row] for n in columns] for row in (0, 1))
    times = Counter(own)
    first = next((n for n, name in enumerate(own) if name and times[name] > 1), None)
    if first is None:
        return []
    width = own.index(own[first], first + 1) - first
    group = own[first : first + width]
    end = first + times[own[first]] * width
    of_groups = [list(filter(None, leads[n : n + width])) for n in range(first, end, width)]
    if width < 2 or not all(group) or own[first:end] != group * times[own[first]]:
        return []
    if any(len(one) != 1 for one in of_groups):
        return []
    for n, (lead,) in zip(range(first, end, width), of_groups, strict=True):
        leads[n : n + width] = [lead] * width
    joined = [""] * len(pairs)
    for n, lead, name in zip(columns, leads, own, strict=True):
        joined[n] = " ".join(filter(None, (lead, name)))
    return joined


def _holds_number(row: Row) -> bool:
    return any(is_number(cell) for cell in row)
