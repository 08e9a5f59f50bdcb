"""Read what is called xlsx: workbooks of Excel from 2007 on, those in binary form (xlsb) too."""

import itertools
import zipfile
from dataclasses import replace
from pathlib import Path

from indexing.partition.sheets import spreadsheet
from indexing.partition.sheets.xlsb import WORKBOOK, open_xlsb
from indexing.types import Document


def open_xlsx(path: Path, skip_pages: int = 0) -> Document:
    """Open the workbook without its first `skip_pages` sheets; of one in binary, cells are read."""
    with zipfile.ZipFile(path) as package:
        is_binary = WORKBOOK in package.NameToInfo
    if not is_binary:
        return spreadsheet.open_xlsx(path, skip_pages)
    document = open_xlsb(path)
    return replace(document, pages=itertools.islice(document.pages, skip_pages, None))
