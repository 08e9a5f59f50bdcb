"""Hand over a workbook with damaged parts in a shape that can be read."""

import io
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

import python_calamine
from lxml import etree

from indexing.partition.office.damaged_parts import is_xml, mend_parts, part_bytes
from indexing.partition.office.zip_names import open_zip
from indexing.partition.sheets.xlsx_scan import sheet_parts

OF_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError),
    *(etree.XMLSyntaxError, python_calamine.CalamineError),
)
"""What is raised where a part is not as it was packed, or no XML."""


def mended_package(path: Path, main: str) -> tuple[BinaryIO, str]:
    """Return a copy in memory that has what can be told of each part, and what is damaged.

    That is "" where nothing is lost. Of the main part, unless its bytes were spoilt, only what XML
    does not allow is put right.
    """
    spoilt: set[str] = set()
    with open_zip(path) as package:
        names = filter(is_xml, package.NameToInfo)
        parts = {name: part_bytes(package, name, spoilt) for name in names}
    warning = mend_parts(parts, main, spoilt)
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for name, part in parts.items():
            target.writestr(name, part)
    copy.seek(0)
    return copy, warning


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
