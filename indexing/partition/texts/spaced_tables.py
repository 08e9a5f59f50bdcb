"""Read the tables that plain text sets with spaces, as printed reports and terminals do."""

import re
import unicodedata
from collections.abc import Sequence

from indexing.partition.tables import filled, is_header, is_number, table_with_header
from indexing.partition.text import clean_line
from indexing.types import Block

MIN_ROWS = 3
MIN_VALUES = 2
MAX_LINES_ABOVE = 2
MAX_HEADER_LINES = 3

_CELL = re.compile(r"\S+(?: \S+)*")
_RULE = re.compile(r"[-=_ ]*")
# Behind a letter that is twice as wide as others.
_WIDE = "\0"


def spaced_table(lines: Sequence[str]) -> list[Sequence[str] | Block] | None:
    """Return the lines above a table and the table, None if the lines are none.

    It has a header, its cells stand below each other, and those of one column are figures.
    """
    if len(lines) < MIN_ROWS or any("\t" in line for line in lines):
        return None
    if sum("  " in line.strip() for line in lines) < MIN_ROWS:
        return None
    for above in range(min(MAX_LINES_ABOVE, len(lines) - MIN_ROWS) + 1):
        if table := _table([_spread(line.rstrip()) for line in lines[above:]]):
            return [lines[:above], table] if above else [table]
    return None


def _spread(line: str) -> str:
    if line.isascii():
        return line
    return "".join(
        one + _WIDE if unicodedata.east_asian_width(one) in "WF" else one for one in line
    )


def _table(lines: Sequence[str]) -> Block | None:
    is_rule = [_RULE.fullmatch(line) is not None for line in lines]
    above_rule = is_rule.index(True) if True in is_rule else 0
    count = above_rule if 0 < above_rule <= MAX_HEADER_LINES else 1
    cells = [
        list(_CELL.finditer(line)) for line, rules in zip(lines, is_rule, strict=True) if not rules
    ]
    columns = _columns(cells)
    if len(cells) < count + MIN_VALUES or len(columns) < 2:
        return None
    rows = [_row(line, columns) for line in cells]
    names = [" ".join(filter(None, column)) for column in zip(*rows[:count], strict=True)]
    below = rows[count:]
    if not is_header(names, len(columns)) or 3 * sum(filled(row) > 1 for row in below) < 2 * len(
        below
    ):
        return None
    return table_with_header(names, below) if _has_figures(names, below) else None


def _columns(lines: Sequence[Sequence[re.Match[str]]]) -> list[int]:
    """Return where each column ends, of cells that stand below each other in any lines."""
    columns: list[int] = []
    for start, end in sorted(cell.span() for line in lines for cell in line):
        if columns and start <= columns[-1]:
            columns[-1] = max(columns[-1], end)
        else:
            columns.append(end)
    return columns


def _row(line: Sequence[re.Match[str]], columns: Sequence[int]) -> list[str]:
    row = [""] * len(columns)
    at = 0
    for cell in line:
        while cell.start() >= columns[at]:
            at += 1
        row[at] = f"{row[at]} {clean_line(cell[0].replace(_WIDE, ''))}".strip()
    return row


def _has_figures(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether all that stands below one of the names, but the first, are figures."""
    for column, name in list(enumerate(names))[1:]:
        values = [row[column] for row in rows if row[column]]
        if name and len(values) >= MIN_VALUES and all(map(is_number, values)):
            return True
    return False
