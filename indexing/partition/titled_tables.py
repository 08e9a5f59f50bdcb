"""Tell the title and the header of a table apart from its rows, and part it where pages end."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.headers import find_header
from indexing.partition.tables import table_block, table_with_header
from indexing.types import Block, BlockKind


def titled_table(rows: Sequence[Row]) -> list[Block]:
    """Return the table, and before it the titles that stand in its first rows."""
    rows = filled_rows(rows)
    header = find_header(rows) if rows else None
    if header is None or header.end == len(rows):
        return list(filter(None, [table_block(rows)]))
    titles = (Block(BlockKind.TEXT, ", ".join(filter(None, row))) for row in rows[: header.first])
    return [*titles, table_with_header(header.names, rows[header.end :])]


def filled_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that hold anything: each is a line of its table, its title or its header."""
    return [row for row in rows if any(row)]


def cut_table(blocks: Sequence[Block], counts: Sequence[int]) -> list[list[Block]]:
    """Part a table into as many as there are counts, each of which has the header.

    The table is the last of the blocks, and those before are its titles. A count is that of the
    filled rows of a part, with titles and header.
    """
    if len(counts) == 1 or not blocks:
        return [list(blocks), *([] for _ in counts[1:])]
    *titles, table = blocks
    lines = table.text.split("\n") if table.text else []
    above = sum(counts) - len(lines)
    ends = [max(end - above, 0) for end in itertools.accumulate(counts)]
    parts = ("\n".join(lines[start:end]) for start, end in itertools.pairwise([0, *ends]))
    parted = [[replace(table, text=part)] if part else [] for part in parts]
    return [[*titles, *parted[0]], *parted[1:]]
