"""Write mails as Outlook packs them for its own kind ([MS-OXTNEF])."""

import struct

CODE_PAGE, NEXT_FILE, FILE_PROPERTIES, PROPERTIES = 0x9007, 0x9002, 0x9005, 0x9003
FILE_NAME, FILE, OLD_BODY = 0x8010, 0x800F, 0x800C


def tnef(*attributes: tuple[int, bytes]) -> bytes:
    """Return a packed mail of such attributes."""
    packed = struct.pack("<IH", 0x223E9F78, 1)
    for number, content in attributes:
        packed += struct.pack("<BHHI", 1, number, 6, len(content)) + content
        packed += struct.pack("<H", sum(content) % 0x10000)
    return packed


def properties(values: dict[int, str | bytes | int]) -> bytes:
    """Return properties of a mail or of a file: texts, bytes, and numbers."""
    return struct.pack("<I", len(values)) + b"".join(
        property_of(key, value) for key, value in values.items()
    )


def property_of(key: int, value: str | bytes | int, name: bytes = b"") -> bytes:
    """Return one property."""
    if isinstance(value, int):
        return struct.pack("<HH", 3, key) + name + struct.pack("<I", value)
    if isinstance(value, str):
        return struct.pack("<HH", 0x1F, key) + name + sized(f"{value}\0".encode("utf-16-le"))
    return struct.pack("<HH", 0x102, key) + name + sized(value)


def sized(value: bytes) -> bytes:
    """Return a single value, with how many there are, how long it is, and what fills it up."""
    return struct.pack("<II", 1, len(value)) + value + bytes(-len(value) % 4)


def mail_within(packed: bytes) -> bytes:
    """Return the property of an attachment that is a packed mail."""
    return struct.pack("<IHH", 1, 0xD, 0x3701) + sized(bytes(16) + packed)
