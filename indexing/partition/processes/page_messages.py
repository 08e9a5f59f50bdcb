"""Messages between a reader and who receives its pages: plain values one behind the other.

None of them holds others, so that what a captured reader sends cannot be unpacked to many times its
size. The places of lines are most of the numbers of a page: as one row of bytes they take a tenth
of the time that they take one by one.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import isfinite
from typing import Any, TypeVar

import msgpack

from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import NO_PAGE, Block, BlockKind, Figure, Page, PageBox, ReadBy

MAX_BLOCKS = 1_000_000
"""Of a page, with its figures: an empty one takes many times the memory of its message."""

_MAX_VALUES = 5 * MAX_BLOCKS
_MAX_NUMBER = 2**31 - 1  # as the database holds it

_NOWHERE = (-1.0, -1.0, -1.0, -1.0)
"""In place of the box of a line that has none."""

_FARTHEST = 2.0
"""No box is farther away from its page, in pages."""

# Looked up once: both calls of an enumeration take longer than the rest of a block.
_KINDS: dict[object, BlockKind] = {str(kind): kind for kind in BlockKind}
_READ_BY: dict[object, ReadBy] = {str(way): way for way in ReadBy}

T = TypeVar("T")

_pack = msgpack.Packer(unicode_errors="replace").pack  # A file may name things by half a character.


def pack_message(values: Sequence[object]) -> bytes:
    """Return the values as bytes, behind their number; none of them holds others."""
    return b"".join(map(_pack, (len(values), *values)))


def unpack_message(body: bytes) -> list[object]:
    """Return the values of a message, whoever sent it.

    Raises:
        ValueError: there are too many, they hold others, or they are none.
    """
    unpacker = msgpack.Unpacker(
        max_buffer_size=len(body), max_array_len=0, max_map_len=0, max_ext_len=0
    )
    unpacker.feed(body)
    count, *values = islice(unpacker, _MAX_VALUES)
    if count != len(values):
        raise ValueError("the message has too many values, or its end is missing")
    return values


def page_to_values(page: Page, seconds: float, *, with_figures: bool) -> list[Any]:
    """Return what `page_from_values` makes the page of, with or without its figures.

    Raises:
        DocumentUnreadable: the page has too many parts.
    """
    figures = page.figures if with_figures else ()
    if len(page.blocks) + len(figures) > MAX_BLOCKS:
        raise DocumentUnreadable(f"one page has more than {MAX_BLOCKS:,} paragraphs and tables")
    boxes = [box or _NOWHERE for block in page.blocks for box in block.line_boxes]
    values = [page.number, page.label, page.warning, page.read_by, page.pictures, seconds]
    values += [array("d", chain.from_iterable(boxes)).tobytes(), len(page.blocks)]
    for block in page.blocks:
        values += (block.kind, block.text, block.header, len(block.line_boxes))
    for figure in figures:
        values += (figure.position, figure.image)
    return values


def page_from_values(values: Sequence[object]) -> Page:
    """Return the page; nothing that a captured reader sends does more than be wrong, or fail.

    Raises:
        ValueError, TypeError, KeyError: the values are not those of a page.
    """
    number, label, warning, read_by, pictures, seconds, sides, block_count, *parts = values
    boxes = _boxes(_of(bytes, sides))
    end = 4 * count_from(block_count)
    blocks = tuple(_blocks(parts[:end], boxes))
    if len(blocks) != block_count or next(boxes, _NOWHERE) is not _NOWHERE:
        raise ValueError("there are more blocks, or lines of them, or less")
    places = iter(parts[end:])
    return Page(
        number if number == NO_PAGE and type(number) is int else count_from(number),
        blocks,
        label=text_from(label),
        warning=text_from(warning),
        read_by=_READ_BY[read_by],
        pictures=count_from(pictures),
        seconds=_duration(_of(float, seconds)),
        figures=tuple(
            Figure(count_from(position), _of(bytes, image))
            for position, image in zip(places, places, strict=True)
        ),
    )


def text_from(value: object) -> str:
    """Return a text that the database can hold.

    Raises:
        ValueError, TypeError: it is none.
    """
    text = _of(str, value)
    if "\0" in text:
        raise ValueError("expected text, not NUL")
    return text


def count_from(value: object) -> int:
    """Return a number of things that the database can hold.

    Raises:
        ValueError, TypeError: it is none.
    """
    count = _of(int, value)
    if not 0 <= count <= _MAX_NUMBER:
        raise ValueError(f"expected a number of things, not {count}")
    return count


def _blocks(parts: Sequence[object], boxes: Iterator[PageBox | None]) -> Iterator[Block]:
    part = iter(parts)
    for kind, text, header, line_count in zip(part, part, part, part, strict=True):
        lines = tuple(islice(boxes, count_from(line_count)))
        if len(lines) != line_count:
            raise ValueError("there are fewer places than lines")
        yield Block(_KINDS[kind], text_from(text), text_from(header), lines)


def _boxes(sides: bytes) -> Iterator[PageBox | None]:
    numbers = array("d", sides).tolist()
    # All that is not finite makes the sum so, and a sum costs less than a look at each.
    if not isfinite(sum(numbers)) or max(map(abs, numbers), default=0) > _FARTHEST:
        raise ValueError("a place is far from the page")
    side = iter(numbers)
    boxes = zip(side, side, side, side, strict=True)
    return iter([None if box == _NOWHERE else box for box in boxes])


def _duration(seconds: float) -> float:
    if not (isfinite(seconds) and seconds >= 0):
        raise ValueError(f"expected a duration, not {seconds}")
    return seconds


def _of(kind: type[T], value: object) -> T:
    # Not by `isinstance`, for which a truth value is a number.
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, not {type(value).__name__}")
    return value
