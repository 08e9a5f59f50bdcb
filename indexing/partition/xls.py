"""Read what is called `.xls`: workbooks of Excel 5 to 2003, and those in the XML of the latter."""

from pathlib import Path

from indexing.partition.ole2 import MAGIC
from indexing.partition.spreadsheet import open_workbook
from indexing.partition.workbook_xml import open_workbook_xml
from indexing.partition.xls_scan import scan_xls
from indexing.types import Document


def open_xls(path: Path) -> Document:
    """Open the workbook as an xlsx is; what is drawn on it is not read."""
    with path.open("rb") as file:
        is_binary = file.read(len(MAGIC)) == MAGIC
        file.seek(0)
        return open_workbook(file, scan_xls(path)) if is_binary else open_workbook_xml(path)
