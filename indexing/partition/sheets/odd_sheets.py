"""Hand over xlsx workbooks in the form that is known to the library that reads them.

It tells what a sheet is by the folder of its part, and refuses a whole workbook for one that lies
elsewhere: a sheet with macros of Excel 4, or any sheet of a program with folders of its own. And it
knows UTF-8 alone. Where cells do not say in which row and column they are, it counts them, but what
it does not tell of them is looked up by these.
"""

import contextlib
import io
import re
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from lxml import etree

from indexing.partition.office.package_xml import parse
from indexing.partition.office.related_members import related_in, relations_of
from indexing.partition.office.wide_parts import open_in_utf8
from indexing.partition.sheets.xlsx_scan import RELATION, WORKBOOK, column_number, sheet_parts

_KNOWN_FOLDERS = ("xl/worksheets/", "xl/chartsheets/", "xl/dialogsheets/")
_BEGINNING_BYTES = 1 << 16  # among which is the first cell
_CELL = re.compile(rb"<(?:\w+:)?c(\s[^<>]*|/)?>")
_ROW_OR_CELL = re.compile(rb"<(?:\w+:)?(row|c)(?=[\s/>])([^<>]*)")
_PLACE = re.compile(rb"""\br\s*=\s*["']([A-Z]{0,3})(\d{1,7})["']""")


def open_package(path: Path) -> BinaryIO:
    """Open the package; one with odd parts as a copy in memory in which these are usual ones.

    Sheets of other kinds, which have no cells that are shown, are not in the copy.
    """
    with contextlib.ExitStack() as to_close:
        file = to_close.enter_context(open_in_utf8(path))
        with zipfile.ZipFile(file) as package:
            parts = [part for _, part in sheet_parts(package)]
            unplaced = {part for part in parts if _is_unplaced(package, part)}
            if unplaced or not all(part.startswith(_KNOWN_FOLDERS) for part in parts):
                return _with_known_sheets(package, unplaced)
        file.seek(0)
        to_close.pop_all()
        return file


def _is_unplaced(package: zipfile.ZipFile, part: str) -> bool:
    """Tell whether a sheet has cells that do not say where they are: the first one does not."""
    if part not in package.NameToInfo:
        return False
    with package.open(part) as sheet:
        cell = _CELL.search(sheet.read(_BEGINNING_BYTES))
    return cell is not None and _PLACE.search(cell[0]) is None


def _with_known_sheets(package: zipfile.ZipFile, unplaced: Collection[str]) -> BinaryIO:
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
            content = b"".join(_placed(content)) if name in unplaced else content
            target.writestr(moved.get(name, name), content)
    copy.seek(0)
    return copy


def _placed(sheet: bytes) -> Iterator[bytes]:
    """Yield what a sheet is written in, with the place of each cell."""
    end = row = column = 0
    for found in _ROW_OR_CELL.finditer(sheet):
        place = _PLACE.search(found[2])
        if found[1] == b"row":
            row, column = int(place[2]) if place else row + 1, 0
        elif place:
            column = column_number(place[1])
        else:
            column += 1
            yield sheet[end : found.end(1)] + b' r="%b%d"' % (column_letters(column), row)
            end = found.end(1)
    yield sheet[end:]


def column_letters(column: int) -> bytes:
    """Return the letters that name a column, counted from 1."""
    letters = b""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = bytes((ord("A") + letter,)) + letters
    return letters
