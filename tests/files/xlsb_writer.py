"""Write small workbooks in Excel's binary form (xlsb), which no library at hand writes.

Records and their contents: [MS-XLSB], Excel (.xlsb) Binary File Format.
"""

import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

Value = str | float | bool | None
Cell = Value | tuple[Value, int]
"""A value, and the place of its format among those of the workbook, from 1; 0 is General."""

ERRORS = {"#DIV/0!": 0x07, "#N/A": 0x2A}

_MAIN = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_XLSB = "application/vnd.ms-excel"
_TYPES = f"""<Types xmlns="{_MAIN}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="bin" ContentType="{_XLSB}.sheet.binary.macroEnabled.main"/>
<Override PartName="/xl/styles.bin" ContentType="{_XLSB}.styles"/>
<Override PartName="/xl/strings.bin" ContentType="{_XLSB}.sharedStrings"/>{{sheets}}</Types>"""
_SHEET_TYPE = f'<Override PartName="/xl/{{part}}" ContentType="{_XLSB}.worksheet"/>'
_RELATIONS = f'<Relationships xmlns="{_MAIN}/relationships">{{all}}</Relationships>'


def write_xlsb(
    path: Path,
    sheets: Mapping[str, Sequence[Sequence[Cell]]],
    formats: Sequence[str] = (),
    merged: Sequence[tuple[int, int, int, int]] = (),
    *,
    short: bool = False,
) -> None:
    """Write a workbook; `merged` are first and last row and column in each sheet.

    Each cell says its column; if `short`, only the first of a row, with the empty ones between.
    """
    numbers = range(1, len(sheets) + 1)
    strings: list[str] = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        types = "".join(_SHEET_TYPE.format(part=f"worksheets/sheet{n}.bin") for n in numbers)
        package.writestr("[Content_Types].xml", _TYPES.format(sheets=types))
        package.writestr("_rels/.rels", _relations({"rId1": ("officeDocument", "xl/workbook.bin")}))
        parts = {f"rId{n}": ("worksheet", f"worksheets/sheet{n}.bin") for n in numbers}
        parts |= {"rId90": ("styles", "styles.bin"), "rId91": ("sharedStrings", "strings.bin")}
        package.writestr("xl/_rels/workbook.bin.rels", _relations(parts))
        package.writestr("xl/workbook.bin", _workbook(list(sheets)))
        package.writestr("xl/styles.bin", _styles(formats))
        for number, rows in zip(numbers, sheets.values(), strict=True):
            sheet = _sheet(rows, merged, strings, short=short)
            package.writestr(f"xl/worksheets/sheet{number}.bin", sheet)
        package.writestr("xl/strings.bin", _shared(strings))


def record(kind: int, content: bytes = b"") -> bytes:
    """Return a record: its kind and length come in groups of seven bits."""
    return _in_sevens(kind) + _in_sevens(len(content)) + content


def _in_sevens(number: int) -> bytes:
    groups = [number & 0x7F]
    while number := number >> 7:
        groups[-1] |= 0x80
        groups.append(number & 0x7F)
    return bytes(groups)


def _relations(parts: Mapping[str, tuple[str, str]]) -> str:
    return _RELATIONS.format(
        all="".join(
            f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
            for name, (kind, target) in parts.items()
        )
    )


def _text(text: str) -> bytes:
    encoded = text.encode("utf-16-le")
    return struct.pack("<I", len(encoded) // 2) + encoded


def _workbook(names: Sequence[str]) -> bytes:
    sheets = (
        record(156, struct.pack("<II", 0, n) + _text(f"rId{n}") + _text(name))
        for n, name in enumerate(names, start=1)
    )
    return b"".join((record(131), record(143), *sheets, record(144), record(132)))


def _styles(formats: Sequence[str]) -> bytes:
    codes = [record(44, struct.pack("<H", 164 + n) + _text(code)) for n, code in enumerate(formats)]
    styles = [
        record(47, struct.pack("<HH10xH", 0, number, 1))
        for number in (0, *range(164, 164 + len(formats)))
    ]
    begin_formats = record(615, struct.pack("<I", len(codes)))
    begin_styles = record(617, struct.pack("<I", len(styles)))
    of_formats = [begin_formats, *codes, record(616)]
    return b"".join((record(278), *of_formats, begin_styles, *styles, record(618), record(279)))


def _shared(strings: Sequence[str]) -> bytes:
    items = (record(19, b"\0" + _text(text)) for text in strings)
    return b"".join((record(159, struct.pack("<II", *[len(strings)] * 2)), *items, record(160)))


def _sheet(
    rows: Sequence[Sequence[Cell]],
    merged: Sequence[tuple[int, int, int, int]],
    strings: list[str],
    *,
    short: bool,
) -> bytes:
    width = max(map(len, rows), default=0)
    size = struct.pack("<IIII", 0, max(len(rows) - 1, 0), 0, max(width - 1, 0))
    areas = [record(176, struct.pack("<IIII", *area)) for area in merged]
    if areas:
        areas = [record(177, struct.pack("<I", len(areas))), *areas, record(178)]
    cells = (piece for at, row in enumerate(rows) for piece in _row(at, row, strings, short=short))
    begin = (record(129), record(148, size), record(145))
    return b"".join((*begin, *cells, record(146), *areas, record(130)))


def _row(at: int, row: Sequence[Cell], strings: list[str], *, short: bool) -> list[bytes]:
    content = struct.pack("<IIHHBI", at, 0, 300, 0, 0, 0)
    cells = [
        _cell(n, cell, strings, short=short and n > 0)
        for n, cell in enumerate(row)
        if short or cell is not None
    ]
    return [record(0, content), *cells] if cells else []


def _cell(column: int, cell: Cell, strings: list[str], *, short: bool) -> bytes:
    value, style = cell if isinstance(cell, tuple) else (cell, 0)
    kind, content = _value(value, strings)
    if short:
        return record(kind + 11, struct.pack("<I", style) + content)
    return record(kind, struct.pack("<II", column, style) + content)


def _value(value: Value, strings: list[str]) -> tuple[int, bytes]:
    match value:
        case bool():
            return 4, bytes([value])
        case int():
            return 2, struct.pack("<i", value << 2 | 2)
        case str() if value in ERRORS:
            return 3, bytes([ERRORS[value]])
        case str():
            strings.append(value)
            return 7, struct.pack("<I", len(strings) - 1)
        case None:
            return 1, b""
        case _:
            return 5, struct.pack("<d", value)
