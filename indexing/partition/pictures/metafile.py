"""Read the drawings of Windows (EMF, WMF, also gzipped) that old office documents are full of.

Nothing is drawn: the texts of its records are put into reading order by their places, as the lines
recognised in a picture are. The largest bitmap is there to be looked at.
"""

import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from indexing.ocr import Line
from indexing.partition.pictures.device_context import (
    ASCENT,
    DAMAGED,
    DeviceContext,
    MetafileUnreadable,
    Run,
)
from indexing.partition.pictures.emf import is_emf, play_emf
from indexing.partition.pictures.wmf import is_wmf, play_wmf
from indexing.partition.text import clean_line
from indexing.types import Block
from indexing.visual_layer import arrange

GZIP = b"\x1f\x8b"
MAX_UNPACKED = 100 << 20

ANGLE_STEP = 5
"""Degrees; texts whose angles are nearer to each other have their lines in common."""

LINE_HEIGHT = 20.0
"""The usual height of a line as it is handed on: about that in a picture."""

MAX_DISTANCE = 1_000 * LINE_HEIGHT
"""From the middle of all; what lies further off is not on any sheet."""

# Shares of the height of a line.
SAME_LINE = 0.5
TOUCHING = 0.2
OVERLAPPING = -0.5
SAME_PLACE = 0.15

MAX_GUESSED = 2
"""Letters of which it may be guessed where they end."""


@dataclass(frozen=True, slots=True)
class Metafile:
    """What can be read in a drawing."""

    blocks: tuple[Block, ...]  # of the text that is in it
    bitmap: bytes  # the largest in it, as Pillow reads it; b"" for none


def is_metafile(content: bytes) -> bool:
    """Tell whether the file begins like a drawing of Windows."""
    return content.startswith(GZIP) or is_emf(content) or is_wmf(content)


def read_metafile(content: bytes) -> Metafile:
    """Read the texts of the drawing in reading order, those that are turned behind the others.

    Left out are texts in symbol fonts, and those that name no letters but the glyphs of a font.

    Raises:
        MetafileUnreadable: it is damaged, or has too much of something.
    """
    drawn = _drawn(_unpacked(content) if content.startswith(GZIP) else content)
    return Metafile(tuple(_blocks(drawn.runs)), drawn.bitmap)


def _unpacked(content: bytes) -> bytes:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(content, MAX_UNPACKED)
    except zlib.error as error:
        raise MetafileUnreadable(DAMAGED) from error
    if not unpacker.eof:
        is_large = len(unpacked) == MAX_UNPACKED
        raise MetafileUnreadable(
            f"it unpacks to more than {MAX_UNPACKED >> 20} MB" if is_large else DAMAGED
        )
    return unpacked


def _drawn(content: bytes) -> DeviceContext:
    if is_emf(content):
        return play_emf(content)
    if is_wmf(content):
        return play_wmf(content)
    raise MetafileUnreadable(DAMAGED)


def _blocks(runs: Sequence[Run]) -> Iterator[Block]:
    by_angle: dict[int, list[Run]] = {}
    for run in runs:
        by_angle.setdefault(round(run.angle / ANGLE_STEP) * ANGLE_STEP % 360, []).append(run)
    for angle in sorted(by_angle, key=lambda angle: min(angle, 360 - angle)):
        for placed in arrange(list(_lines(by_angle[angle], angle))):
            yield placed.block


def _lines(runs: Sequence[Run], angle: int) -> Iterator[Line]:
    """Yield the texts with their places on a sheet on which they lie level; what touches is one."""
    scale = LINE_HEIGHT / median(run.height for run in runs)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    places = [(run.x * cos - run.y * sin, run.x * sin + run.y * cos) for run in runs]
    middles = [median(axis) for axis in zip(*places, strict=True)]
    pieces: list[_Piece] = []
    for run, place in zip(runs, places, strict=True):
        left, base = (scale * (at - middle) for at, middle in zip(place, middles, strict=True))
        height = scale * run.height
        ends = left, base - ASCENT * height, left + scale * run.width, base + (1 - ASCENT) * height
        if all(abs(end) < MAX_DISTANCE for end in ends):
            is_certain = run.is_measured or len(run.text) <= MAX_GUESSED
            pieces.append(_Piece(Line(run.text, *ends), is_certain))
    for row in _rows(pieces):
        yield from _joined(row)


@dataclass(frozen=True, slots=True)
class _Piece:
    line: Line
    is_certain: bool  # where it ends


def _rows(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    rows: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.line.middle):
        if rows:
            first = rows[-1][0].line
            height = min(first.height, piece.line.height)
            if piece.line.middle - first.middle < SAME_LINE * height:
                rows[-1].append(piece)
                continue
        rows.append([piece])
    return rows


def _joined(row: Sequence[_Piece]) -> Iterator[Line]:
    """Yield the lines of a row; a text that was drawn twice, for a shadow, is there once."""
    pieces = sorted(row, key=lambda piece: piece.line.left)
    last = pieces[0]
    whole = last.line
    for piece in pieces[1:]:
        line = piece.line
        height = min(whole.height, line.height)
        if line.text == last.line.text and line.left - last.line.left < SAME_PLACE * height:
            continue
        gap = line.left - whole.right
        if last.is_certain and OVERLAPPING * height < gap < TOUCHING * height:
            right = max(whole.right, line.right)
            whole = replace(whole, text=whole.text + line.text, right=right)
        else:
            yield replace(whole, text=clean_line(whole.text))
            whole = line
        last = piece
    yield replace(whole, text=clean_line(whole.text))
