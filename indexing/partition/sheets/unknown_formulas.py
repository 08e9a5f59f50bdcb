"""Tell the formulas that LibreOffice could not compute, because it does not know what they say.

It gives an error for a value, or what stands in the formula for the case of one. Either is wrong.
"""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

from indexing.partition.office.zip_names import open_zip
from indexing.partition.sheets.scan import Place, SheetScan, without_values
from indexing.partition.sheets.xlsx_scan import place_of, sheet_parts, sheet_pieces

NOT_KNOWN = "#NAME?"

# LibreOffice writes what it does not know in small letters.
_NOT_KNOWN = re.compile(
    rb"""<c r="([A-Z]{1,3})(\d{1,7})"[^<>]{0,200}(?<!/)>\s*<f\b[^<>]*>"""
    rb"[^<]*?(?:_xlfn\.(?:_xlws\.)?[a-z]|\[#this row\])"
)


def without_unknown_functions(scans: Mapping[str, SheetScan], path: Path) -> dict[str, SheetScan]:
    """Return what shows of an xlsx that LibreOffice computed, without what it does not know."""
    with open_zip(path) as package:
        return {
            name: without_values(scans[name], _false_errors(scans[name]) | _unknown(package, part))
            for name, part in sheet_parts(package)
            if name in scans
        }


def _false_errors(scan: SheetScan) -> set[Place]:
    places = ((row, column) for row, in_row in scan.shown.items() for column in in_row)
    return {(row, column) for row, column in places if scan.shown[row][column] == NOT_KNOWN}


def _unknown(package: zipfile.ZipFile, part: str) -> set[Place]:
    pieces = sheet_pieces(package, part)
    return {place_of(*found) for cells in pieces for found in _NOT_KNOWN.findall(cells)}
