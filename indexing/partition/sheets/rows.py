"""A sheet of XML as it is read, row by row, until there are too many cells."""

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

from lxml import etree

from indexing.partition.merged_cells import Area
from indexing.partition.office.package_xml import Element
from indexing.partition.sheets.spreadsheet import MAX_CELLS, sheet_page
from indexing.types import Page

MAX_COLUMNS = 16_384


@dataclass(frozen=True, slots=True)
class Merged:
    """A cell of a row that reaches over several columns, or rows."""

    first: int  # column
    last: int
    rows: int = 1


@dataclass(slots=True)
class SheetRows:
    """A sheet as far as it has been read; empty rows between others are one."""

    name: str
    rows: list[list[str]] = field(default_factory=list)
    merged: list[Area] = field(default_factory=list)  # to the row, in the file, that they reach
    cells: int = 0
    height: int = 0  # rows in the file
    numbers: list[int] = field(default_factory=list)  # in the file, of the rows that are kept

    def skip_to(self, row: int) -> None:
        """Leave empty what lies before a row, which is counted from 0."""
        if row > self.height:
            self.add([], times=row - self.height)

    def add(self, cells: Sequence[str], merged: Sequence[Merged] = (), times: int = 1) -> None:
        """Add a row, or several alike."""
        row = list(cells)
        while row and not row[-1]:
            row.pop()
        if not row:
            if self.rows and self.rows[-1]:
                self._keep(row)
            self.height += times
            return
        filled = sum(map(bool, row))
        for _ in range(times):
            self.cells += filled
            if self.cells > MAX_CELLS:
                return
            at, end = len(self.rows), self.height - 1
            self.merged += [((at, one.first), (end + one.rows, one.last)) for one in merged]
            self._keep(row)
            self.height += 1

    def merge(self, first: tuple[int, int], last: tuple[int, int]) -> None:
        """Tell of merged cells, by their rows in the file, once these are there."""
        at = bisect.bisect_left(self.numbers, first[0])
        if at < len(self.numbers) and self.numbers[at] == first[0]:
            self.merged.append(((at, first[1]), last))

    def page(self) -> Page:
        """Return the sheet as a page."""
        width = max(map(len, self.rows), default=0)
        # Each has its own length: as wide as a single wide one, they could take all memory.
        rows = [list(row) for row in self.rows]
        areas = [
            ((top, left), (bisect.bisect(self.numbers, end) - 1, min(right, width - 1)))
            for (top, left), (end, right) in self.merged
        ]
        return sheet_page(self.name, rows, areas, is_cut=self.cells > MAX_CELLS)

    def _keep(self, row: list[str]) -> None:
        self.rows.append(row)
        self.numbers.append(self.height)


def events_of(
    content: IO[bytes], tags: Sequence[str], kinds: Sequence[str]
) -> Iterator[tuple[str, Element]]:
    """Parse as it is read, so that a sheet need not fit into memory as a tree."""
    yield from etree.iterparse(
        content, events=kinds, tag=tags, resolve_entities=False, no_network=True, load_dtd=False
    )
