"""Hand over workbooks of Excel 5 and 95 in a code page that is known to the library: UTF-8.

It mixes up the two bytes that a character of China, Japan or Korea has in others, knows none of the
Macintosh, and takes texts for Western ones where no code page is named.
"""

import io
import struct
from pathlib import Path
from typing import BinaryIO

from indexing.partition.office.ole2_writing import ole2_of
from indexing.partition.sheets.xls_records import (
    FORMAT_CODE,
    LABEL,
    RECORD,
    RICH_LABEL,
    SHEET_NAME,
    is_locked,
    is_old,
    records_of,
    workbook_stream,
)
from indexing.partition.texts.stated_encoding import fitting_codec, wider_codec

_CODE_PAGE, _UTF8 = 0x42, 65001
_PLACE = struct.Struct("<I")
_FORMULA_TEXT = 0x207
# By kind of record, where the length of its text stands, and in how many bytes.
_TEXTS = {
    LABEL: (6, 2),
    RICH_LABEL: (6, 2),
    _FORMULA_TEXT: (0, 2),
    SHEET_NAME: (6, 1),
    FORMAT_CODE: (2, 1),
}
_LENGTH_BYTES_KNOWN = {FORMAT_CODE: 2}  # to the library, which has them from later workbooks
# Of those that have no number of their own, or another one than elsewhere.
_CODECS = {
    367: "ascii",
    0x8000: "mac_roman",
    0x8001: "cp1252",
    10000: "mac_roman",
    10001: "cp932",
    10002: "big5",
    10003: "cp949",
    10006: "mac_greek",
    10007: "mac_cyrillic",
    10008: "gb18030",
    10029: "mac_latin2",
    10079: "mac_iceland",
    10081: "mac_turkish",
}


def open_xls_file(path: Path) -> BinaryIO:
    """Open the file; one of before Excel 97 as a copy in memory, whose texts are in UTF-8.

    One that is locked with a password of Excel's own is a copy as well.
    """
    stream = workbook_stream(path)
    if is_locked(stream):
        # It takes its time to load, for few workbooks.
        from indexing.partition.sheets.own_password import unlocked_records

        return io.BytesIO(ole2_of("Workbook", unlocked_records(path)))
    return io.BytesIO(ole2_of("Book", _in_utf8(stream))) if is_old(stream) else path.open("rb")


def _in_utf8(stream: bytes) -> bytes:
    """Return the records of an old workbook with their texts in UTF-8."""
    codec = _codec(stream)
    copy = bytearray()
    moved: dict[int, int] = {}  # where records begin
    for at, kind, content in records_of(stream):
        moved[at] = len(copy)
        if kind != _CODE_PAGE:
            copy += _recoded(kind, content, codec)
        if not at:  # The beginning has to stay what comes first.
            copy += _record(_CODE_PAGE, _UTF8.to_bytes(2, "little"))
    for at, kind, content in records_of(bytes(copy)):
        if kind == SHEET_NAME and len(content) >= _PLACE.size:
            (begins_at,) = _PLACE.unpack_from(content)
            _PLACE.pack_into(copy, at + RECORD.size, moved.get(begins_at, begins_at))
    return bytes(copy)


def _codec(stream: bytes) -> str:
    """Return in which encoding the texts are: the one that is named, if they fit it."""
    named, texts = "", []
    for _, kind, content in records_of(stream):
        if kind == _CODE_PAGE:
            number = int.from_bytes(content[:2], "little")
            name = _CODECS.get(number, f"cp{number}")
            named = name if wider_codec(name) else ""
        elif kind in _TEXTS:
            texts.append(_text(kind, content))
    return fitting_codec(b"\n".join(texts), named)


def _text(kind: int, content: bytes) -> bytes:
    at, width = _TEXTS[kind]
    length = int.from_bytes(content[at : at + width], "little")
    return content[at + width :][:length]


def _recoded(kind: int, content: bytes, codec: str) -> bytes:
    if kind not in _TEXTS:
        return _record(kind, content)
    at, width = _TEXTS[kind]
    width = _LENGTH_BYTES_KNOWN.get(kind, width)
    text = _text(kind, content).decode(codec, "replace").encode()[: 256**width - 1]
    # Of a text with several fonts the library knows nothing.
    known = LABEL if kind == RICH_LABEL else kind
    return _record(known, content[:at] + len(text).to_bytes(width, "little") + text)


def _record(kind: int, content: bytes) -> bytes:
    return RECORD.pack(kind, len(content)) + content
