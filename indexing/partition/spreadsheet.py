"""Read the values of a workbook, one page per sheet."""

import datetime
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import python_calamine

from indexing.partition.tables import filled, is_header, is_number, table_with_header
from indexing.partition.text import clean_line
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page

MAX_TITLE_ROWS = 6

Cell = (
    int
    | float
    | str
    | bool
    | datetime.time
    | datetime.date
    | datetime.datetime
    | datetime.timedelta
)
Row = list[str]
Area = tuple[tuple[int, int], tuple[int, int]]  # first and last cell, (row, column)


def open_spreadsheet(path: Path) -> Document:
    """Open the workbook; hidden sheets come too, and formulas as the values last computed."""
    # Given as a file, because the library otherwise goes by the name's ending.
    with path.open("rb") as file:
        workbook = python_calamine.CalamineWorkbook.from_filelike(file)
    worksheets = [
        sheet.name
        for sheet in workbook.sheets_metadata
        if sheet.typ is python_calamine.SheetTypeEnum.WorkSheet
    ]
    return Document(title="", page_count=len(worksheets), pages=_pages(workbook, worksheets))


def cell_text(value: Cell) -> str:
    """Write a value the way a person would type it, dates in ISO 8601."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            # Fifteen digits are what a sheet shows; a float has two more of noise.
            return str(int(value)) if value.is_integer() else format(value, ".15g")
        case datetime.datetime():
            is_day = value.time() == datetime.time()
            return value.date().isoformat() if is_day else value.isoformat(" ")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case _:
            return clean_line(str(value))


def split_tables(rows: Sequence[Row]) -> tuple[Block, ...]:
    """Split a sheet into its tables and the titles and notes around them."""
    sheet = _Sheet()
    for has_content, run in itertools.groupby(rows, key=any):
        if has_content:
            _add_run(sheet, list(run))
    sheet.close_table()
    return tuple(sheet.blocks)


@dataclass(slots=True)
class _Sheet:
    """The blocks of a sheet so far, and the table that the next rows may belong to."""

    blocks: list[Block] = field(default_factory=list)
    header: Row = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

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
        self.header, self.rows = [], []


def _pages(workbook: python_calamine.CalamineWorkbook, worksheets: list[str]) -> Iterator[Page]:
    for name in worksheets:
        sheet = workbook.get_sheet_by_name(name)
        rows = [[cell_text(value) for value in row] for row in sheet.to_python()]
        _join_merged_headers(rows, _areas(sheet))
        yield Page(NO_PAGE, split_tables(rows), label=clean_line(name))


def _areas(sheet: python_calamine.CalamineSheet) -> list[Area]:
    """Return the merged areas, counted from the first row and column that hold anything."""
    down, right = sheet.start or (0, 0)
    return [
        ((top - down, left - right), (bottom - down, end - right))
        for (top, left), (bottom, end) in sorted(sheet.merged_cell_ranges or [])
        if top >= down and left >= right
    ]


def _join_merged_headers(rows: list[Row], merged: Sequence[Area]) -> None:
    """Write a heading that spans several columns in front of the headings below it.

    "2024" over "Sales" and "Profit" becomes "2024 Sales" and "2024 Profit".
    """
    for (top, left), (bottom, right) in merged:
        spans_columns = top == bottom and left < right and top + 1 < len(rows)
        if not spans_columns or not rows[top][left]:
            continue
        below = rows[top + 1][left : right + 1]
        is_title = filled(rows[top]) == 1 and filled(below) == filled(rows[top + 1])
        if all(below) and not is_title and not any(is_number(cell) for cell in below):
            rows[top + 1][left : right + 1] = [f"{rows[top][left]} {cell}" for cell in below]
            rows[top][left] = ""
            _lower_labels(rows, top)


def _lower_labels(rows: list[Row], top: int) -> None:
    """Move the labels beside an emptied heading down, where the row below leaves room."""
    for column, label in enumerate(rows[top]):
        if label and not rows[top + 1][column]:
            rows[top + 1][column], rows[top][column] = label, ""


def _add_run(sheet: _Sheet, run: list[Row]) -> None:
    """Add rows that no blank row parts: a table of their own, more of the last one, or notes."""
    if all(filled(row) == 1 for row in run) and (sheet.rows or not sheet.header):
        is_list = len(run) > MAX_TITLE_ROWS
        if is_list:
            sheet.close_table()
            sheet.rows = run
        else:
            sheet.add_text(run)
        return
    at = _header_position(run)
    continues = bool(sheet.header) and not (at is not None and _names_columns(run, at))
    if continues:
        sheet.rows += run
        return
    sheet.close_table()
    if at is None:
        sheet.rows = run
    else:
        sheet.add_text(run[:at])
        sheet.header, sheet.rows = run[at], run[at + 1 :]


def _header_position(run: list[Row]) -> int | None:
    width = max(map(filled, run))
    for n, row in enumerate(run[: MAX_TITLE_ROWS + 1]):
        if is_header(row, width):
            return n
        if filled(row) > width / 2:
            return None
    return None


def _names_columns(run: list[Row], at: int) -> bool:
    """Tell a header from a row of words: a title stands above it, or numbers below."""
    below = run[at + 1 : at + 20]
    return at > 0 or any(is_number(cell) for row in below for cell in row)
