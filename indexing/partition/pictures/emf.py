"""Play an enhanced metafile (EMF) of Windows: its records are those of [MS-EMF], section 2.3."""

import struct
from collections.abc import Callable, Iterator

from indexing.partition.pictures.device_context import (
    DAMAGED,
    MAX_RECORDS,
    UNCHANGED,
    DeviceContext,
    Font,
    MetafileUnreadable,
)

HEADER, END = 1, 14
SIGNATURE, SIGNATURE_AT = b" EMF", 40

# Options of texts.
GLYPH_INDEX = 0x10
NO_RECTANGLE = 0x100
SMALL_CHARACTERS = 0x200
PAIRS_OF_ADVANCES = 0x2000

IDENTITY, LEFT_MULTIPLY, RIGHT_MULTIPLY = 1, 2, 3  # ways to change the world transform

STOCK_FONTS = {0x8000_0000 + number: Font() for number in (10, 11, 12, 13, 14, 16, 17)}

_HEAD = struct.Struct("<2I")
_POINT = struct.Struct("<2i")
_TEXT = struct.Struct("<2i3I16xI")

Fonts = dict[int, Font]
_Play = Callable[[DeviceContext, Fonts, memoryview], None]


def is_emf(content: bytes) -> bool:
    """Tell whether it begins like an EMF."""
    return content[SIGNATURE_AT : SIGNATURE_AT + 4] == SIGNATURE and content[:4] == b"\1\0\0\0"


def play_emf(content: bytes) -> DeviceContext:
    """Return what the drawing has drawn at its end.

    Raises:
        MetafileUnreadable: it is damaged, or has too much of something.
    """
    context = DeviceContext()
    fonts: Fonts = dict(STOCK_FONTS)
    try:
        for kind, record in _records(memoryview(content)):
            if play := _PLAYED.get(kind):
                play(context, fonts, record)
    except struct.error as error:
        raise MetafileUnreadable(DAMAGED) from error
    return context


def _records(content: memoryview) -> Iterator[tuple[int, memoryview]]:
    at = 0
    for _ in range(MAX_RECORDS):
        kind, size = _HEAD.unpack_from(content, at)
        if size < _HEAD.size or at + size > len(content):
            raise MetafileUnreadable(DAMAGED)
        if kind == END:
            return
        yield kind, content[at : at + size]
        at += size
    raise MetafileUnreadable(f"it has more than {MAX_RECORDS:,} records")


def _sets_point(name: str) -> _Play:
    def play(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
        setattr(context.state, name, _POINT.unpack_from(record, 8))

    return play


def _sets_number(name: str) -> _Play:
    def play(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
        setattr(context.state, name, struct.unpack_from("<I", record, 8)[0])

    return play


def _scales(name: str) -> _Play:
    def play(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
        across, by_x, down, by_y = struct.unpack_from("<4i", record, 8)
        x, y = getattr(context.state, name)
        setattr(context.state, name, (x * across / (by_x or 1), y * down / (by_y or 1)))

    return play


def _save(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    context.save()


def _restore(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    context.restore(*struct.unpack_from("<i", record, 8))


def _set_world(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    context.state.world = struct.unpack_from("<6f", record, 8)


def _change_world(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    *matrix, way = struct.unpack_from("<6fI", record, 8)
    if way in (LEFT_MULTIPLY, RIGHT_MULTIPLY):
        a, b, c, d, e, f = matrix
        context.transform((a, b, c, d, e, f), is_first=way == LEFT_MULTIPLY)
    elif way == IDENTITY:
        context.state.world = UNCHANGED
    else:
        _set_world(context, fonts, record)


def _create_font(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    handle, height, escapement, charset = struct.unpack_from("<Ii4xi11xB", record, 8)
    face = bytes(record[40:104]).decode("utf-16-le", "replace")
    if handle <= 0xFFFF:
        fonts[handle] = Font.asked_for(height, escapement, charset, face)


def _select(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    (handle,) = struct.unpack_from("<I", record, 8)
    context.state.font = fonts.get(handle, context.state.font)


def _delete(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    (handle,) = struct.unpack_from("<I", record, 8)
    fonts.pop(handle, None)


def _writes(bytes_a_letter: int, at: int = 36) -> _Play:
    """Return what writes the text whose description begins there."""

    def play(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
        _write(context, record, at, bytes_a_letter)

    return play


def _writes_several(bytes_a_letter: int) -> _Play:
    def play(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
        (count,) = struct.unpack_from("<I", record, 36)
        for number in range(count):
            _write(context, record, 40 + _TEXT.size * number, bytes_a_letter)

    return play


def _write(context: DeviceContext, record: memoryview, at: int, bytes_a_letter: int) -> None:
    x, y, count, start, options, advances_at = _TEXT.unpack_from(record, at)
    if options & GLYPH_INDEX:
        return
    encoding = "utf-16-le" if bytes_a_letter == 2 else context.state.font.code_page
    text = _string(record, start, count * bytes_a_letter, encoding)
    context.write(text, (x, y), _advances(record, advances_at, count, options))


def _write_small(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
    x, y, count, options = struct.unpack_from("<2i2I", record, 8)
    if options & GLYPH_INDEX:
        return
    start = 36 if options & NO_RECTANGLE else 52
    is_small = bool(options & SMALL_CHARACTERS)
    text = _string(
        record, start, count if is_small else 2 * count, "latin-1" if is_small else "utf-16-le"
    )
    context.write(text, (x, y))


def _string(record: memoryview, start: int, size: int, encoding: str) -> str:
    if start + size > len(record):
        raise MetafileUnreadable(DAMAGED)
    return bytes(record[start : start + size]).decode(encoding, "replace")


def _advances(record: memoryview, start: int, count: int, options: int) -> tuple[int, ...]:
    """Return how far it is from each letter to the next one, () if it is not told."""
    step = 2 if options & PAIRS_OF_ADVANCES else 1
    if not start or start + 4 * step * count > len(record):
        return ()
    return struct.unpack_from(f"<{step * count}i", record, start)[::step]


def _shows(at: int) -> _Play:
    """Return what shows the bitmap whose offsets stand there."""

    def play(context: DeviceContext, fonts: Fonts, record: memoryview) -> None:
        header_at, header_size, pixels_at, pixels_size = struct.unpack_from("<4I", record, at)
        context.show(
            record[header_at : header_at + header_size], record[pixels_at : pixels_at + pixels_size]
        )

    return play


_PLAYED: dict[int, _Play] = {
    9: _sets_point("window_extent"),
    10: _sets_point("window_origin"),
    11: _sets_point("viewport_extent"),
    12: _sets_point("viewport_origin"),
    17: _sets_number("map_mode"),
    22: _sets_number("text_align"),
    27: _sets_point("position"),  # where the pen is moved to
    31: _scales("viewport_extent"),
    32: _scales("window_extent"),
    33: _save,
    34: _restore,
    35: _set_world,
    36: _change_world,
    37: _select,
    40: _delete,
    54: _sets_point("position"),  # where a line is drawn to
    76: _shows(84),  # BITBLT
    77: _shows(84),  # STRETCHBLT
    78: _shows(84),  # MASKBLT
    79: _shows(96),  # PLGBLT
    80: _shows(48),  # SETDIBITSTODEVICE
    81: _shows(48),  # STRETCHDIBITS
    82: _create_font,
    83: _writes(1),
    84: _writes(2),
    96: _writes_several(1),
    97: _writes_several(2),
    108: _write_small,
    114: _shows(84),  # ALPHABLEND
    116: _shows(84),  # TRANSPARENTBLT
}
