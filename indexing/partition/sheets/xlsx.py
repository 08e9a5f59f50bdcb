"""Read what is called xlsx: workbooks of Excel from 2007 on, those in binary form (xlsb) too."""

import itertools
from dataclasses import replace
from pathlib import Path

from indexing.partition.office.ole2 import is_ole2
from indexing.partition.office.zip_names import open_zip
from indexing.partition.sheets import spreadsheet
from indexing.partition.sheets.xlsb import WORKBOOK, open_xlsb
from indexing.types import Document


def open_xlsx(path: Path, skip_pages: int = 0) -> Document:
    """Open the workbook without its first `skip_pages` sheets; of one in binary, cells are read."""
    if is_ole2(path):
        # It takes its time to load, for few workbooks.
        from indexing.partition.sheets.own_password import unlocked_copy

        path = unlocked_copy(path)
    with open_zip(path) as package:
        is_binary = WORKBOOK in package.NameToInfo
    if not is_binary:
        return spreadsheet.open_xlsx(path, skip_pages)
    document = open_xlsb(path)
    return replace(document, pages=itertools.islice(document.pages, skip_pages, None))
