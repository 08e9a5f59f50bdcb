"""Tell the tables in plain text: of cells that tabs part, or below a header with a broken rule."""

import re
from collections.abc import Sequence

from indexing.partition.tables import filled, is_number, table_block, table_with_header
from indexing.partition.text import clean_line
from indexing.types import Block

MIN_ROWS = 3

# A piece for each column, which is as wide as that.
_BROKEN_RULE = re.compile(r" *[-=]{2,}(?: +[-=]{2,})+ *")
_RULE = re.compile(r"[-= ]+")


def text_table(lines: Sequence[str]) -> Block | None:
    """Return the table that the lines of a paragraph are, None if they are none."""
    lines = [line.rstrip() if "\t" not in line else line for line in lines if line.strip()]
    return _tabbed(lines) or _ruled(lines) if len(lines) >= MIN_ROWS else None


def _tabbed(lines: Sequence[str]) -> Block | None:
    if len({line.count("\t") for line in lines}) > 1:
        return None
    rows = [[clean_line(cell) for cell in line.split("\t")] for line in lines]
    # Of two columns without figures, who speaks may be the first, and what is said the other.
    is_table = len(rows[0]) > 2 or any(is_number(row[-1]) for row in rows)
    # Of lines that tabs only indent, one cell is filled.
    return table_block(rows) if is_table and all(filled(row) > 1 for row in rows) else None


def _ruled(lines: Sequence[str]) -> Block | None:
    """Return the table whose second line rules its columns, if no line reaches across them."""
    if not _BROKEN_RULE.fullmatch(lines[1]) or any("\t" in line for line in lines):
        return None
    starts = [piece.start() for piece in re.finditer("[-=]+", lines[1])]
    said = [line for line in lines if not _RULE.fullmatch(line)]
    if any(line[start - 1 : start].strip() for line in said for start in starts[1:]):
        return None
    columns = list(zip([0, *starts[1:]], [*starts[1:], None], strict=True))
    rows = [[clean_line(line[start:end]) for start, end in columns] for line in said]
    return table_with_header(rows[0], rows[1:]) if len(rows) > 1 and filled(rows[0]) > 1 else None
