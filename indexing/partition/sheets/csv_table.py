"""Read the tables of a csv file, which may be of any length."""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.csv_dialect import Dialect, dialect_of, lines_of
from indexing.partition.sheets.quoted_lines import has_quoted_lines, parted_line
from indexing.partition.sheets.tables import open_tables
from indexing.partition.tables import filled, is_header, is_number, table_with_header
from indexing.partition.text import clean_line
from indexing.partition.texts.plain_text import open_text, unnumbered_pages
from indexing.types import Block, Document

CELLS_AT_A_TIME = 10_000

REMARK = "#"

_TEXT_FOR_EXCEL = re.compile(r'="([^"]*)"')
"""A formula, so that Excel keeps the zeros of a number and all of its digits."""


def open_csv(path: Path) -> Document:
    """Open the table; it may be of any length, and is read as it goes."""
    return Document(title="", page_count=0, pages=unnumbered_pages(_blocks(path)))


def _blocks(path: Path) -> Iterator[Block]:
    dialect = dialect_of(path)
    is_nested = dialect.has_quotes and _has_quoted_lines(path, dialect)
    with open_text(path) as file:
        lines = dialect.rows_of(lines_of(file))
        rows = (parted_line(row, dialect.delimiter) for row in lines) if is_nested else lines
        cleaned = ([_cell_text(cell) for cell in row] for row in rows)
        header: Row = []
        for is_first, group in _groups(cleaned):
            if is_first:
                # Titles above the header, and whether there is one, show at the beginning.
                blocks, header = open_tables(_with_remarks(group))
                yield from blocks
            elif any(map(any, group)):
                yield table_with_header(header, [row for row in group if any(row)])


def _cell_text(cell: str) -> str:
    text = clean_line(cell)
    formula = _TEXT_FOR_EXCEL.fullmatch(text) if text.startswith("=") else None
    return formula[1] if formula else text


def _has_quoted_lines(path: Path, dialect: Dialect) -> bool:
    with open_text(path) as file:
        return has_quoted_lines(dialect.rows_of(lines_of(file)), dialect.delimiter)


def _with_remarks(rows: list[Row]) -> list[Row]:
    """Make a single cell of each remark above the table, which are no names of columns.

    Programs that write numbers mark the names by the same sign; then figures are right below.
    """
    count = sum(1 for _ in itertools.takewhile(_is_remark, rows))
    names, below = rows[count : count + 1], rows[count + 1 : count + 2]
    has_names = bool(names) and is_header(names[0], filled(names[0]))
    if not (has_names and any(is_number(cell) for row in below for cell in row)):
        count = max(count - 1, 0)
    remarks: list[Row] = [[", ".join(filter(None, row))] for row in rows[:count]]
    return remarks + rows[count:]


def _is_remark(row: Row) -> bool:
    """Tell whether the row is a remark, or blank; "#" alone names a column of numbers."""
    return not any(row) or (row[0].startswith(REMARK) and row[0] != REMARK)


def _groups(rows: Iterable[Row]) -> Iterator[tuple[bool, list[Row]]]:
    """Yield some rows at a time, and whether they are the first."""
    group: list[Row] = []
    cells, is_first = 0, True
    for row in rows:
        group.append(row)
        cells += len(row) + 1
        if cells >= CELLS_AT_A_TIME:
            yield is_first, group
            group, cells, is_first = [], 0, False
    if group:
        yield is_first, group
