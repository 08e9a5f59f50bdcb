"""Write OLE2 files, for libraries that read no stream without one.

[MS-CFB], Compound File Binary File Format.
"""

import struct

from indexing.partition.office.ole2 import MAGIC

_SECTOR_BYTES = 4096
_END, _TABLE, _NONE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF  # in place of the sector that follows
_STREAM, _ROOT = 2, 5
_NUMBER_BYTES = 4
_TABLES_NAMED = 109  # by the header


def ole2_of(name: str, stream: bytes) -> bytes:
    """Return an OLE2 file that holds nothing but this stream."""
    sectors = max(1, -(-len(stream) // _SECTOR_BYTES))
    tables = -(-(sectors + 1) // (_SECTOR_BYTES // _NUMBER_BYTES - 1))
    first = tables + 1  # behind the tables and the directory
    chain = [_TABLE] * tables + [_END] + [*range(first + 1, first + sectors), _END]
    header = MAGIC + bytes(16) + struct.pack("<5H6x", 0x3E, 4, 0xFFFE, 12, 6)
    header += struct.pack("<9I", 1, tables, tables, 0, _SECTOR_BYTES, _END, 0, _END, 0)
    header += struct.pack(f"<{tables}I", *range(tables)).ljust(
        _NUMBER_BYTES * _TABLES_NAMED, b"\xff"
    )
    # The library wants small streams to begin somewhere, though there are none.
    directory = _entry("Root Entry", _ROOT, 1, (tables, 0))
    directory += _entry(name, _STREAM, _NONE, (first, sectors * _SECTOR_BYTES))
    parts = (
        (header, 1, b"\0"),
        (struct.pack(f"<{len(chain)}I", *chain), tables, b"\xff"),
        (directory, 1, b"\0"),
        (stream, sectors, b"\0"),
    )
    return b"".join(part.ljust(count * _SECTOR_BYTES, fill) for part, count, fill in parts)


def _entry(name: str, kind: int, within: int, place: tuple[int, int]) -> bytes:
    written = f"{name}\0".encode("utf-16-le")
    head = written.ljust(64, b"\0") + struct.pack("<HBB", len(written), kind, 1)
    return head + struct.pack("<3I", _NONE, _NONE, within) + bytes(36) + struct.pack("<IQ", *place)
