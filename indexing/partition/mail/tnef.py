"""Take apart what Outlook packs its mails into for its own kind (winmail.dat, [MS-OXTNEF])."""

import contextlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from indexing.partition.mail.outlook_strings import code_page_name
from indexing.partition.texts.stated_encoding import decode_stated

SIGNATURE = b"\x78\x9f\x3e\x22"

BODY, FILE_NAME, FILE = 0x1000, 0x3707, 0x3701
"""Keys of properties that are attributes too, as in mails of before there were properties."""

_BODY, _FILE_NAME, _FILE = 0x800C, 0x8010, 0x800F
_OLD_ATTRIBUTES = {_BODY: BODY, _FILE_NAME: FILE_NAME, _FILE: FILE}
_PROPERTIES, _FILE_PROPERTIES, _NEXT_FILE, _CODE_PAGE = 0x9003, 0x9005, 0x9002, 0x9007
_OF_FILES = (_FILE_NAME, _FILE, _FILE_PROPERTIES)

_FIRST_ATTRIBUTE = 6  # behind the signature and a key
_ATTRIBUTE = struct.Struct("<xH2xI")  # its number, and how many bytes it has
_CHECKSUM_BYTES = 2
_NUMBER = struct.Struct("<I")
_PROPERTY = struct.Struct("<HH")  # type and key

_STRING8, _UNICODE, _OBJECT, _BINARY = 0x001E, 0x001F, 0x000D, 0x0102
_OF_ANY_SIZE = (_STRING8, _UNICODE, _OBJECT, _BINARY)
_SIZES = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 0xA: 4, 0xB: 4, 0x14: 8, 0x40: 8, 0x48: 16}
_SEVERAL = 0x1000
_FIRST_NAMED = 0x8000
_SET_BYTES = 16  # of the set that a name is from, and of the kind of an object


class Value(NamedTuple):
    """A property as it is kept."""

    kind: int = 0
    content: bytes = b""


@dataclass(slots=True)
class Packed:
    """The properties, by their keys, of a mail or of what is attached to it."""

    properties: dict[int, Value] = field(default_factory=dict)
    code_page: str = ""

    def text(self, key: int) -> str:
        """Return a property that is text, "" if it is none."""
        value = self.properties.get(key, Value())
        if value.kind == _UNICODE:
            return value.content.decode("utf-16-le", "replace").rstrip("\0")
        is_text = value.kind == _STRING8
        return decode_stated(value.content.rstrip(b"\0"), self.code_page) if is_text else ""

    def bytes_of(self, key: int) -> bytes:
        """Return a property that is no text, b"" if it is text."""
        value = self.properties.get(key, Value())
        return b"" if value.kind in (_STRING8, _UNICODE) else value.content

    def number(self, key: int) -> int:
        """Return a property that is a number, 0 if it is none."""
        content = self.bytes_of(key)
        return int.from_bytes(content, "little") if len(content) <= 8 else 0

    def mail_within(self) -> bytes:
        """Return what is attached if it is a mail, packed as well; else b""."""
        value = self.properties.get(FILE, Value())
        packed = value.content[_SET_BYTES:] if value.kind == _OBJECT else b""
        return packed if packed.startswith(SIGNATURE) else b""


class PackedMail(NamedTuple):
    """A packed mail, and what is attached to it."""

    mail: Packed
    files: list[Packed]


def read_tnef(content: bytes) -> PackedMail:
    """Return what is packed; of what is cut off, what is before."""
    attributes = list(_attributes(content))
    stated = next((value[: _NUMBER.size] for one, value in attributes if one == _CODE_PAGE), b"")
    code_page = code_page_name(int.from_bytes(stated, "little"))
    read = PackedMail(Packed(code_page=code_page), [])
    for attribute, value in attributes:
        if attribute == _NEXT_FILE:
            read.files.append(Packed(code_page=code_page))
        elif attribute not in _OF_FILES:
            _add(read.mail, attribute, value)
        elif read.files:
            _add(read.files[-1], attribute, value)
    return read


def _attributes(content: bytes) -> Iterator[tuple[int, bytes]]:
    at = _FIRST_ATTRIBUTE
    while at + _ATTRIBUTE.size <= len(content):
        attribute, size = _ATTRIBUTE.unpack_from(content, at)
        at += _ATTRIBUTE.size
        yield attribute, content[at : at + size]
        at += size + _CHECKSUM_BYTES


def _add(packed: Packed, attribute: int, value: bytes) -> None:
    if attribute in (_PROPERTIES, _FILE_PROPERTIES):
        packed.properties |= _properties(value)
    elif key := _OLD_ATTRIBUTES.get(attribute):
        # Of a name there are only as many letters as DOS had.
        packed.properties.setdefault(key, Value(_BINARY if key == FILE else _STRING8, value))


def _properties(content: bytes) -> dict[int, Value]:
    """Return the properties by their keys, up to where they are cut off."""
    rest = _Rest(content)
    found: dict[int, Value] = {}
    with contextlib.suppress(ValueError):
        for _ in range(rest.number()):
            kind, key = _PROPERTY.unpack(rest.take(_PROPERTY.size))
            if key >= _FIRST_NAMED:
                rest.skip_name()
            found[key] = Value(kind, rest.value(kind))
    return found


@dataclass(slots=True)
class _Rest:
    """What is still to be read of some bytes, which are in groups of four."""

    content: bytes
    at: int = 0

    def take(self, size: int) -> bytes:
        """Return the next bytes.

        Raises:
            ValueError: there are not as many.
        """
        piece = self.content[self.at : self.at + size]
        if len(piece) < size:
            raise ValueError("the property is cut off")
        self.at += size + -size % 4
        return piece

    def number(self) -> int:
        return int(_NUMBER.unpack(self.take(_NUMBER.size))[0])

    def skip_name(self) -> None:
        self.take(_SET_BYTES)
        is_text = self.number()
        self.take(self.number() if is_text else _NUMBER.size)

    def value(self, kind: int) -> bytes:
        """Return what a property of the type holds, of several values the last.

        Raises:
            ValueError: it is cut off, or nobody knows how long it is.
        """
        one_kind = kind & ~_SEVERAL
        has_size = one_kind in _OF_ANY_SIZE
        if not has_size and one_kind not in _SIZES:
            raise ValueError("the type of the property is unknown")
        value = b""
        for _ in range(self.number() if has_size or kind & _SEVERAL else 1):
            value = self.take(self.number() if has_size else _SIZES[one_kind])
        return value
