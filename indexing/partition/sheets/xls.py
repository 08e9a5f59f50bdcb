"""Read what is called `.xls`: workbooks of Excel 2 to 2003, and those in the XML of the latter."""

from functools import partial
from pathlib import Path

from indexing.partition.formats import EXCEL_BEFORE_5
from indexing.partition.office.libreoffice import converted
from indexing.partition.office.ole2 import MAGIC
from indexing.partition.open_document.sheets import open_computed_ods
from indexing.partition.sheets.old_xls import open_xls_file
from indexing.partition.sheets.spreadsheet import (
    are_to_compute,
    open_computed_xlsx,
    open_workbook,
    open_xlsx,
)
from indexing.partition.sheets.uncomputed import open_computed
from indexing.partition.sheets.workbook_xml import is_to_compute, open_workbook_xml
from indexing.partition.sheets.xls_scan import scan_xls
from indexing.types import Document


def open_xls(path: Path) -> Document:
    """Open the workbook as an xlsx is; what is drawn on it is not read."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
    if start.startswith(EXCEL_BEFORE_5):
        with converted(path, "xls", ["xlsx"]) as (xlsx,):
            return open_xlsx(xlsx)
    if start != MAGIC:
        return _open_xml(path)
    with open_xls_file(path) as file:
        scans, computed = scan_xls(file), None
        if are_to_compute(scans.values()):
            open_file = partial(open_computed_xlsx, saved=file, saved_scans=scans)
            # Into an xls it writes texts that it has computed as zeros.
            computed = open_computed(path, "xlt", "xlsx", open_file=open_file)
        return computed or open_workbook(file, scans)


def _open_xml(path: Path) -> Document:
    computed = None
    if is_to_compute(path):
        computed = open_computed(path, "xml", "ods", open_file=open_computed_ods)
    return computed or open_workbook_xml(path)
