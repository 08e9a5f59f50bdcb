"""Make up the TrueType font that stands in for one of China, Japan or Korea.

All letters look alike in it: a speck at two corners of a square, so that each has a size and none
is seen. The tables of such a font: ISO/IEC 14496-22, Open Font Format.
"""

import struct
from itertools import accumulate

SQUARE = 1000  # units that a letter is wide and high
LOWEST, HIGHEST = -120, SQUARE - 120  # below and above the line that letters stand on

_LETTERS = 0x20, 0x10FFFF  # from the first to the last one
_POINTS = (
    *((0, LOWEST), (1, LOWEST), (0, LOWEST + 1)),
    *((SQUARE, HIGHEST), (SQUARE - 1, HIGHEST), (SQUARE, HIGHEST - 1)),
)
_ON_CURVE = 1
_MAGIC = 0x5F0F3CF5
_VERSION = 0x10000
_MANY_TO_ONE = 13  # the format of a table by which many letters have the same shape


def stand_in_font() -> bytes:
    """Return the font."""
    shape = _shape()
    bounds = 0, LOWEST, SQUARE, HIGHEST
    size = struct.pack(">hhh", HIGHEST, LOWEST, 0)
    tables = {
        b"cmap": _letters(),
        b"glyf": shape,
        b"head": struct.pack(
            *(">LLLLHHQQ4hHHhhh", _VERSION, _VERSION, 0, _MAGIC, 0, SQUARE, 0, 0),
            *(*bounds, 0, 8, 2, 1, 0),
        ),
        b"hhea": struct.pack(">L", _VERSION) + size + struct.pack(">H12hH", SQUARE, *bytes(12), 1),
        b"hmtx": struct.pack(">Hhh", SQUARE, 0, 0),
        b"loca": struct.pack(">3L", 0, 0, len(shape)),
        b"maxp": struct.pack(">L14H", _VERSION, 2, len(_POINTS), 2, *bytes(11)),
    }
    padded = [table + bytes(-len(table) % 4) for table in tables.values()]
    starts = accumulate(map(len, padded), initial=12 + 16 * len(tables))
    listed = (
        name + struct.pack(">LLL", 0, start, len(table))
        for (name, table), start in zip(tables.items(), starts, strict=False)
    )
    head = struct.pack(">LHHHH", _VERSION, len(tables), 64, 2, 16 * len(tables) - 64)
    return head + b"".join(listed) + b"".join(padded)


def _letters() -> bytes:
    groups = struct.pack(">LLL", *_LETTERS, 1)
    table = struct.pack(">HHLLL", _MANY_TO_ONE, 0, 16 + len(groups), 0, 1) + groups
    return struct.pack(">HHHHL", 0, 1, 3, 10, 12) + table


def _shape() -> bytes:
    head = struct.pack(">h4h", 2, 0, LOWEST, SQUARE, HIGHEST)
    ends = struct.pack(">HHH", 2, 5, 0)  # of the contours, and no instructions
    steps = [
        [one - before for before, one in zip((0, *places), places, strict=False)]
        for places in zip(*_POINTS, strict=True)
    ]
    points = bytes([_ON_CURVE] * len(_POINTS)) + struct.pack(">12h", *steps[0], *steps[1])
    shape = head + ends + points
    return shape + bytes(-len(shape) % 4)
