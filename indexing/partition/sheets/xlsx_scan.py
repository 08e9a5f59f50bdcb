"""Look through the sheets of an xlsx workbook before they are opened.

The library that reads them holds each as a rectangle from its first cell to its last, so that two
cells, one at either end of a sheet, would take more memory than there is. Nor does it tell an empty
cell from one with an error, or from a formula of which no value was saved, nor as what a number is
shown: a percentage, an amount of money.
"""

import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from indexing.partition.office.package_xml import parse
from indexing.partition.office.related_members import related_in
from indexing.partition.sheets.day_numbers import (
    FIRST_DAY,
    FIRST_DAY_OF_MAC,
    MomentFormat,
    in_named_language,
)
from indexing.partition.sheets.number_formats import BUILT_IN, CellFormat, parse_number_format
from indexing.partition.sheets.scan import Place, SheetScan, without_values
from indexing.partition.sheets.text_formats import TextFormat, parse_text_format

CHUNK_BYTES = 1 << 20
# The longest beginning of a cell, with its attributes, that a chunk's end may cut.
OVERLAP_BYTES = 256
# The longest cell that it may cut: a formula has at most 8192 letters, some written as entities.
MAX_CELL_BYTES = 1 << 16

# More of them in a sheet stay empty.
MAX_ERRORS = 100_000

MAX_BOLD, MAX_STYLES = 10_000, 100
"""More texts of a sheet in bold print, or in more styles of it, are not looked at; nor are the
words around texts of more styles."""

MAX_TABLES = 1000
"""Of a sheet that has more, the headers of the others are told by what they say."""

_FORMULA = rb"<(?:\w+:)?f\b[^<>]*(?:(?<=/)>|(?<!/)>[^<]*</(?:\w+:)?f\s*>)\s*"
# A cell with a formula, and no value behind it; one that holds "" says that it is a string.
_UNCOMPUTED = re.compile(
    rb"""<(?:\w+:)?c\b(?![^<>]*\bt=["']str["'])[^<>]*>\s*"""
    + _FORMULA
    + rb"(?:<(?:\w+:)?v\s*(?:/>|>\s*</(?:\w+:)?v\s*>)\s*)?"
    rb"</(?:\w+:)?c\s*>"
)
_WITH_FORMULA = re.compile(rb"<(?:\w+:)?c\b[^<>]*(?<!/)>\s*<(?:\w+:)?f\b")
# A number 0, behind a formula.
_ZERO = re.compile(
    rb"""<(?:\w+:)?c\b(?![^<>]{0,200}\bt=["'](?!n["']))[^<>]{0,200}?"""
    rb"""\br=["']([A-Z]{1,3})(\d{1,7})["'][^<>]{0,200}(?<!/)>\s*"""
    + _FORMULA
    + rb"<(?:\w+:)?v\s*>0</(?:\w+:)?v\s*>\s*</(?:\w+:)?c\s*>"
)
# Its attributes are short; without limits, an endless row of them would be tried from each on.
ERROR = re.compile(
    rb"""<(?:\w+:)?c\b(?=[^<>]{0,200}\bt=["']e["'])"""
    rb"""[^<>]{0,200}?\br=["']([A-Z]{1,3})(\d{1,7})["'][^<>]{0,200}>\s*(?:"""
    + _FORMULA
    + rb")?<(?:\w+:)?v\s*>([^<>]{1,40})<"
)
KNOWN_ERRORS = (b"#N/A", b"#DIV/0!", b"#NAME?", b"#NULL!", b"#NUM!", b"#REF!", b"#VALUE!")
"""That all workbooks have; later ones have more, and other programs their own."""

# A number, which has no type or the one of numbers, with a style.
_NUMBER = re.compile(
    rb"""<(?:\w+:)?c\b(?=[^<>]{0,200}\bs=["'](\d{1,5})["'])(?![^<>]{0,200}\bt=["'](?!n["']))"""
    rb"""[^<>]{0,200}?\br=["']([A-Z]{1,3})(\d{1,7})["'][^<>/]{0,200}>"""
)
# A text, typed or the value of a formula, with one of the styles.
_TEXT = (
    rb"""<(?:\w+:)?c\b(?=[^<>]{0,200}\b(?:%b))"""
    rb"""(?=[^<>]{0,200}\bt=["'](?:s|str|inlineStr)["'])"""
    rb"""[^<>]{0,200}?\br=["']([A-Z]{1,3})(\d{1,7})["'][^<>/]{0,200}>"""
)
_AREA = re.compile(rb"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})\d{1,7}")
FILLED = re.compile(
    rb"""<(?:\w+:)?c\b[^<>]{0,200}?\br\s*=\s*["']([A-Z]{1,3})(\d{1,7})["'][^<>]{0,200}"""
    rb"""(?<!/)>(?!\s*</)"""
)
"""A cell that holds something. Programs write empty ones, with formats, down to the last row."""

WORKBOOK = "xl/workbook.xml"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def scan_xlsx(file: Path | BinaryIO) -> dict[str, SheetScan]:
    """Return what shows of each sheet, by its name."""
    with zipfile.ZipFile(file) as package:
        styles = _styles(package)
        sheets = [one for one in sheet_parts(package) if one[1] in package.NameToInfo]
        scans = {name: _scan(package, part, styles) for name, part in sheets}
        # Before they are shown, Excel computes the formulas.
        if _has_set(package, "calcPr", "fullCalcOnLoad"):
            for name, places in _uncomputed_zeros(package, sheets).items():
                scans[name] = without_values(scans[name], places)
        return scans


def sheet_parts(package: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the name of each sheet, and that of its part in the package."""
    if WORKBOOK not in package.NameToInfo:
        return
    parts = related_in(package, WORKBOOK)
    for sheet in parse(package.read(WORKBOOK)).iter("{*}sheet"):
        yield sheet.get("name", ""), parts.get(sheet.get(RELATION), "")


def _has_set(package: zipfile.ZipFile, settings: str, name: str) -> bool:
    """Tell whether the workbook has this switched on among these settings."""
    if WORKBOOK not in package.NameToInfo:
        return False
    found = parse(package.read(WORKBOOK)).iter(f"{{*}}{settings}")
    return any(one.get(name) in ("1", "true") for one in found)


def _uncomputed_zeros(
    package: zipfile.ZipFile, sheets: Iterable[tuple[str, str]]
) -> dict[str, list[Place]]:
    """Return where formulas hold a 0, by sheet, if no formula of the workbook has another value.

    Programs that compute nothing write such zeros, and leave it to Excel to compute.
    """
    zeros: dict[str, list[Place]] = {}
    for name, part in sheets:
        in_sheet = zeros.setdefault(name, [])
        for cells in sheet_pieces(package, part):
            if b"<f" not in cells and b":f" not in cells:
                continue  # Most sheets have no formula, and this takes no time.
            found = _ZERO.findall(cells)
            without_other_value = len(found) + len(_UNCOMPUTED.findall(cells))
            if len(_WITH_FORMULA.findall(cells)) != without_other_value:
                return {}
            in_sheet += [place_of(*one) for one in found]
    return zeros


@dataclass(frozen=True, slots=True)
class _Styles:
    """What the styles that cells name show; those that show nothing are not among them."""

    formats: dict[bytes, CellFormat | MomentFormat]
    texts: dict[bytes, TextFormat]
    bold: list[bytes]  # as cells write them


def _styles(package: zipfile.ZipFile) -> _Styles:
    part = next(iter(related_in(package, WORKBOOK, "styles").values()), "")
    if part not in package.NameToInfo:
        return _Styles({}, {}, [])
    styles = parse(package.read(part))
    codes = {str(number): code for number, code in BUILT_IN.items()}
    codes |= {
        one.get("numFmtId", ""): one.get("formatCode", "") for one in styles.iter("{*}numFmt")
    }
    first_day = FIRST_DAY_OF_MAC if _has_set(package, "workbookPr", "date1904") else FIRST_DAY
    by_number = {
        number: MomentFormat(code, first_day)
        if in_named_language(code)
        else parse_number_format(code)
        for number, code in codes.items()
    }
    cells = {
        str(style).encode(): cell for style, cell in enumerate(styles.iterfind("{*}cellXfs/{*}xf"))
    }
    formats = {
        style: number_format
        for style, cell in cells.items()
        if (number_format := by_number.get(cell.get("numFmtId", ""))) is not None
    }
    texts = {
        b's="%b"' % style: text_format
        for style, cell in cells.items()
        if (text_format := parse_text_format(codes.get(cell.get("numFmtId", ""), "")))
    }
    fonts = [font.find("{*}b") for font in styles.iterfind("{*}fonts/{*}font")]
    bold_fonts = {
        str(number)
        for number, bold in enumerate(fonts)
        if bold is not None and bold.get("val", "1") not in ("0", "false")
    }
    bold = [b's="%b"' % n for n, cell in cells.items() if cell.get("fontId") in bold_fonts]
    if len(texts) > MAX_STYLES:
        texts = {}
    return _Styles(formats, texts, bold if len(bold) <= MAX_STYLES else [])


def _scan(package: zipfile.ZipFile, part: str, styles: _Styles) -> SheetScan:
    columns: set[bytes] = set()
    first, last, uncomputed = 1 << 32, 0, 0
    errors: list[tuple[bytes, bytes, bytes]] = []
    formats: dict[int, dict[int, CellFormat | MomentFormat]] = {}
    around: dict[int, dict[int, TextFormat]] = {}
    bold: list[tuple[bytes, bytes]] = []
    for cells in sheet_pieces(package, part):
        uncomputed += len(_UNCOMPUTED.findall(cells))
        errors += ERROR.findall(cells)[: MAX_ERRORS - len(errors)]
        for style, column, row in _NUMBER.findall(cells) if styles.formats else ():
            if style in styles.formats:
                in_row = formats.setdefault(int(row) - 1, {})
                in_row[column_number(column) - 1] = styles.formats[style]
        for style, text_format in styles.texts.items():
            for row, column in _texts_in(cells, style):
                around.setdefault(row, {})[column] = text_format
        # Most pieces have none, which this tells in no time.
        if len(bold) < MAX_BOLD and any(style in cells for style in styles.bold):
            bold += re.findall(_TEXT % b"|".join(styles.bold), cells)
        if found := FILLED.findall(cells):
            columns.update(column for column, _ in found)
            rows = [int(row) for _, row in found]
            first, last = min(first, *rows), max(last, *rows)
    numbers = [column_number(column) for column in columns]
    places = (max(numbers) - min(numbers) + 1) * (last - first + 1) if numbers else 0
    return SheetScan(
        places,
        uncomputed,
        _by_place(errors),
        _names(package, part),
        formats,
        _by_row(bold),
        around,
        has_unknown_errors=any(text not in KNOWN_ERRORS for _, _, text in errors),
    )


def _texts_in(cells: bytes, style: bytes) -> list[Place]:
    """Return where texts of a style are; most pieces have none, which is told in no time."""
    return [place_of(*one) for one in re.findall(_TEXT % style, cells)] if style in cells else []


def sheet_pieces(package: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """Yield what a sheet is written in, parted between its cells."""
    with package.open(part) as sheet:
        rest = b""
        while chunk := sheet.read(CHUNK_BYTES):
            cells, rest = _whole_cells(rest + chunk)
            yield cells


def _names(package: zipfile.ZipFile, part: str) -> dict[int, list[range]]:
    """Return where the sheet's tables have their headers; those of formatted cells have none."""
    names: dict[int, list[range]] = {}
    for table in list(related_in(package, part, "table").values())[:MAX_TABLES]:
        if table in package.NameToInfo:
            root = parse(package.read(table))
            area = _AREA.fullmatch(root.get("ref", "").encode())
            if area and root.get("headerRowCount", "1") != "0":
                left, right = (column_number(area[group]) for group in (1, 3))
                names.setdefault(int(area[2]) - 1, []).append(range(left - 1, right))
    return names


def _by_place(errors: Iterable[tuple[bytes, bytes, bytes]]) -> dict[int, dict[int, str]]:
    by_row: dict[int, dict[int, str]] = {}
    for column, row, text in errors:
        by_row.setdefault(int(row) - 1, {})[column_number(column) - 1] = text.decode(
            "utf-8", "replace"
        ).strip()
    return by_row


def _by_row(places: Iterable[tuple[bytes, bytes]]) -> dict[int, list[int]]:
    by_row: dict[int, list[int]] = {}
    for column, row in places:
        by_row.setdefault(int(row) - 1, []).append(column_number(column) - 1)
    return by_row


def _whole_cells(piece: bytes) -> tuple[bytes, bytes]:
    """Part what was read behind its last cell; without an end of one, all is gone through."""
    end = piece.rfind(b"c>", -MAX_CELL_BYTES) + 2
    return (piece[:end], piece[end:]) if end > 1 else (piece, piece[-OVERLAP_BYTES:])


def place_of(column: bytes, row: bytes) -> Place:
    """Return where a cell is, as it is named."""
    return int(row) - 1, column_number(column) - 1


def column_number(letters: bytes) -> int:
    """Return which column, from 1, the letters name."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number
