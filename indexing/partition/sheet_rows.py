"""A sheet of XML as it is read, row by row, until there are too many cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

from lxml import etree

from indexing.partition.docx_body import Element
from indexing.partition.spreadsheet import MAX_CELLS, Area, sheet_page
from indexing.types import Page

MAX_COLUMNS = 16_384


@dataclass(slots=True)
class SheetRows:
    """A sheet as far as it has been read; empty rows between others are one."""

    name: str
    rows: list[list[str]] = field(default_factory=list)
    merged: list[Area] = field(default_factory=list)
    cells: int = 0

    def add(
        self, cells: Sequence[str], merged: Sequence[tuple[int, int]] = (), times: int = 1
    ) -> None:
        """Add a row, or several alike; `merged` are the first and last columns of wide cells."""
        row = list(cells)
        while row and not row[-1]:
            row.pop()
        if not row:
            if self.rows and self.rows[-1]:
                self.rows.append([])
            return
        filled = sum(map(bool, row))
        for _ in range(times):
            self.cells += filled
            if self.cells > MAX_CELLS:
                return
            at = len(self.rows)
            self.merged += [((at, left), (at, right)) for left, right in merged]
            self.rows.append(row)

    def page(self) -> Page:
        """Return the sheet as a page."""
        width = max(map(len, self.rows), default=0)
        # Each has its own length: as wide as a single wide one, they could take all memory.
        rows = [list(row) for row in self.rows]
        areas = [
            ((top, left), (end, min(right, width - 1))) for (top, left), (end, right) in self.merged
        ]
        return sheet_page(self.name, rows, areas, is_cut=self.cells > MAX_CELLS)


def events_of(
    content: IO[bytes], tags: Sequence[str], kinds: Sequence[str]
) -> Iterator[tuple[str, Element]]:
    """Parse as it is read, so that a sheet need not fit into memory as a tree."""
    yield from etree.iterparse(
        content, events=kinds, tag=tags, resolve_entities=False, no_network=True, load_dtd=False
    )
