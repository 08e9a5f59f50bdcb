"""Split the rows of a sheet into tables, and the titles and notes around them."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.column_names import is_bold, is_named
from indexing.partition.sheets.headers import MAX_TITLE_ROWS, SheetHeader, find_header
from indexing.partition.tables import filled, is_number, table_with_header
from indexing.types import Block, BlockKind

MIN_NAMES = 2

MIN_ROWS = 2
"""So many rows of a kind show what a column holds."""


def split_tables(rows: Sequence[Row]) -> tuple[Block, ...]:
    """Split a sheet into its tables and the titles and notes around them."""
    return open_tables(rows)[0]


def open_tables(rows: Sequence[Row]) -> tuple[tuple[Block, ...], Row]:
    """Split the beginning of a sheet; return also the header under which it goes on."""
    sheet = _Sheet()
    for has_content, run in itertools.groupby(rows, key=any):
        for part in _parts(list(run)) if has_content else ():
            _add_run(sheet, part)
    header = sheet.header
    sheet.close_table()
    return tuple(sheet.blocks), header


@dataclass(slots=True)
class _Sheet:
    """The blocks of a sheet so far, and the table that the next rows may belong to."""

    blocks: list[Block] = field(default_factory=list)
    header: Row = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    columns: set[int] = field(default_factory=set)  # in which the table has anything

    def add_rows(self, rows: Sequence[Row]) -> None:
        self.rows += rows
        self.columns |= _columns(rows)

    def add_text(self, rows: Sequence[Row]) -> None:
        self.close_table()
        for row in rows:
            # Not with " | ", by which rows of tables are known.
            self.blocks.append(Block(BlockKind.TEXT, ", ".join(filter(None, row))))

    def close_table(self) -> None:
        if self.rows:
            self.blocks.append(table_with_header(self.header, self.rows))
        elif self.header:
            self.blocks.append(Block(BlockKind.TEXT, " | ".join(filter(None, self.header))))
        self.header, self.rows, self.columns = [], [], set()


def _parts(run: list[Row]) -> Iterator[list[Row]]:
    """Part rows where another header stands among them."""
    header = find_header(run)
    names = run[header.first : header.end] if header else [[""]]
    begin = 0
    for at in range(header.end if header else 1, len(run)):
        is_repeated = run[at : at + len(names)] == names
        if is_repeated or is_named(run[at]) or (header and _begins_table(header, run, at)):
            end = at - 1 if filled(run[at - 1]) == 1 else at
            if begin < end:
                yield run[begin:end]
            begin = end
    yield run[begin:]


def _begins_table(header: SheetHeader, run: list[Row], at: int) -> bool:
    """Tell a header from its title above, and its print, or figures before and after its words."""
    if filled(run[at - 1]) != 1 or filled(run[at]) < MIN_NAMES or at + 1 >= len(run):
        return False
    if any(map(is_number, run[at])):
        return False
    if is_bold(header.names) and is_bold(run[at]) and not is_bold(run[at + 1]):
        return True
    columns = zip(run[at - 2], run[at], run[at + 1], strict=False)
    return any(name and is_number(above) and is_number(below) for above, name, below in columns)


def _add_run(sheet: _Sheet, run: list[Row]) -> None:
    """Add rows that no blank row parts: a table of their own, more of the last one, or notes."""
    if all(filled(row) == 1 for row in run) and (sheet.rows or not sheet.header):
        is_list = len(run) > MAX_TITLE_ROWS
        if is_list:
            sheet.close_table()
            sheet.add_rows(run)
        else:
            sheet.add_text(run)
        return
    header = find_header(run)
    continues = bool(sheet.header) and not (
        header and (_names_columns(run, header) or _stands_apart(sheet, run, header))
    )
    if continues:
        sheet.add_rows(run)
        return
    sheet.close_table()
    if header is None:
        sheet.add_rows(run)
        return
    sheet.add_text(run[: header.first])
    sheet.header, sheet.columns = header.names, _columns([header.names])
    sheet.add_rows(run[header.end :])


def _stands_apart(sheet: _Sheet, run: list[Row], header: SheetHeader) -> bool:
    """Tell a header of words from a row of the table above: by its print, or by its columns.

    It is in bold print as the header above is, and what is below it is not; or it names all columns
    of its rows, of which the table above does not have some, or has figures in some.
    """
    below = run[header.end :]
    if not below or len(set(filter(None, header.names))) < filled(header.names):
        return False
    if is_bold(sheet.header) and is_bold(header.names) and not is_bold(below[0]):
        return True
    names, columns = _columns([header.names]), _columns(run)
    return columns == names and (not columns <= sheet.columns or _replaces_figures(sheet, run))


def _replaces_figures(sheet: _Sheet, run: list[Row]) -> bool:
    """Tell whether different words fill a column in which the table so far has figures alone."""
    if len(sheet.rows) < MIN_ROWS or len(run) <= MIN_ROWS:
        return False
    with_figures = [n for n in _columns(run) if all(map(is_number, _column(sheet.rows, n)))]
    columns = [_column(run, n) for n in with_figures]
    return any(len(set(one)) == len(run) and not any(map(is_number, one)) for one in columns)


def _column(rows: Iterable[Row], column: int) -> list[str]:
    return [row[column] if column < len(row) else "" for row in rows]


def _columns(rows: Iterable[Row]) -> set[int]:
    return {n for row in rows for n, cell in enumerate(row) if cell}


def _names_columns(run: list[Row], header: SheetHeader) -> bool:
    """Tell a header from a row of words: a title stands above it, or numbers below.

    Or the file says so.
    """
    below = run[header.end : header.end + 20]
    if header.first > 0 or is_named(header.names):
        return True
    return any(is_number(cell) for row in below for cell in row)
