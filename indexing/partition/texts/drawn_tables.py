"""Read the tables that plain text draws with lines: of databases, terminals and DOS."""

import re
from collections.abc import Sequence
from itertools import groupby, zip_longest

from indexing.partition.tables import filled, table_block, table_with_header
from indexing.partition.text import clean_line
from indexing.types import Block

MIN_LINES = 3

# Lines as they are drawn in boxes (U+2500 to U+257F), in the signs of all keyboards.
_DRAWN = dict.fromkeys(range(0x2500, 0x2580), "+")
_DRAWN |= dict.fromkeys(map(ord, "─━┄┅┈┉╌╍═"), "-") | dict.fromkeys(map(ord, "│┃┆┇┊┋╎╏║"), "|")
# With a piece for each column, of which there are two at least.
_RULE = re.compile(r" *[+|]?(?: ?:?[-=]{2,}:? ?[+|])+(?: ?:?[-=]{2,}:? ?)?[ ]*")
_BETWEEN_COLUMNS = re.compile(r"[-=:] ?[+|] ?[-=:]")


def drawn_tables(lines: Sequence[str]) -> list[Sequence[str] | Block] | None:
    """Return the tables among the lines, and the lines around them; None if there are none."""
    if not any("|" in line or "│" in line or "║" in line or "┃" in line for line in lines):
        return None
    drawn = [line.rstrip().translate(_DRAWN) for line in lines]
    parts: list[Sequence[str] | Block] = []
    at = 0
    for is_drawn, run in groupby(drawn, key=lambda line: "|" in line or _is_rule(line)):
        count = len(list(run))
        table = _table(drawn[at : at + count]) if is_drawn else None
        parts.append(table or lines[at : at + count])
        at += count
    return parts if any(isinstance(part, Block) for part in parts) else None


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None and _BETWEEN_COLUMNS.search(line) is not None


def _table(lines: Sequence[str]) -> Block | None:
    groups = [list(map(_cells, run)) for is_rule, run in groupby(lines, _is_rule) if not is_rule]
    rows = [row for group in groups for row in group]
    if len(lines) < MIN_LINES or len(rows) < 2 or len(rows) == len(lines):
        return None
    if len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return None
    # A rule between all rows leaves room for rows of several lines.
    goes_on = all(not any(row[0] for row in group[1:]) for group in groups)
    is_grid = len(groups) > 2 and (goes_on or len(rows) < 2 * len(groups))
    names, *below = [[_joined(group)] if is_grid else group for group in groups]
    rows = [row for group in below for row in group if any(row)]
    if rows and filled(header := _joined(names)) > 1:
        return table_with_header(header, rows)
    return table_block([*names, *rows])


def _cells(line: str) -> list[str]:
    line = line.strip()
    inner = line[line.startswith("|") : len(line) - line.endswith("|")]
    return [clean_line(cell) for cell in inner.split("|")]


def _joined(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a row as one."""
    return [" ".join(filter(None, cells)) for cells in zip_longest(*rows, fillvalue="")]
