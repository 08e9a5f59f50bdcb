"""Packages (docx, xlsx, odt and the like) that want to do harm."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent
MEGABYTE = 1 << 20

BILLION_LAUGHS = "".join(
    [
        '<!DOCTYPE bomb [<!ENTITY e0 "ha">',
        *(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10)),
        "]>",
    ]
)
"""A thousand million words, to be written with `&e9;`."""

OUTSIDE = '<!DOCTYPE spy [<!ENTITY spy SYSTEM "file:///etc/passwd">]>'
"""Makes `&spy;` stand for a file of the server."""


def member(name: str, of: str) -> bytes:
    """Return a member of one of our packages."""
    with zipfile.ZipFile(FOLDER / name) as package:
        return package.read(of)


def with_members(name: str, changes: Mapping[str, bytes]) -> bytes:
    """Return one of our packages with some of its members exchanged or added."""
    package = io.BytesIO()
    with (
        zipfile.ZipFile(FOLDER / name) as old,
        zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        members = {one: old.read(one) for one in old.namelist()}
        for one, content in (members | dict(changes)).items():
            new.writestr(one, content)
    return package.getvalue()


def with_entity(name: str, part: str, declaration: str, reference: str, text: str) -> bytes:
    """Return one of our packages in which an entity stands in front of a text."""
    _, _, body = member(name, part).decode().rpartition("?>")
    assert text in body, (name, part)
    body = body.replace(text, f"{reference} {text}", 1)
    changed = f'<?xml version="1.0" encoding="UTF-8"?>{declaration}{body}'
    return with_members(name, {part: changed.encode()})


def nested(name: str, part: str, start: str, tag: str) -> bytes:
    """Return one of our packages with tags nested 100,000 deep behind a tag."""
    xml = member(name, part).decode()
    assert start in xml, (name, part)
    deep = f"<{tag}>" * 100_000 + f"</{tag.split()[0]}>" * 100_000
    return with_members(name, {part: xml.replace(start, start + deep, 1).encode()})


def inflating(name: str, part: str, *, gigabytes: int, stated: int | None = None) -> bytes:
    """Return one of our packages with a member that inflates to gigabytes of spaces.

    Its size is stated as it is, or as `stated`.
    """
    block = b" " * MEGABYTE
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    # Each block is packed for itself, so that the same bytes do for every one of them.
    packed = first * (gigabytes * 1024) + packer.flush()
    size = gigabytes << 30 if stated is None else stated
    return _with_raw_member(name, part, packed, size)


def with_many_members(count: int) -> bytes:
    """Return a package of so many empty members."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as writer:
        for number in range(count):
            writer.writestr(zipfile.ZipInfo(f"{number:x}"), b"")
    return package.getvalue()


def overlapping(count: int) -> bytes:
    """Return a package whose members are all the same few packed bytes, a megabyte each."""
    content = zlib.compress(b" " * MEGABYTE, 9)[2:-4]
    crc = zlib.crc32(b" " * MEGABYTE)
    local = _local_header("a", crc, len(content), MEGABYTE) + content
    central = b"".join(
        _central_header(f"{number:x}", crc, len(content), MEGABYTE, 0) for number in range(count)
    )
    return local + central + _end(count, len(central), len(local))


def _with_raw_member(name: str, part: str, packed: bytes, size: int) -> bytes:
    package = io.BytesIO()
    with zipfile.ZipFile(FOLDER / name) as old, zipfile.ZipFile(package, "w") as new:
        for one in old.namelist():
            if one != part:
                new.writestr(one, old.read(one))
    content = package.getvalue()
    at = content.rindex(b"PK\5\6")
    count, length, start = struct.unpack_from("<HII", content, at + 10)
    central = content[start : start + length]
    local = _local_header(part, 0, len(packed), size) + packed
    central += _central_header(part, 0, len(packed), size, start)
    return content[:start] + local + central + _end(count + 1, len(central), start + len(local))


def _local_header(name: str, crc: int, packed: int, size: int) -> bytes:
    sizes = struct.pack("<III", crc, packed, min(size, 0xFFFFFFFE))
    return b"PK\3\4" + struct.pack("<HHHHH", 20, 0, 8, 0, 33) + sizes + _name(name)


def _central_header(name: str, crc: int, packed: int, size: int, start: int) -> bytes:
    sizes = struct.pack("<III", crc, packed, min(size, 0xFFFFFFFE))
    head = b"PK\1\2" + struct.pack("<HHHHHH", 20, 20, 0, 8, 0, 33) + sizes
    return head + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, start) + name.encode()


def _name(name: str) -> bytes:
    return struct.pack("<HH", len(name), 0) + name.encode()


def _end(count: int, length: int, start: int) -> bytes:
    return b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, length, start, 0)
