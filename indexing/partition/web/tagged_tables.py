"""Make a block of a table that is told in tags."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate, groupby, islice, pairwise, product, zip_longest

from indexing.partition.merged_cells import Area, write_out_merged
from indexing.partition.ragged_columns import aligned
from indexing.partition.sheets.tables import split_tables
from indexing.partition.tables import filled, table_with_header
from indexing.partition.text import clean_line
from indexing.partition.titled_tables import cut_table, filled_rows, titled_table
from indexing.partition.web.lettered_sheets import cells_of_sheet
from indexing.types import Block, BlockKind

# A cell with more text than this is a column of a page, not a value.
MAX_CELL_CHARACTERS = 4000
MAX_SPAN = 1000
MAX_PLACES = 1_000_000

_SECTIONS = ("thead", "tbody", "tfoot")


@dataclass(slots=True, eq=False)
class _Section:
    kind: str = ""  # thead, tbody or tfoot


@dataclass(slots=True)
class _Cell:
    section: _Section
    columns: int
    rows: int
    is_heading: bool
    blocks: list[Block] = field(default_factory=list)
    tables: list[Block] = field(default_factory=list)  # within it, and what belongs to them


@dataclass(slots=True)
class Table:
    """A table whose tags come one by one."""

    rows: list[list[_Cell]] = field(default_factory=list)
    section: _Section = field(default_factory=_Section)
    page_ends: list[int] = field(default_factory=list)  # before which of the rows
    around: list[Block] = field(default_factory=list)  # captions and what stands in no cell
    in_cell: bool = False
    is_layout: bool = False
    is_drawn: bool = False  # by a style or for those who do not see it, of other tags

    def open(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take a start tag."""
        if tag in _SECTIONS:
            self.section = _Section(tag)
        elif tag == "tr":
            self.rows.append([])
            self.in_cell = False
        elif tag in ("td", "th"):
            if not self.rows:
                self.rows.append([])
            # HTML has a 0 for all rows of the section.
            columns, rows = _span(attributes, "colspan") or 1, _span(attributes, "rowspan")
            is_heading = tag == "th" or self.section.kind == "thead"
            self.rows[-1].append(_Cell(self.section, columns, rows or MAX_SPAN, is_heading))
            self.in_cell = True

    def end(self, tag: str) -> None:
        """Take an end tag."""
        if tag in ("td", "th"):
            self.in_cell = False
        elif tag in _SECTIONS:
            self.section = _Section()

    def sink(self) -> list[Block]:
        """Return where the blocks go that come now."""
        return self.rows[-1][-1].blocks if self.in_cell else self.around

    def take_inner(self, blocks: list[Block]) -> None:
        """Take the blocks of a table within this one, which lays out a page if it holds others.

        Below names of columns it does not: the other is what stands in a cell.
        """
        holds_table = any(block.kind is BlockKind.TABLE for block in blocks)
        if holds_table and self.in_cell and self._is_below_names():
            self.rows[-1][-1].tables += blocks
        else:
            self.is_layout = self.is_layout or holds_table
            self.sink().extend(blocks)

    def _is_below_names(self) -> bool:
        names = next(filter(None, self.rows))
        # Programs that write mails lay them out in headings, each of which holds a table.
        return (
            names is not self.rows[-1]
            and len(names) > 1
            and all(cell.is_heading and cell.blocks for cell in names)
            and not self.rows[-1][-1].is_heading
        )


def table_blocks(table: Table) -> list[list[Block]]:
    """Return what each page has: the table, or the content of its cells if it lays out a page."""
    pages = [
        list(filter(None, table.rows[start:end]))
        for start, end in pairwise([0, *table.page_ends, len(table.rows)])
    ]
    # The foot comes last, wherever it stands.
    pages = [sorted(page, key=lambda row: row[0].section.kind == "tfoot") for page in pages]
    rows = [row for page in pages for row in page]
    if table.is_layout or max(map(len, rows), default=0) < 2 or any(map(_is_column, rows)):
        parts = [
            [block for row in page for cell in row for block in (*cell.blocks, *cell.tables)]
            for page in pages
        ]
    else:
        cells = _spread(rows)
        left = iter(cells)
        counts = [len(filled_rows(list(islice(left, len(page))))) for page in pages]
        sheet = cells_of_sheet(cells, [row[0].is_heading for row in rows])
        blocks = list(split_tables(sheet)) if sheet else _titled_table(rows, cells)
        parts = cut_table(blocks, counts)
        parts[-1] += [block for row in rows for cell in row for block in cell.tables]
    return [[*table.around, *parts[0]], *parts[1:]]


def _titled_table(rows: list[list[_Cell]], cells: list[list[str]]) -> list[Block]:
    count = _count_heading_rows(rows, cells)
    titles = _count_titles(cells[:count])
    names = [" ".join(filter(None, one)) for one in zip_longest(*cells[titles:count], fillvalue="")]
    if len(rows) > 1 and any(names):
        above = [Block(BlockKind.TEXT, "".join(row)) for row in cells[:titles] if any(row)]
        return [*above, table_with_header(names, filled_rows(cells[count:]))]
    if all(map(_is_labelled, rows)):
        return [table_with_header((), filled_rows(cells))]
    return titled_table(cells)


def _count_titles(headings: list[list[str]]) -> int:
    """Count the rows that name the table, not its columns: of one cell each, and others below."""
    several = (n for n, row in enumerate(headings) if filled(row) > 1)
    return next(several, 0)


def _count_heading_rows(rows: list[list[_Cell]], cells: list[list[str]]) -> int:
    """Count the rows that together name the columns; of a table of headings alone the first.

    A single name below those of columns is that of a group of rows, unless the file has it in the
    head.
    """
    is_heading = [all(cell.is_heading for cell in row) for row in rows]
    end = is_heading.index(False) if False in is_heading else 1
    below = range(_count_titles(cells[:end]) + 1, end)
    groups = (n for n in below if filled(cells[n]) == 1 and cells[n][0])
    return next((n for n in groups if rows[n][0].section.kind != "thead"), end)


def _is_labelled(row: list[_Cell]) -> bool:
    """Tell whether the row is labels with their values, or a single cell between such rows."""
    is_pairs = len(row) % 2 == 0 and all(
        cell.is_heading == (n % 2 == 0) for n, cell in enumerate(row)
    )
    return len(row) == 1 or is_pairs


def _is_column(row: list[_Cell]) -> bool:
    return any(
        sum(len(block.text) for block in cell.blocks) > MAX_CELL_CHARACTERS
        or (len(cell.blocks) > 2 and cell.blocks[0].kind is BlockKind.HEADING)
        for cell in row
    )


def _spread(rows: list[list[_Cell]]) -> list[list[str]]:
    """Return the texts of the cells, those of merged ones wherever they are needed."""
    spread: list[list[str]] = []
    merged: list[Area] = []
    taken: set[tuple[int, int]] = set()
    ends = _section_ends(rows)
    for at, row in enumerate(rows):
        texts: list[str] = []
        for cell in row:
            while (at, len(texts)) in taken:
                texts.append("")
            first, last = len(texts), len(texts) + cell.columns - 1
            if len(taken) < MAX_PLACES and cell.rows * cell.columns > 1:
                end = min(at + cell.rows, ends[at])
                taken.update(product(range(at + 1, end), range(first, last + 1)))
                merged.append(((at, first), (end - 1, last)))
            texts.append(clean_line(" ".join(block.text for block in cell.blocks)))
            texts.extend([""] * (cell.columns - 1))
        spread.append(texts)
    spread, merged = aligned(spread, merged)
    write_out_merged(spread, merged)
    return spread


def _section_ends(rows: list[list[_Cell]]) -> list[int]:
    """Return of each row the one behind the last of its section."""
    sections = groupby(rows, key=lambda row: row[0].section)
    sizes = [len(list(section)) for _, section in sections]
    return [end for size, end in zip(sizes, accumulate(sizes), strict=True) for _ in range(size)]


def _span(attributes: Mapping[str, str], name: str) -> int:
    value = attributes.get(name) or ""
    return min(int(value), MAX_SPAN) if value.isdecimal() and len(value) < 6 else 1
