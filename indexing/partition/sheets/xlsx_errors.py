"""Hide the errors in cells that the library does not know, for one of which it refuses a sheet.

What they say shows without it.
"""

import io
import re
import zipfile
from collections.abc import Mapping
from typing import BinaryIO

from indexing.partition.sheets.scan import SheetScan
from indexing.partition.sheets.xlsx_scan import ERROR, KNOWN_ERRORS, sheet_parts


def with_known_errors(file: BinaryIO, scans: Mapping[str, SheetScan]) -> BinaryIO:
    """Return the xlsx, or a copy in memory, where its sheets have errors that are not known."""
    odd = {name for name, scan in scans.items() if scan.has_unknown_errors}
    if not odd:
        return file
    copy = io.BytesIO()
    with (
        zipfile.ZipFile(file) as package,
        zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target,
    ):
        parts = {part for name, part in sheet_parts(package) if name in odd}
        for name in package.NameToInfo:
            content = package.read(name)
            target.writestr(name, ERROR.sub(_known, content) if name in parts else content)
    return copy


def _known(cell: re.Match[bytes]) -> bytes:
    error = cell[3] if cell[3] in KNOWN_ERRORS else KNOWN_ERRORS[0]
    before, behind = cell.start(3) - cell.start(), cell.end(3) - cell.start()
    return cell[0][:before] + error + cell[0][behind:]
