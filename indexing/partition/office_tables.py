"""Read the tables of Word and PowerPoint as Unstructured hands them on, in HTML."""

import itertools
from collections import defaultdict

from lxml import html

from indexing.partition.merged_cells import Area, Row, write_out_merged
from indexing.partition.sheet_headers import find_header
from indexing.partition.tables import table_block, table_with_header
from indexing.partition.text import clean_line
from indexing.types import Block, BlockKind

NO_HEADER = "\x90"
"""Stands somewhere in a table of which no row names the columns. As all control characters it is
left out of texts."""


def table_blocks(table: str) -> list[Block]:
    """Return the table, and before it the titles that stand in its first rows."""
    rows = [row for row in table_rows(table) if any(row)]
    if rows and NO_HEADER in table:
        return [table_with_header((), rows)]
    header = find_header(rows) if rows else None
    if header is None or header.end == len(rows):
        return list(filter(None, [table_block(rows)]))
    titles = (Block(BlockKind.TEXT, ", ".join(filter(None, row))) for row in rows[: header.first])
    return [*titles, table_with_header(header.names, rows[header.end :])]


def table_rows(table: str) -> list[Row]:
    """Return the cells of an HTML table, with merged headings and names where they belong."""
    rows: list[Row] = []
    merged: list[Area] = []
    taken: defaultdict[int, dict[int, str]] = defaultdict(dict)  # by row and column
    for at, row in enumerate(html.fromstring(table).iter("tr")):
        column = 0
        for cell in row.iterchildren("td", "th"):
            while column in taken[at]:
                column += 1
            width, height = int(cell.get("colspan", 1)), int(cell.get("rowspan", 1))
            for down, right in itertools.product(range(height), range(width)):
                taken[at + down][column + right] = ""
            merged.append(((at, column), (at + height - 1, column + width - 1)))
            # A line break in a cell parts words too.
            taken[at][column] = clean_line(" ".join(cell.itertext()))
        cells = taken.pop(at, {})
        rows.append([cells.get(n, "") for n in range(max(cells, default=-1) + 1)])
    write_out_merged(rows, merged)
    return rows
