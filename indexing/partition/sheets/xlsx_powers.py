"""Find the texts in the cells of an xlsx workbook in which raised digits stand behind a number.

The library that reads the cells hands on no more than their letters. ECMA-376 part 1, 18.4.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.office.powers import sign_powers
from indexing.partition.office.related_members import related_in
from indexing.partition.sheets.scan import Place, SheetScan
from indexing.partition.sheets.xlsx_scan import (
    WORKBOOK,
    place_of,
    scan_xlsx,
    sheet_parts,
    sheet_pieces,
)
from indexing.partition.text import clean_line

# A text that cells share, by its number.
_SHARED = re.compile(
    rb"""<(?:\w+:)?c\b(?=[^<>]{0,200}\bt=["']s["'])[^<>]{0,200}?\br=["']([A-Z]{1,3})(\d{1,7})["']"""
    rb"""[^<>]{0,200}>\s*<(?:\w+:)?v\s*>(\d{1,9})<"""
)


def scan_with_powers(file: BinaryIO) -> dict[str, SheetScan]:
    """Return what shows of each sheet, by its name: of texts, those with powers."""
    scans = scan_xlsx(file)
    with zipfile.ZipFile(file) as package:
        texts = dict(_texts_with_powers(package))
        for name, part in sheet_parts(package) if texts else ():
            if name not in scans:  # Its part is missing.
                continue
            shown = {row: dict(cells) for row, cells in scans[name].shown.items()}
            for (row, column), text in _cells(package, part, texts):
                shown.setdefault(row, {})[column] = text
            scans[name] = replace(scans[name], shown=shown)
    return scans


def _texts_with_powers(package: zipfile.ZipFile) -> Iterator[tuple[bytes, str]]:
    """Yield the shared texts in which there are powers, each behind its number."""
    for part in related_in(package, WORKBOOK, "sharedStrings").values():
        # Hardly any workbook has them, and this takes no time.
        if part not in package.NameToInfo or not _has_raised(package, part):
            continue
        with package.open(part) as content:
            texts = etree.iterparse(content, tag="{*}si", resolve_entities=False, no_network=True)
            for number, (_, text) in enumerate(texts):
                said = _said(text)
                sign_powers(text.iterchildren("{*}r"), _letters(text), _is_raised)
                if said != (signed := _said(text)):
                    yield str(number).encode(), clean_line(signed)
                text.clear()


def _has_raised(package: zipfile.ZipFile, part: str) -> bool:
    return any(b"superscript" in piece for piece in sheet_pieces(package, part))


def _said(text: Element) -> str:
    return "".join(piece.text or "" for piece in text.iterfind(f"{{*}}r/{_letters(text)}"))


def _letters(text: Element) -> str:
    """Return the tag of what holds the letters of a run, which strict workbooks call otherwise."""
    return f"{text.tag[:-2]}t"


def _is_raised(run: Element) -> bool:
    position = run.find("{*}rPr/{*}vertAlign")
    return position is not None and position.get("val") == "superscript"


def _cells(
    package: zipfile.ZipFile, part: str, texts: dict[bytes, str]
) -> Iterator[tuple[Place, str]]:
    for cells in sheet_pieces(package, part):
        for column, row, number in _SHARED.findall(cells):
            if number in texts:
                yield place_of(column, row), texts[number]
