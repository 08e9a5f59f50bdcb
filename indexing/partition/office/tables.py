"""Read the tables of Word and PowerPoint as Unstructured hands them on, in HTML."""

import itertools
from collections import defaultdict
from collections.abc import Sequence

from lxml import html

from indexing.partition.merged_cells import Area, Row, write_out_merged
from indexing.partition.ragged_columns import aligned
from indexing.partition.tables import table_with_header
from indexing.partition.text import clean_line
from indexing.partition.titled_tables import cut_table, filled_rows, titled_table
from indexing.types import Block

# Marks in the cells of a table. As all control characters they are left out of texts.
NO_HEADER = "\x90"
"""Stands somewhere in a table of which no row names the columns."""
IS_CUT = "\x91"
"""Stands somewhere in a table that goes on with the next one, behind the end of a page."""
GOES_ON = "\x92"
"""Stands somewhere in the table that it goes on with."""
MERGED = "\x93"
"""Stands in a cell that is one with the cell above."""


def blocks_of_tables(tables: Sequence[str]) -> list[list[Block]]:
    """Return the blocks of each table: the table, and before it the titles in its first rows.

    What a page has of a table that goes over its end is a table with the same header. Those that
    stood within its cells stand between the two.
    """
    wholes: list[list[int]] = []
    cut: list[int] | None = None
    for n, table in enumerate(tables):
        if cut is None or GOES_ON not in table:
            wholes.append([n])
            cut = wholes[-1] if IS_CUT in table else cut
        else:
            cut.append(n)
            cut = cut if IS_CUT in table else None
    blocks: dict[int, list[Block]] = {}
    for whole in wholes:
        parts = _blocks_of_parts([tables[n] for n in whole])
        blocks.update(zip(whole, parts, strict=True))
    return [blocks[n] for n in range(len(tables))]


def _blocks_of_parts(parts: Sequence[str]) -> list[list[Block]]:
    by_part = table_rows(parts)
    rows = list(itertools.chain.from_iterable(by_part))
    if any(NO_HEADER in part for part in parts):
        blocks = [table_with_header((), filled_rows(rows))] if filled_rows(rows) else []
    else:
        blocks = titled_table(rows)
    return cut_table(blocks, [len(filled_rows(part)) for part in by_part])


def table_rows(parts: Sequence[str]) -> list[list[Row]]:
    """Return the cells of each part of a table, merged headings and names where they belong."""
    rows: list[Row] = []
    merged: dict[tuple[int, int], Area] = {}  # by the row behind it and the first column
    taken: defaultdict[int, dict[int, str]] = defaultdict(dict)  # by row and column
    trees = map(html.fromstring, parts)
    by_part = [list(tree.iter("tr")) for tree in trees]
    for at, row in enumerate(itertools.chain.from_iterable(by_part)):
        column = 0
        for cell in row.iterchildren("td", "th"):
            while column in taken[at]:
                column += 1
            width, height = int(cell.get("colspan", 1)), int(cell.get("rowspan", 1))
            for down, right in itertools.product(range(height), range(width)):
                taken[at + down][column + right] = ""
            text, last = " ".join(cell.itertext()), column + width - 1
            above = merged.pop((at, column), None) if MERGED in text else None
            first = above[0] if above else (at, column)
            # It may be wider than the cell above, where a border was dragged.
            last = min(last, above[1][1]) if above else last
            merged[at + height, column] = first, (at + height - 1, last)
            # A line break in a cell parts words too.
            taken[at][column] = clean_line(text)
        cells = taken.pop(at, {})
        rows.append([cells.get(n, "") for n in range(max(cells, default=-1) + 1)])
    rows, areas = aligned(rows, merged.values())
    write_out_merged(rows, areas)
    left = iter(rows)
    return [list(itertools.islice(left, len(part))) for part in by_part]
