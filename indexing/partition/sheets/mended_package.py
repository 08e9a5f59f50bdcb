"""Hand over a workbook with damaged parts in a shape that can be read."""

import io
import posixpath
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

import python_calamine
from lxml import etree

from indexing.partition.office.damaged_parts import is_xml, mend_parts, part_bytes
from indexing.partition.office.package_xml import parse
from indexing.partition.office.related_members import relate, related_members
from indexing.partition.office.zip_names import open_zip
from indexing.partition.sheets.xlsx_scan import RELATION, sheet_parts

_SHEETS = "xl/worksheets"

OF_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError),
    *(etree.XMLSyntaxError, python_calamine.CalamineError),
)
"""What is raised where a part is not as it was packed, or no XML."""


def mended_package(path: Path, main: str) -> tuple[BinaryIO, str]:
    """Return a copy in memory that has what can be told of each part, and what is damaged.

    That is "" where nothing is lost. Of the main part, unless its bytes were spoilt, only what XML
    does not allow is put right, and which sheets there are.
    """
    spoilt: set[str] = set()
    with open_zip(path) as package:
        names = filter(is_xml, package.NameToInfo)
        parts = {name: part_bytes(package, name, spoilt) for name in names}
    warning = mend_parts(parts, main, spoilt)
    if main in parts:
        _settle_sheets(parts, main)
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for name, part in parts.items():
            target.writestr(name, part)
    copy.seek(0)
    return copy, warning


def _settle_sheets(parts: dict[str, bytes], main: str) -> None:
    """Leave out the sheets whose parts nothing tells; name parts that none is told of by their own.

    The library refuses a workbook for one of the former, and shows none of the latter.
    """
    related = related_members(parts, main)
    workbook = parse(parts[main])
    sheets = workbook.find("{*}sheets")
    if sheets is None:
        return
    untold = [sheet for sheet in sheets if sheet.get(RELATION) not in related]
    for sheet in untold:
        sheets.remove(sheet)
    lost = [
        member
        for member in sorted(parts.keys() - set(related.values()))
        if posixpath.dirname(member) == _SHEETS
    ]
    if not (untold or lost):
        return
    for member, number in zip(lost, relate(parts, main, lost, "worksheet"), strict=True):
        told = {"name": posixpath.basename(member), RELATION: number}
        etree.SubElement(sheets, sheets.tag.removesuffix("s"), told)
    parts[main] = etree.tostring(workbook, encoding="UTF-8", xml_declaration=True)


def check_sheets(file: BinaryIO) -> None:
    """Raise what is raised of damage, where a sheet is no XML: LibreOffice would see it empty."""
    with zipfile.ZipFile(file) as package:
        parts = {part for _, part in sheet_parts(package)} & package.NameToInfo.keys()
        for part in sorted(parts):
            with package.open(part) as sheet:
                rows = etree.iterparse(
                    sheet, tag="{*}row", resolve_entities=False, no_network=True, load_dtd=False
                )
                for _, row in rows:
                    row.clear()
    file.seek(0)
