"""Play a metafile of 16-bit Windows (WMF): its records are those of [MS-WMF], section 2.3.

Numbers of a record come in the order opposite to that of the call: y before x.
"""

import heapq
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from indexing.partition.pictures.device_context import (
    DAMAGED,
    MAX_RECORDS,
    DeviceContext,
    Font,
    MetafileUnreadable,
)

PLACEABLE, PLACEABLE_SIZE = b"\xd7\xcd\xc6\x9a", 22
STARTS = tuple(
    struct.pack("<3H", kind, 9, version) for kind in (1, 2) for version in (0x100, 0x300)
)
HEADER_SIZE = 18
END = 0

# Options of texts.
OPAQUE, CLIPPED = 2, 4
GLYPH_INDEX = 0x10

MAX_OBJECTS = 1 << 16

_HEAD = struct.Struct("<IH")
_POINT = struct.Struct("<2h")


@dataclass(slots=True)
class Objects:
    """The pens, brushes and fonts of a drawing by their number: a new one has the lowest free."""

    _known: dict[int, Font | None] = field(default_factory=dict)
    _free: list[int] = field(default_factory=list)

    def add(self, font: Font | None) -> None:
        """Add a font, or None for something else."""
        number = heapq.heappop(self._free) if self._free else len(self._known)
        if number < MAX_OBJECTS:
            self._known[number] = font

    def delete(self, number: int) -> None:
        """Free the number."""
        if number in self._known:
            del self._known[number]
            heapq.heappush(self._free, number)

    def font(self, number: int) -> Font | None:
        """Return the font of this number."""
        return self._known.get(number)


_Play = Callable[[DeviceContext, Objects, memoryview], None]


def is_wmf(content: bytes) -> bool:
    """Tell whether it begins like a WMF."""
    return content.startswith((PLACEABLE, *STARTS))


def play_wmf(content: bytes) -> DeviceContext:
    """Return what the drawing has drawn at its end.

    Raises:
        MetafileUnreadable: it is damaged, or has too much of something.
    """
    context = DeviceContext()
    objects = Objects()
    try:
        for kind, record in _records(memoryview(content)):
            if play := _PLAYED.get(kind):
                play(context, objects, record)
    except struct.error as error:
        raise MetafileUnreadable(DAMAGED) from error
    return context


def _records(content: memoryview) -> Iterator[tuple[int, memoryview]]:
    at = HEADER_SIZE + (PLACEABLE_SIZE if content[:4] == PLACEABLE else 0)
    for _ in range(MAX_RECORDS):
        words, kind = _HEAD.unpack_from(content, at)
        end = at + 2 * words
        if kind == END:
            return
        if 2 * words < _HEAD.size or end > len(content):
            raise MetafileUnreadable(DAMAGED)
        yield kind, content[at + _HEAD.size : end]
        at = end
    raise MetafileUnreadable(f"it has more than {MAX_RECORDS:,} records")


def _sets_point(name: str) -> _Play:
    def play(context: DeviceContext, objects: Objects, record: memoryview) -> None:
        y, x = _POINT.unpack_from(record)
        setattr(context.state, name, (x, y))

    return play


def _moves(name: str) -> _Play:
    def play(context: DeviceContext, objects: Objects, record: memoryview) -> None:
        down, across = _POINT.unpack_from(record)
        x, y = getattr(context.state, name)
        setattr(context.state, name, (x + across, y + down))

    return play


def _scales(name: str) -> _Play:
    def play(context: DeviceContext, objects: Objects, record: memoryview) -> None:
        by_y, down, by_x, across = struct.unpack_from("<4h", record)
        x, y = getattr(context.state, name)
        setattr(context.state, name, (x * across / (by_x or 1), y * down / (by_y or 1)))

    return play


def _sets_number(name: str) -> _Play:
    def play(context: DeviceContext, objects: Objects, record: memoryview) -> None:
        setattr(context.state, name, struct.unpack_from("<H", record)[0])

    return play


def _save(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    context.save()


def _restore(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    context.restore(*struct.unpack_from("<h", record))


def _create(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    objects.add(None)


def _create_font(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    height, escapement, charset = struct.unpack_from("<h2xh7xB", record)
    face = bytes(record[18:50]).decode("latin-1")
    objects.add(Font.asked_for(height, escapement, charset, face))


def _select(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    context.state.font = objects.font(*struct.unpack_from("<H", record)) or context.state.font


def _delete(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    objects.delete(*struct.unpack_from("<H", record))


def _write(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    (count,) = struct.unpack_from("<H", record)
    y, x = _POINT.unpack_from(record, 2 + count + count % 2)
    context.write(_string(context, record, 2, count), (x, y))


def _write_spaced(context: DeviceContext, objects: Objects, record: memoryview) -> None:
    y, x, count, options = struct.unpack_from("<2h2H", record)
    if options & GLYPH_INDEX:
        return
    start = 16 if options & (OPAQUE | CLIPPED) else 8
    text = _string(context, record, start, count)
    advances = record[start + count + count % 2 :]
    if len(advances) < 2 * count:
        context.write(text, (x, y))
    else:
        context.write(text, (x, y), struct.unpack_from(f"<{count}h", advances))


def _string(context: DeviceContext, record: memoryview, start: int, size: int) -> str:
    if start + size > len(record):
        raise MetafileUnreadable(DAMAGED)
    code_page = context.state.font.code_page
    return bytes(record[start : start + size]).decode(code_page, "replace")


def _shows(at: int) -> _Play:
    """Return what shows the bitmap that begins there."""

    def play(context: DeviceContext, objects: Objects, record: memoryview) -> None:
        context.show(record[at:])

    return play


_PLAYED: dict[int, _Play] = {
    0x001E: _save,
    0x0127: _restore,
    0x0103: _sets_number("map_mode"),
    0x012E: _sets_number("text_align"),
    0x020B: _sets_point("window_origin"),
    0x020C: _sets_point("window_extent"),
    0x020D: _sets_point("viewport_origin"),
    0x020E: _sets_point("viewport_extent"),
    0x020F: _moves("window_origin"),
    0x0211: _moves("viewport_origin"),
    0x0410: _scales("window_extent"),
    0x0412: _scales("viewport_extent"),
    0x0213: _sets_point("position"),  # where a line is drawn to
    0x0214: _sets_point("position"),  # where the pen is moved to
    0x012D: _select,
    0x01F0: _delete,
    0x02FB: _create_font,
    0x00F7: _create,  # a palette
    0x0142: _create,  # a brush of a bitmap
    0x01F9: _create,  # a brush of a pattern
    0x02FA: _create,  # a pen
    0x02FC: _create,  # a brush
    0x06FF: _create,  # a region
    0x0521: _write,
    0x0A32: _write_spaced,
    0x0940: _shows(16),  # DIBBITBLT
    0x0B41: _shows(20),  # DIBSTRETCHBLT
    0x0D33: _shows(18),  # SETDIBTODEV
    0x0F43: _shows(22),  # STRETCHDIB
}
