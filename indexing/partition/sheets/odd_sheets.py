"""Hand over xlsx workbooks in the form that is known to the library that reads them.

It tells what a sheet is by the folder of its part, and refuses a whole workbook for one that lies
elsewhere: a sheet with macros of Excel 4, or any sheet of a program with folders of its own. And it
knows UTF-8 alone.
"""

import io
import zipfile
from pathlib import Path
from typing import BinaryIO

from lxml import etree

from indexing.partition.office.package_xml import parse
from indexing.partition.office.related_members import related_in, relations_of
from indexing.partition.office.wide_parts import open_in_utf8
from indexing.partition.sheets.xlsx_scan import RELATION, WORKBOOK, sheet_parts

_KNOWN_FOLDERS = ("xl/worksheets/", "xl/chartsheets/", "xl/dialogsheets/")


def open_package(path: Path) -> BinaryIO:
    """Open the package; one with odd parts as a copy in memory in which these are usual ones.

    Sheets of other kinds, which have no cells that are shown, are not in the copy.
    """
    file = open_in_utf8(path)
    with zipfile.ZipFile(file) as package:
        if not all(part.startswith(_KNOWN_FOLDERS) for _, part in sheet_parts(package)):
            with file:
                return _with_known_sheets(package)
    file.seek(0)
    return file


def _with_known_sheets(package: zipfile.ZipFile) -> BinaryIO:
    worksheets = related_in(package, WORKBOOK, "worksheet")
    workbook = parse(package.read(WORKBOOK))
    relations = parse(package.read(relations_of(WORKBOOK)))
    moved: dict[str, str] = {}  # parts, to where
    for number, sheet in enumerate(list(workbook.iter("{*}sheet"))):
        part = worksheets.get(sheet.get(RELATION, ""))
        if part is None:
            sheet.getparent().remove(sheet)
        elif not part.startswith(_KNOWN_FOLDERS):
            moved[part] = f"xl/worksheets/moved{number}.xml"
            moved[relations_of(part)] = relations_of(moved[part])
            for relation in relations:
                if relation.get("Id") == sheet.get(RELATION):
                    relation.set("Target", f"/{moved[part]}")
    changed = {WORKBOOK: workbook, relations_of(WORKBOOK): relations}
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for name in package.NameToInfo:
            content = etree.tostring(changed[name]) if name in changed else package.read(name)
            target.writestr(moved.get(name, name), content)
    copy.seek(0)
    return copy
