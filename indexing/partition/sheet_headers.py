"""Find the row, or the two rows, that name the columns of a table in a sheet."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from indexing.partition.merged_cells import Row
from indexing.partition.tables import filled, is_header, is_number

MAX_TITLE_ROWS = 6
"""So many rows may stand above the header of two columns; above one of more, titles do not end."""

MAX_PREAMBLE_ROWS = 40

# A row of fewer counted columns may as well hold values.
MIN_COUNTED_COLUMNS = 3

_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class SheetHeader:
    """The names of the columns, and which rows hold them."""

    names: Row
    first: int
    end: int  # the row behind them


def find_header(run: Sequence[Row]) -> SheetHeader | None:
    """Return the header of rows that no blank row parts; above it stand titles alone."""
    at = _position(run)
    if at is None:
        return None
    if at and (names := _grouped(run[at - 1], run[at])):
        return SheetHeader(names, at - 1, at + 1)
    second, below = run[at + 1 : at + 2], run[at + 2 : at + 3]
    if second and not _holds_number(second[0]) and all(map(_holds_number, below)):
        names = _grouped(run[at], second[0])
        if names:
            return SheetHeader(names, at, at + 2)
    return SheetHeader(run[at], at, at + 1)


def _position(run: Sequence[Row]) -> int | None:
    width = max(map(filled, run))
    above = MAX_PREAMBLE_ROWS if width > 2 else MAX_TITLE_ROWS
    titles = 0
    for n, row in enumerate(run[: above + 1]):
        if is_header(row, width) or _names_periods(row, run[n + 1 : n + 2], width):
            return n
        titles += filled(row) == 1
        if filled(row) > width / 2 or n - titles >= MAX_TITLE_ROWS:
            return None
    return None


def _names_periods(row: Row, below: Sequence[Row], width: int) -> bool:
    """Tell whether dates that go on, or a count from 1, name the columns, and what else they are.

    Below a date that is a name stands no other date.
    """
    cells = [(n, cell) for n, cell in enumerate(row) if cell]
    if not below or len(cells) < max(2, width / 2):
        return False
    values = [cell for _, cell in cells[1:]]
    counted = [str(n) for n in range(1, len(values) + 1)]
    if values == counted and len(values) >= MIN_COUNTED_COLUMNS:
        return not is_number(cells[0][1])
    dates = {n: cell for n, cell in cells if _DATE.fullmatch(cell)}
    others = [cell for n, cell in cells if n not in dates]
    return (
        len(dates) > 1
        and _go_on(list(dates.values()))
        and not any(map(is_number, others))
        and not any(_DATE.match(cell) for n, cell in enumerate(below[0]) if n in dates)
    )


def _go_on(dates: Sequence[str]) -> bool:
    pairs = list(itertools.pairwise(dates))
    return all(one < other for one, other in pairs) or all(one > other for one, other in pairs)


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
