"""Look into OLE2 files, the containers of Office before 2007 and of Outlook's mails.

`python -m indexing.partition.office.ole2 FILE` prints in a word what the file holds.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import olefile
from olefile.olefile import OleDirectoryEntry

from indexing.partition.processes.file_check import say
from indexing.partition.sheets.xls_records import is_locked

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

# The stream that makes the file what it is, the likelier first.
MAIN_STREAMS: dict[str, str] = {
    "WordDocument": "doc",
    "PowerPoint Document": "ppt",
    "PP40": "ppt",
    "Workbook": "xls",
    "Book": "xls",
    "__properties_version1.0": "msg",
}

LOCKED, DAMAGED, OTHER = "locked", "damaged", "other"

# What the library lets out when a file is not as it expects.
_ERRORS = (
    *(OSError, struct.error, RecursionError),
    *(LookupError, TypeError, ValueError, ArithmeticError),
)

_KINDS = (olefile.STGTY_STORAGE, olefile.STGTY_STREAM)
_COUNTS = struct.Struct("<44xI16xI4xI4x")  # sectors that list sectors, of three kinds
_HEADER_BYTES = 512
_WORD_ENCRYPTED = 0x0100
_PPT_ENCRYPTED = b"\xdf\xc4\xd1\xf3"
_LOOKED_AT_BYTES = 1 << 16


class Container(olefile.OleFileIO):  # type: ignore[misc]  # Any to mypy
    """An OLE2 file that may hold very many streams, or storages within each other."""

    is_damaged = False  # as far as was looked into it

    def loaddirectory(self, sect: int) -> None:
        """Load what the file holds, from the sector on in which its directory begins.

        The library walks through it by recursion, and fails where many streams stand in one row, or
        storages lie deep. What two places name is taken once.
        """
        self.directory_fp = self._open(sect, force_FAT=True)
        self.direntries = [None] * (self.directory_fp.size // OleDirectoryEntry.DIRENTRY_SIZE)
        self.root = self._load_direntry(0)
        to_fill = [self.root]
        while to_fill:
            storage = to_fill.pop()
            storage.kids = sorted(self._kids_of(storage))
            to_fill += storage.kids

    def _kids_of(self, storage: OleDirectoryEntry) -> Iterator[OleDirectoryEntry]:
        to_load = [storage.sid_child]
        while to_load:
            number = to_load.pop()
            if number >= len(self.direntries):
                self.is_damaged |= number != olefile.NOSTREAM
            elif self.direntries[number] is None:
                kid = self._load_direntry(number)
                self.is_damaged |= kid.entry_type not in _KINDS
                to_load += (kid.sid_left, kid.sid_right)
                yield kid

    def content_of(self, entry: OleDirectoryEntry) -> bytes:
        """Return the content of a stream, as far as it is in the file."""
        try:
            content = bytes(self._open(entry.isectStart, entry.size).read())
        except _ERRORS:
            content = b""
        self.is_damaged |= len(content) < entry.size
        return content

    def _check_duplicate_stream(self, first_sect: int, minifat: bool = False) -> None:
        """Leave out whether two streams begin in one sector, which matters to nobody.

        The library looks that up in a list: with 80,000 streams it takes ten seconds.
        """


@dataclass(frozen=True, slots=True)
class Ole2File:
    """What an OLE2 file holds."""

    format_name: str  # doc, ppt, xls or msg; "" for anything else
    is_locked: bool


def is_ole2(path: Path) -> bool:
    """Tell whether the file begins as one of these does."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def look_into(path: Path) -> Ole2File:
    """Tell what the file holds, and whether a password is needed to read it.

    Raises:
        OSError: it is damaged.
    """
    _check_header(path)
    with Container(path) as container:
        _bound_streams(container, path.stat().st_size)
        if container.exists("EncryptedPackage") or container.exists("EncryptedSummary"):
            return Ole2File("", is_locked=True)
        for stream, name in MAIN_STREAMS.items():
            if container.exists(stream):
                return Ole2File(name, _is_locked(container, stream))
    return Ole2File("", is_locked=False)


def _check_header(path: Path) -> None:
    """Refuse counts that the file has no room for; its lists would be read for ever."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or header[30] not in (9, 12) or header[31]:
        raise OSError("no header of an OLE2 file")
    room = path.stat().st_size // (1 << header[30]) + 1
    if max(_COUNTS.unpack_from(header)) > room:
        raise OSError("the header of the OLE2 file counts more sectors than there are")


def _bound_streams(container: olefile.OleFileIO, file_size: int) -> None:
    """See to it that of each stream only the beginning is read, and refuse what has no room.

    Sectors that follow each other in a ring would be read until memory is full.
    """
    for entry in filter(None, container.direntries):
        if entry.entry_type in (olefile.STGTY_STREAM, olefile.STGTY_ROOT):
            if entry.size > file_size:
                raise OSError("a stream in the OLE2 file is larger than the file")
            if entry.entry_type == olefile.STGTY_STREAM:
                entry.size = min(entry.size, _LOOKED_AT_BYTES)


def _is_locked(container: olefile.OleFileIO, stream: str) -> bool:
    match stream:
        case "WordDocument":
            start = container.openstream(stream).read(12)
            return len(start) == 12 and bool(struct.unpack("<H", start[10:])[0] & _WORD_ENCRYPTED)
        case "PowerPoint Document" if container.exists("Current User"):
            return _PPT_ENCRYPTED in container.openstream("Current User").read(16)
        case "Workbook" | "Book":
            return is_locked(container.openstream(stream).read())
    return False


def check_ole2(path: Path) -> str:
    """Return the format of the file, or why it has none: `LOCKED`, `DAMAGED` or `OTHER`."""
    try:
        found = look_into(path)
    except _ERRORS:
        return DAMAGED
    if found.is_locked:
        # What opens such a file takes its time to load, and the service has this module too.
        from indexing.partition.sheets.own_password import format_within

        return format_within(path) or LOCKED
    return found.format_name or OTHER


if __name__ == "__main__":
    say(check_ole2)
