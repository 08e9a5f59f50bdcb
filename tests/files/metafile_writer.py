"""Write small drawings of Windows, record by record: EMF as [MS-EMF] has it, WMF as [MS-WMF]."""

import io
import struct
from collections.abc import Sequence

from PIL import Image

EM = 10
"""The height of the letters, of which each is half as wide."""


def emf(*records: bytes) -> bytes:
    """Return an EMF with a font of 10 units chosen, and these records."""
    all_records = [emf_font(1, -EM), emf_record(37, struct.pack("<I", 1)), *records]
    body = b"".join([*all_records, emf_record(14, struct.pack("<3I", 0, 16, 20))])
    size, count = 88 + len(body), len(all_records) + 2
    edges = (0, 0, 999, 999)
    header = struct.pack("<8i4s3I2H", *edges, *edges, b" EMF", 0x10000, size, count, 2, 0)
    return emf_record(1, header.ljust(80, b"\0")) + body


def emf_record(kind: int, content: bytes = b"") -> bytes:
    padded = content + b"\0" * (-len(content) % 4)
    return struct.pack("<2I", kind, 8 + len(padded)) + padded


def emf_font(
    handle: int, height: int, escapement: int = 0, charset: int = 0, face: str = "Arial"
) -> bytes:
    """Return the record that makes a font; the escapement is in tenths of degrees."""
    font = struct.pack(
        "<5i8B", height, 0, escapement, escapement, 400, 0, 0, 0, charset, 0, 0, 0, 0
    )
    name = face.encode("utf-16-le").ljust(64, b"\0")
    return emf_record(82, struct.pack("<I", handle) + font + name)


def emf_select(handle: int) -> bytes:
    return emf_record(37, struct.pack("<I", handle))


def emf_text(
    text: str, x: int, y: int, advances: Sequence[int] | None = None, options: int = 0
) -> bytes:
    """Return the record that writes a text, each letter 5 wide where nothing else is said."""
    letters = text.encode("utf-16-le")
    start = 76
    advances_at = start + len(letters) + len(letters) % 4
    told = [EM // 2] * len(text) if advances is None else advances
    head = struct.pack("<4iI2f", 0, 0, -1, -1, 1, 1.0, 1.0)
    described = struct.pack(
        "<2i3I4iI", x, y, len(text), start, options, 0, 0, -1, -1, advances_at if told else 0
    )
    padded = letters + b"\0" * (len(letters) % 4)
    return emf_record(84, head + described + padded + struct.pack(f"<{len(told)}i", *told))


def emf_bitmap(picture: Image.Image, length: int | None = None) -> bytes:
    """Return the record that shows a bitmap (STRETCHDIBITS), or only so many of its bytes."""
    bitmap = dib(picture)[:length]
    size = 40
    places = struct.pack("<10i", *(0, 0, -1, -1), 0, 0, 0, 0, *picture.size)
    offsets = struct.pack("<4I", 80, size, 80 + size, len(bitmap) - size)
    shown = struct.pack("<2I2i", 0, 0xCC0020, *picture.size)
    return emf_record(81, places + offsets + shown + bitmap)


def wmf(*records: bytes, is_placeable: bool = True) -> bytes:
    """Return a WMF with a font of 10 units chosen, and these records."""
    body = b"".join([wmf_font(-EM), wmf_record(0x012D, 0), *records, wmf_record(0)])
    header = struct.pack("<3HIHIH", 1, 9, 0x300, 9 + len(body) // 2, 1, len(body) // 2, 0)
    placeable = struct.pack("<IH4hHIH", 0x9AC6CDD7, 0, 0, 0, 999, 999, 1440, 0, 0)
    return (placeable if is_placeable else b"") + header + body


def wmf_record(kind: int, *numbers: int, content: bytes = b"") -> bytes:
    """Return a record with some numbers of 16 bits, then the content."""
    padded = struct.pack(f"<{len(numbers)}h", *numbers) + content + b"\0" * (len(content) % 2)
    return struct.pack("<IH", 3 + len(padded) // 2, kind) + padded


def wmf_font(height: int, charset: int = 0, face: bytes = b"Arial", escapement: int = 0) -> bytes:
    """Return the record that makes a font; its number is the lowest free one."""
    values = bytes([0, 0, 0, charset, 0, 0, 0, 0])
    return wmf_record(
        0x02FB, height, 0, escapement, escapement, 400, content=values + face.ljust(32, b"\0")
    )


def wmf_text(text: bytes, x: int, y: int) -> bytes:
    """Return the record that writes a text whose width is not told (TEXTOUT)."""
    padded = text + b"\0" * (len(text) % 2)
    return wmf_record(0x0521, len(text), content=padded + struct.pack("<2h", y, x))


def wmf_spaced_text(text: bytes, x: int, y: int, options: int = 0) -> bytes:
    """Return the record that writes a text, each letter 5 wide (EXTTEXTOUT)."""
    rectangle = struct.pack("<4h", 0, 0, 999, 999) if options & 6 else b""
    padded = text + b"\0" * (len(text) % 2)
    advances = struct.pack(f"<{len(text)}h", *[EM // 2] * len(text))
    return wmf_record(0x0A32, y, x, len(text), options, content=rectangle + padded + advances)


def wmf_bitmap(picture: Image.Image) -> bytes:
    """Return the record that shows a bitmap (STRETCHDIB)."""
    width, height = picture.size
    places = (height, width, 0, 0, height, width, 0, 0)
    return wmf_record(0x0F43, 0x20, 0xCC, 0, *places, content=dib(picture))


def dib(picture: Image.Image) -> bytes:
    """Return the picture as Windows holds bitmaps in memory."""
    content = io.BytesIO()
    picture.save(content, "DIB")
    return content.getvalue()
