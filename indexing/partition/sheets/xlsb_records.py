"""Go through the records of which the parts of a binary workbook (xlsb) consist.

[MS-XLSB], Excel (.xlsb) Binary File Format, 2.1.4.
"""

from collections.abc import Iterator
from typing import IO

CHUNK_BYTES = 1 << 20

MAX_RECORD_BYTES = 1 << 20
"""A text of a cell, which is the longest that is asked for, has 64 kB; a longer record is empty."""

_MOST_KIND_BYTES, _MOST_LENGTH_BYTES = 2, 4


def records(part: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the content of each record."""
    rest = b""
    while chunk := part.read(CHUNK_BYTES):
        data = rest + chunk
        at = 0
        while (head := _head(data, at)) is not None:
            kind, begin, end = head
            if end > len(data) and end - begin <= MAX_RECORD_BYTES:
                break  # Its end is still to be read.
            yield kind, data[begin:end] if end - begin <= MAX_RECORD_BYTES else b""
            if end > len(data):
                _skip(part, end - len(data))
            at = min(end, len(data))
        rest = data[at:]


def text_at(content: bytes, at: int) -> str:
    """Return a text, which stands behind the number of its characters."""
    length = int.from_bytes(content[at : at + 4], "little")
    return content[at + 4 : at + 4 + 2 * min(length, len(content))].decode("utf-16-le", "replace")


def number_at(content: bytes, at: int, size: int = 4) -> int:
    """Return a whole number of so many bytes."""
    return int.from_bytes(content[at : at + size], "little")


def _head(data: bytes, at: int) -> tuple[int, int, int] | None:
    """Return the kind of a record, where its content begins and where it ends."""
    kind, at = _sevens(data, at, _MOST_KIND_BYTES)
    length, at = _sevens(data, at, _MOST_LENGTH_BYTES) if at else (0, 0)
    return (kind, at, at + length) if at else None


def _sevens(data: bytes, at: int, most: int) -> tuple[int, int]:
    """Return a number in groups of seven bits, and where it ends: 0 if it is cut."""
    number = 0
    for place in range(most):
        if at + place >= len(data):
            return 0, 0
        byte = data[at + place]
        number |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return number, at + place + 1
    return number, at + most


def _skip(part: IO[bytes], count: int) -> None:
    while count > 0 and (skipped := len(part.read(min(count, CHUNK_BYTES)))):
        count -= skipped
