"""Write OLE2 files, for the tests of mails and of what Office before 2007 left behind.

Only what a small file needs: streams in the mini stream.
"""

import struct
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

SECTOR, MINI_SECTOR = 512, 64
FREE, END, FAT_SECTOR, NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
STORAGE, STREAM, ROOT = 1, 2, 5


def ole2_file(streams: Mapping[str, bytes]) -> bytes:
    """Return an OLE2 file; slashes in a name part the storages from each other and the stream."""
    parents = {str(one) for name in streams for one in PurePosixPath(name).parents}
    folders = sorted(parents - {"."})
    names = ["", *folders, *streams]
    mini, chain, starts = b"", [], {}
    for name, content in streams.items():
        starts[name] = len(chain)
        count = -(-len(content) // MINI_SECTOR)
        chain += [len(chain) + n for n in range(1, count)] + [END]
        mini += content.ljust(count * MINI_SECTOR, b"\0")
    directory = b""
    for at, name in enumerate(names):
        folder, _, base = name.rpartition("/")
        same = [n for n, one in enumerate(names) if n and one.rpartition("/")[0] == folder]
        inside = [n for n, one in enumerate(names) if n and one.rpartition("/")[0] == name]
        after = [n for n in same if n > at]
        kind = STREAM if name in streams else STORAGE if at else ROOT
        directory += _entry(
            base or "Root Entry",
            kind,
            (after[0] if at and after else NONE, inside[0] if kind != STREAM and inside else NONE),
            starts.get(name, 1 if not at else 0),
            len(streams.get(name, mini if not at else b"")),
        )
    directory += b"\0" * (-len(directory) % SECTOR)
    return _assembled(directory, mini, chain)


def ring_of_sectors(stream: str, size: int) -> bytes:
    """Return an OLE2 file whose stream says it has so many bytes: a sector that follows itself."""
    content = bytearray(ole2_file({stream: b"x"}))
    itself = len(content) // SECTOR - 1
    struct.pack_into("<I", content, SECTOR + 4 * itself, itself)
    entry = content.index(f"{stream}\0".encode("utf-16-le"))
    struct.pack_into("<II", content, entry + 116, itself, size)
    return bytes(content + bytes(SECTOR))


def crowd_of_streams(count: int) -> bytes:
    """Return an OLE2 file with so many empty streams, each 128 bytes long, in a balanced tree."""
    links = [(NONE, NONE)] * (count + 1)

    def root_of(streams: range) -> int:
        if not streams:
            return NONE
        middle = streams[len(streams) // 2]
        before, behind = range(streams.start, middle), range(middle + 1, streams.stop)
        links[middle] = (root_of(before), root_of(behind))
        return middle

    first = root_of(range(1, count + 1))
    return _with_entries(STREAM, [(NONE, NONE, first), *((*one, NONE) for one in links[1:])])


def row_of_streams(count: int) -> bytes:
    """Return the same with the streams in a row, each behind the one before."""
    behind = [(NONE, n + 1 if n < count else NONE, NONE) for n in range(1, count + 1)]
    return _with_entries(STREAM, [(NONE, NONE, 1), *behind])


def storages_within(count: int) -> bytes:
    """Return an OLE2 file with so many storages, each within the one before."""
    within = [(NONE, NONE, n + 1 if n < count else NONE) for n in range(count + 1)]
    return _with_entries(STORAGE, within)


def _with_entries(kind: int, links: Sequence[tuple[int, int, int]]) -> bytes:
    """Return an OLE2 file of entries of one kind, below the first; of each, what it leads to."""
    entries = [_entry("Root Entry", ROOT, (NONE, NONE), END, 0)]
    entries += [_entry("Entry", kind, (NONE, NONE), END, 0)] * (len(links) - 1)
    directory = b"".join(
        entry[:68] + struct.pack("<III", *leads_to) + entry[80:]
        for entry, leads_to in zip(entries, links, strict=True)
    )
    directory = directory.ljust(-(-len(directory) // 4096) * 4096, b"\0")
    sectors = len(directory) // 4096
    tables = -(-sectors // 1023)
    fat = [FAT_SECTOR] * tables + [tables + n for n in range(1, sectors)] + [END]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    header += struct.pack("<HHHHH6x", 0x3E, 4, 0xFFFE, 12, 6)
    header += struct.pack("<IIIII", sectors, tables, tables, 0, 4096)
    header += struct.pack("<IIII", END, 0, END, 0) + struct.pack(f"<{tables}I", *range(tables))
    header = header.ljust(512, b"\xff").ljust(4096, b"\0")
    return header + struct.pack(f"<{len(fat)}I", *fat).ljust(4096 * tables, b"\xff") + directory


def _entry(name: str, kind: int, links: tuple[int, int], start: int, size: int) -> bytes:
    encoded = name.encode("utf-16-le")
    head = encoded.ljust(64, b"\0") + struct.pack("<HBB", len(encoded) + 2, kind, 1)
    tree = struct.pack("<III", NONE, *links)
    return head + tree + b"\0" * 36 + struct.pack("<IQ", start, size)


def _assembled(directory: bytes, mini: bytes, chain: list[int]) -> bytes:
    mini += b"\0" * (-len(mini) % SECTOR)
    mini_fat = struct.pack(f"<{len(chain)}I", *chain)
    mini_fat += b"\xff" * (-len(mini_fat) % SECTOR)
    sizes = [len(part) // SECTOR for part in (mini, directory, mini_fat)]
    fat = [FAT_SECTOR]
    for size in sizes:
        fat += [len(fat) + n for n in range(1, size)] + [END]
    assert len(fat) <= SECTOR // 4, "too large for a single sector of the table"
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(SECTOR, b"\xff")
    first_directory = 1 + sizes[0]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIII", 0, 1, first_directory, 0, 4096)
    header += struct.pack("<IIIII", first_directory + sizes[1], sizes[2], END, 0, 0)
    return header.ljust(SECTOR, b"\xff") + table + mini + directory + mini_fat
