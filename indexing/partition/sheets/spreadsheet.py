"""Read the values of a workbook, one page per sheet."""

import contextlib
import datetime
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

import python_calamine

from indexing.partition.merged_cells import Area, Row, write_out_merged
from indexing.partition.office.damaged_parts import warned
from indexing.partition.sheets.column_names import BoldText, ColumnName
from indexing.partition.sheets.day_numbers import MomentFormat
from indexing.partition.sheets.drawings import with_drawings
from indexing.partition.sheets.iso_moments import plain_moment
from indexing.partition.sheets.mended_package import OF_DAMAGE, check_sheets, mended_package
from indexing.partition.sheets.near_cells import without_gaps
from indexing.partition.sheets.number_formats import CellFormat, shown
from indexing.partition.sheets.odd_sheets import open_package
from indexing.partition.sheets.ragged_merges import without_shared_columns
from indexing.partition.sheets.scan import Place, SheetScan
from indexing.partition.sheets.sheet_values import sheet_values, unread_rows
from indexing.partition.sheets.side_by_side import parted
from indexing.partition.sheets.tables import split_tables
from indexing.partition.sheets.uncomputed import open_computed, with_uncomputed
from indexing.partition.sheets.unknown_formulas import without_unknown_functions
from indexing.partition.sheets.xlsx_errors import with_known_errors
from indexing.partition.sheets.xlsx_powers import scan_with_powers
from indexing.partition.sheets.xlsx_scan import WORKBOOK
from indexing.partition.tables import filled
from indexing.partition.text import clean_line
from indexing.types import NO_PAGE, Document, Page

MAX_CELLS = 3_000_000
"""So many filled cells of a sheet are read; what comes after them is not."""

# A sheet is held as a rectangle, and a single stray cell at its far end makes that huge.
MAX_PLACES = 10_000_000

_PANIC, _NO_MEMORY = "PanicException", "pointer is null"
"""Of the library in Rust, and what it says where Python has no memory for an object."""

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


def open_xlsx(path: Path, skip_pages: int = 0) -> Document:
    """Open the workbook; hidden sheets come too, and formulas as the values last computed.

    Formulas that were saved without values are computed by LibreOffice, where it is installed. The
    first `skip_pages` sheets are left out, and their pictures not looked at.
    """
    return with_drawings(_open_cells(path), path, skip_pages)


def _open_cells(path: Path) -> Document:
    try:
        with open_package(path) as file:
            return _cells_of(file, path)
    except OF_DAMAGE:
        package, warning = mended_package(path, WORKBOOK)
        with package as file:
            # LibreOffice would have it from the file as it is.
            cells = open_workbook(file, scan_with_powers(file))
            return replace(cells, pages=warned(cells.pages, warning))


def _cells_of(file: BinaryIO, path: Path) -> Document:
    scans = scan_with_powers(file)
    if wide := [name for name, scan in scans.items() if scan.places > MAX_PLACES]:
        near = without_gaps(file, wide)
        return open_workbook(near, scan_with_powers(near))
    computed = None
    if are_to_compute(scans.values()):
        check_sheets(file)
        open_file = partial(open_computed_xlsx, saved=file, saved_scans=scans)
        computed = open_computed(path, "xlsm", "xlsx", open_file=open_file)
    return computed or open_workbook(file, scans)


def open_computed_xlsx(path: Path, saved: BinaryIO, saved_scans: dict[str, SheetScan]) -> Document:
    """Open a workbook that LibreOffice has made of another, of which it computed all formulas."""
    with open_package(path) as file:
        scans = {
            # For a format that it does not know LibreOffice writes none.
            name: scan.with_formats(saved_scans.get(name, SheetScan()))
            for name, scan in without_unknown_functions(scan_with_powers(file), path).items()
        }
        return open_workbook(file, with_saved(scans, saved, saved_scans))


def sheet_page(
    name: str, rows: list[Row], merged: Sequence[Area] = (), *, is_cut: bool = False
) -> Page:
    """Return the sheet as a page; of one with too many cells the first have been read."""
    rows, merged = without_shared_columns(rows, merged)
    write_out_merged(rows, merged)
    warning = (
        f"the sheet {name!r} has more than {MAX_CELLS:,} filled cells, only the first were read; "
        "upload the rest as a csv file"
    )
    blocks = itertools.chain.from_iterable(map(split_tables, parted(rows)))
    return Page(NO_PAGE, tuple(blocks), label=name, warning=warning if is_cut else "")


def unread_page(name: str) -> Page:
    """Return the page of a sheet that spans too much."""
    warning = (
        f"the sheet {name!r} was not read: it spans more than {MAX_PLACES:,} cells; "
        "delete the stray cells far below or beside its tables, or upload it as a csv file"
    )
    return Page(NO_PAGE, (), label=name, warning=warning)


def cell_text(value: Cell, cell_format: CellFormat | MomentFormat | None = None) -> str:
    """Write a value the way a person would type it, dates in ISO 8601."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            if isinstance(cell_format, MomentFormat):
                return cell_text(cell_format.moment_of(value))
            return shown(value, cell_format)
        case datetime.datetime():
            is_day = value.time() == datetime.time()
            return value.date().isoformat() if is_day else value.isoformat(" ")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            minutes, seconds = divmod(round(abs(value.total_seconds())), 60)
            sign = "-" if value < datetime.timedelta() else ""
            return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
        case _:
            # A date of ISO 8601, as SheetJS writes them, comes as a text.
            return plain_moment(clean_line(str(value)))


def open_workbook(file: BinaryIO, scans: dict[str, SheetScan]) -> Document:
    """Open a workbook of any age, of which this shows without opening it."""
    workbook = _workbook(file, scans)
    worksheets = [
        sheet.name
        for sheet in workbook.sheets_metadata
        if sheet.typ is python_calamine.SheetTypeEnum.WorkSheet
    ]
    pages = _pages(workbook, worksheets, scans)
    return Document(title="", page_count=len(worksheets), pages=pages)


def with_saved(
    computed: dict[str, SheetScan], saved: BinaryIO, saved_scans: dict[str, SheetScan]
) -> dict[str, SheetScan]:
    """Give formulas that nobody has computed anew the values that were saved of them, if any."""
    lacking = {name: places for name, scan in computed.items() if (places := scan.without_value())}
    if not lacking:
        return computed
    workbook, found = _workbook(saved, saved_scans), dict(computed)
    for name in lacking.keys() & saved_scans.keys():
        with contextlib.suppress(python_calamine.CalamineError):
            texts = _texts(workbook.get_sheet_by_name(name), saved_scans[name], lacking[name])
            found[name] = computed[name].with_values(texts)
    return found


def _texts(
    sheet: python_calamine.CalamineSheet, scan: SheetScan, places: Collection[Place]
) -> dict[Place, str]:
    """Return what stands at these places, but for errors."""
    down, right = sheet.start or (0, 0)
    rows = dict(enumerate(_rows(sheet, scan, []), start=down))
    texts = {
        (row, column): rows[row][column - right]
        for row, column in places
        if row in rows and right <= column < right + len(rows[row])
    }
    return {place: text for place, text in texts.items() if text and not text.startswith("#")}


def _workbook(file: BinaryIO, scans: Mapping[str, SheetScan]) -> python_calamine.CalamineWorkbook:
    file = with_known_errors(file, scans)
    file.seek(0)
    # Given as a file, because the library otherwise goes by the name's ending.
    return python_calamine.CalamineWorkbook.from_filelike(file)


def are_to_compute(scans: Collection[SheetScan]) -> bool:
    """Tell whether formulas lack values, in sheets of which none is too large for LibreOffice."""
    has_uncomputed = any(scan.uncomputed for scan in scans)
    return has_uncomputed and all(scan.places <= MAX_PLACES for scan in scans)


def _pages(
    workbook: python_calamine.CalamineWorkbook, worksheets: list[str], scans: dict[str, SheetScan]
) -> Iterator[Page]:
    for name in worksheets:
        label = clean_line(name)
        scan = scans.get(name, scans.get("", SheetScan()))
        if scan.places > MAX_PLACES:
            yield unread_page(label)
            continue
        try:
            page = _page_of(workbook.get_sheet_by_name(name), label, scan)
        # The library, in Rust, lets out panics as well, which are no `Exception`.
        except BaseException as error:  # noqa: BLE001
            # The sheets behind it are none the worse for it.
            warning = f"the sheet {label!r} cannot be read: {_fault(error)}"
            page = Page(NO_PAGE, (), label=label, warning=warning)
        yield with_uncomputed(page, scan.uncomputed)


def _fault(error: BaseException) -> str:
    """Say what is wrong with a sheet; raise what is none of the library's own faults."""
    is_panic = type(error).__name__ == _PANIC
    if is_panic and _NO_MEMORY in str(error):
        raise MemoryError from error
    if not is_panic and not isinstance(error, python_calamine.CalamineError):
        raise error
    is_lost = isinstance(error, python_calamine.WorksheetNotFound)
    fault = "it is not in the file, or damaged" if is_lost else "it is damaged"
    return f"{fault}; save the workbook anew in its own program"


def _page_of(sheet: python_calamine.CalamineSheet, label: str, scan: SheetScan) -> Page:
    unread: list[int] = []
    rows = list(_rows(sheet, scan, unread))
    page = sheet_page(label, rows, _areas(sheet, len(rows)), is_cut=len(rows) < sheet.height)
    if unread:
        warnings = filter(None, [page.warning, unread_rows(label, unread)])
        page = replace(page, warning="; ".join(warnings))
    return page


def _rows(
    sheet: python_calamine.CalamineSheet, scan: SheetScan, unread: list[int]
) -> Iterator[Row]:
    """Yield the rows from the first that holds anything, until there are too many cells."""
    cells = 0
    down, right = sheet.start or (0, 0)
    for at, values in enumerate(sheet_values(sheet, unread), start=down):
        formats = scan.formats.get(at, {})
        row = [cell_text(value, formats.get(n)) for n, value in enumerate(values, start=right)]
        for column, text_format in scan.around.get(at, {}).items():
            if right <= column < right + len(row):
                row[column - right] = text_format.shown(row[column - right])
        for column, text in scan.shown.get(at, {}).items():
            if right <= column < right + len(row):
                row[column - right] = text
        _mark(row, scan, at, right)
        cells += filled(row)
        if cells > MAX_CELLS:
            return
        yield row


def _mark(row: Row, scan: SheetScan, at: int, right: int) -> None:
    """Mark the texts of a row in bold print, and those that name columns."""
    for column in scan.bold.get(at, ()):
        if right <= column < right + len(row):
            row[column - right] = BoldText(row[column - right])
    for columns in scan.names.get(at, ()):
        for column in range(max(columns.start - right, 0), min(columns.stop - right, len(row))):
            row[column] = ColumnName(row[column])


def _areas(sheet: python_calamine.CalamineSheet, height: int) -> list[Area]:
    """Return the merged areas, counted from the first row and column that hold anything."""
    down, right = sheet.start or (0, 0)
    return [
        ((top - down, left - right), (bottom - down, end - right))
        for (top, left), (bottom, end) in sorted(sheet.merged_cell_ranges or [])
        if top >= down and left >= right and top - down < height
    ]
