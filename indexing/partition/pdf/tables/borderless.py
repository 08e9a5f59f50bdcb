"""Tell rows, columns and the header of tables without ruling lines from where their words stand."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from indexing.partition.pdf.tables.cell_lines import header_and_rows
from indexing.partition.pdf.tables.cells import (
    Row,
    Table,
    Word,
    cells_of,
    has_figures,
    is_row_of_dashes,
    table_of,
    texts_of,
    together,
)
from indexing.partition.pdf.tables.close_cells import parted_cells
from indexing.partition.pdf.tables.columns import Column, columns_seen
from indexing.partition.pdf.tables.extent import extent_of
from indexing.partition.pdf.tables.first_columns import with_first_parted
from indexing.partition.pdf.tables.headings import with_headings
from indexing.partition.pdf.tables.judging import MIN_COLUMNS, is_table
from indexing.partition.pdf.tables.numbered_rows import numbered_rows
from indexing.partition.pdf.tables.placing import placed_in
from indexing.partition.pdf.tables.rare_columns import with_rare_columns
from indexing.partition.pdf.tables.segments import MIN_ROWS, segments_of
from indexing.partition.pdf.tables.touching_columns import Touch, with_touching_parted

MIN_NUMBERED = 2  # rows of several lines
LONGEST_HEADER = 100  # of the names in it


@dataclass(frozen=True)
class _Lines:
    """Lines of words that may be those of a table, and which of them make a row each, if known."""

    cells: Sequence[Row]
    numbered: Sequence[range]

    @cached_property
    def have_figures(self) -> Sequence[bool]:
        """Which of them have figures, or belong to rows that are known by their numbers."""
        have_figures = list(map(has_figures, self.cells))
        if not self.numbered:
            return have_figures
        first, end = self.numbered[0].start, self.numbered[-1].stop
        return [False] * first + [True] * (end - first) + have_figures[end:]

    @property
    def first(self) -> int | None:
        """The first of them with figures, if there is one."""
        return self.have_figures.index(True) if any(self.have_figures) else None

    @cached_property
    def basis(self) -> Sequence[Row]:
        """Those that tell the columns: with figures, if there are some."""
        if sum(self.have_figures) > 1:
            return list(itertools.compress(self.cells, self.have_figures))
        return [row for row in self.cells if len(row) > 1]

    @property
    def names(self) -> Row:
        """The last line above the figures with several cells, which may be names of columns."""
        above = self.cells[: self.first or 0]
        return next((row for row in reversed(above) if len(row) > 1), [])


def tables_of(lines: Iterable[Sequence[Word]], touches: Sequence[Touch] = ()) -> Iterator[Table]:
    """Yield the tables among words that stand side by side, in the order of these from the top.

    Of columns that touch is known where they do.
    """
    rows = [with_touching_parted(cells_of(line), touches) for line in lines]
    for near in segments_of([row for row in rows if row]):
        segment = _without_typed_rules(near)
        table = _table(segment) if _may_be_table(segment) else None
        if table is not None:
            yield table


def _without_typed_rules(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if not is_row_of_dashes(row)]


def _may_be_table(rows: Sequence[Row]) -> bool:
    return len(rows) >= MIN_ROWS and any(len(row) > 1 for row in rows)


def _table(rows: Sequence[Row]) -> Table | None:
    rows = with_first_parted(rows)
    lines, columns = _in_columns(_Lines(rows, numbered_rows(rows)))
    if len(columns) < 2:
        return None
    extent = extent_of(lines.cells, columns, lines.first)
    start, end = extent.start, extent.stop
    if lines.numbered:
        end = max(end, lines.numbered[-1].stop)
    if end - start < MIN_ROWS:
        return None
    placed = placed_in(lines.cells[start:end], columns, max((lines.first or 0) - start, 0))
    known = [range(row.start - start, row.stop - start) for row in lines.numbered]
    return _named(placed, known, columns) if placed else None


def _in_columns(lines: _Lines) -> tuple[_Lines, list[Column]]:
    """Return the lines, cells that nearly touch parted, and the columns that they stand in."""
    seen = columns_seen(lines.basis)
    if parted := parted_cells(lines.cells, lines.basis, seen):
        lines = _Lines(parted, lines.numbered)
        seen = columns_seen(lines.basis)
    fewest = 2 if len(lines.basis) > 2 else 1
    usual = [one for one in seen if one.rows >= fewest]
    rare = [one for one in seen if one.rows < fewest]
    return lines, with_rare_columns(usual, rare, lines.names)


def _named(
    lines: Sequence[Row], numbered: Sequence[range], columns: Sequence[Column]
) -> Table | None:
    """Return the table of lines by column, its header apart; None if they are something else."""
    count, rows = header_and_rows(lines, numbered)
    of_names = _without_text(lines[:count])
    header = together(of_names)
    table = Table(header, rows, texts_of(header), list(map(texts_of, rows)))
    fewest = MIN_NUMBERED if numbered else MIN_ROWS
    if len(rows) + bool(header) < fewest or not is_table(table, columns):
        return None
    # The rest of a row that the end of the page before cut is no header.
    if len(header) >= MIN_COLUMNS and sum(map(bool, header)) == 1:
        return table_of([], [*lines[:count], *rows])
    if len(of_names) < 2:
        return table
    sides = [(one.left, one.right) for one in columns]
    return replace(table, names=texts_of(with_headings(of_names, sides)))


def _without_text(lines: Sequence[Row]) -> Sequence[Row]:
    """Return the lines of a header without those of a text above them."""
    while max(map(len, texts_of(together(lines))), default=0) > LONGEST_HEADER:
        lines = lines[1:]
    return lines
