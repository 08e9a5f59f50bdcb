"""Part tables that stand beside each other on a sheet, with empty columns between them.

A column may also be empty within one table, to set it off from the next. So two parts count as
tables only where the file says so, of one that has a header beside it, or the rows themselves show
it: a header stands beside values of the other (by its figures, or its bold print), each has a title
of its own, their headers are the same or begin with the same name, one ends well before the other,
or several columns are empty between them, and the rows of each begin with a name of their own.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.column_names import BoldText, holds_names, is_bold
from indexing.partition.tables import filled, is_number

MAX_PARTS = 16
"""A sheet of more is no row of tables."""

MIN_ROWS = 2
"""So many rows stand under a header that is told by them; and so much earlier a table ends."""

MIN_GAP = 2
"""Of so many empty columns none only sets off what follows."""

Columns = tuple[int, int]  # the first, and the one behind the last


def parted(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield the rows as they follow each other, and those of tables side by side one by one."""
    runs = _runs(rows)
    begin = 0  # of what is still to be yielded
    for n, (first, end) in enumerate(runs):
        if first < begin:
            continue
        top = _behind_titles(rows, first, end)
        tables = _tables(rows[top:end])
        if len(tables) > 1:
            if begin < top:
                yield rows[begin:top]
            tables, begin = _with_rows_below(rows, runs, n + 1, tables)
            for left, right in tables:
                yield [row[left:right] for row in rows[top:begin]]
    if begin < len(rows):
        yield rows[begin:]


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands in neighbouring columns, of the rows between two blank ones."""

    columns: Columns
    rows: Sequence[Row]
    header: int | None  # the row that names every column, below titles alone
    last: int  # row that holds anything
    is_listed: bool  # by the file, as a table

    def is_named(self) -> bool:
        """Tell whether its columns have names, and not only remarks stand in them."""
        return self.is_listed or self.header is not None

    def is_headed(self) -> bool:
        """Tell whether figures show that the header is one."""
        if self.header is None:
            return False
        below = self.rows[self.header + 1 : self.header + 1 + MIN_ROWS]
        return len(below) == MIN_ROWS and all(any(map(is_number, row)) for row in below)

    def holds_values(self, at: int) -> bool:
        """Tell whether a row holds values, of a table or of a list that needs no header."""
        row = self.rows[at]
        if self.header is not None:
            return at > self.header and (filled(row) > 1 or any(map(is_number, row)))
        return any(map(is_number, row)) and (self.begins_with_words() or self.is_numbered())

    def begins_with_words(self) -> bool:
        """Tell whether the first column names the rows."""
        begin = 0 if self.header is None else self.header + 1
        names = [row[0] for row in self.rows[begin : self.last + 1]]
        return len(names) >= MIN_ROWS and not any(not name or is_number(name) for name in names)

    def has_row_names(self) -> bool:
        """Tell whether the first column has a name for each row, and others stand beside it."""
        names = [row[0] for row in self.rows[(self.header or 0) + 1 : self.last + 1]]
        is_wide = self.columns[1] - self.columns[0] > 1
        return is_wide and self.begins_with_words() and len(set(names)) == len(names)

    def is_numbered(self) -> bool:
        """Tell whether it is a list whose rows are counted from 1, below a title or none."""
        rows = [row for row in self.rows[: self.last + 1] if row[0]]
        rows = rows[filled(rows[0]) == 1 :] if rows else []
        numbers = [row[0] for row in rows]
        is_counted = numbers == [str(n) for n in range(1, len(rows) + 1)]
        return is_counted and len(rows) >= MIN_ROWS and all(any(row[1:]) for row in rows)

    def goes_on_behind(self, other: "_Part") -> bool:
        """Tell whether rows follow the end of the other, several of them whole: none of sums."""
        rows = self.rows[other.last + 1 : self.last + 1]
        return sum(map(all, rows)) >= MIN_ROWS and all(row[0] for row in rows)

    def is_printed_beside(self, other: "_Part") -> bool:
        """Tell whether the header is in bold print, beside values that are not."""
        if self.header is None or other.header is None or self.header <= other.header:
            return False
        beside = other.rows[self.header]
        is_alone = all(beside) and not any(isinstance(cell, BoldText) for cell in beside)
        return is_alone and is_bold(self.rows[self.header])

    def names(self) -> Row:
        return [] if self.header is None else self.rows[self.header]


def _runs(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Return where rows that no blank row parts begin and end."""
    runs = []
    end = 0
    for has_content, run in itertools.groupby(rows, key=any):
        first, end = end, end + sum(1 for _ in run)
        if has_content:
            runs.append((first, end))
    return runs


def _behind_titles(rows: Sequence[Row], first: int, end: int) -> int:
    """Return the row behind those that hold one cell; that may be above the middle of tables."""
    while first < end and filled(rows[first]) == 1:
        first += 1
    return first


def _tables(rows: Sequence[Row]) -> list[Columns]:
    """Return the columns of each table, or those of all."""
    parts = _column_parts(rows)
    if not 1 < len(parts) <= MAX_PARTS:
        return []
    tables: list[_Part] = []
    for columns in parts:
        part = _part(rows, columns)
        if tables and not _are_apart(tables[-1], part):
            part = _part(rows, (tables.pop().columns[0], columns[1]))
        tables.append(part)
    return [table.columns for table in tables]


def _column_parts(rows: Sequence[Row]) -> list[Columns]:
    """Return the columns that hold anything, as far as they stand beside each other."""
    parts: list[Columns] = []
    for column in sorted({n for row in rows for n, cell in enumerate(row) if cell}):
        if parts and parts[-1][1] == column:
            parts[-1] = parts[-1][0], column + 1
        else:
            parts.append((column, column + 1))
    return parts


def _part(rows: Sequence[Row], columns: Columns) -> _Part:
    width = columns[1] - columns[0]
    own = [row[slice(*columns)] for row in rows]
    own = [row + [""] * (width - len(row)) for row in own]
    used = [n for n, row in enumerate(own) if any(row)]
    header = next((n for n in used if filled(own[n]) > 1), None)
    if header is not None and not _names_all(own[header], own[header + 1 :]):
        header = None
    is_listed = any(map(holds_names, own))
    return _Part(columns, own, header, used[-1] if used else -1, is_listed)


def _names_all(row: Row, below: Sequence[Row]) -> bool:
    """Tell whether the row names each column that is used, but for one of names of rows."""
    used = {n for one in below for n, cell in enumerate(one) if cell}
    unnamed = [n for n in used if not row[n]]
    return not any(map(is_number, row)) and unnamed in ([], [0])


def _are_apart(left: _Part, right: _Part) -> bool:
    if any(one.is_listed and other.is_named() for one, other in ((left, right), (right, left))):
        return True
    if _is_beside_values(left, right) or _is_beside_values(right, left):
        return True
    if left.is_printed_beside(right) or right.is_printed_beside(left):
        return True
    if left.header is None or left.header != right.header:
        return False
    if left.names() == right.names():
        return True
    if not right.begins_with_words():
        return False
    # What a row is about stands in a table once.
    if left.names()[0] and left.names()[0] == right.names()[0] and left.begins_with_words():
        return True
    goes_on = left.goes_on_behind(right) or right.goes_on_behind(left)
    return goes_on or _are_far_apart(left, right) or (_has_title(left) and _has_title(right))


def _are_far_apart(left: _Part, right: _Part) -> bool:
    gap = right.columns[0] - left.columns[1]
    return gap >= MIN_GAP and left.has_row_names() and right.has_row_names()


def _is_beside_values(one: _Part, other: _Part) -> bool:
    return one.header is not None and one.is_headed() and other.holds_values(one.header)


def _has_title(part: _Part) -> bool:
    return bool(part.header) and any(part.rows[(part.header or 0) - 1])


def _with_rows_below(
    rows: Sequence[Row], runs: Sequence[tuple[int, int]], begin: int, tables: list[Columns]
) -> tuple[list[Columns], int]:
    """Return the columns of the tables with the runs below that go on under them, and their end.

    What reaches from one to the next, or stands beside all, ends them: no cell may be lost.
    """
    for n in range(begin, len(runs)):
        first, end = runs[n]
        widened = _widened(tables, _column_parts(rows[first:end]))
        if widened is None:
            return tables, first
        if widened != tables:
            top = _behind_titles(rows, first, end)
            if len(_tables(rows[top:end])) > 1:
                return tables, first  # They are others, below the tables.
            tables = widened
    return tables, len(rows)


def _widened(tables: list[Columns], parts: Sequence[Columns]) -> list[Columns] | None:
    """Return the columns of tables with further parts, if each part is below one table alone.

    A single part may not be wider than what is above it: it is then a table below them all.
    """
    widened = list(tables)
    below = set()
    for begin, end in parts:
        above = [n for n, (left, right) in enumerate(tables) if begin < right and left < end]
        if len(above) != 1:
            return None
        left, right = widened[above[0]]
        widened[above[0]] = min(left, begin), max(right, end)
        below.update(above)
    are_apart = all(right < left for (_, right), (left, _) in itertools.pairwise(widened))
    return widened if are_apart and (widened == tables or len(below) > 1) else None
