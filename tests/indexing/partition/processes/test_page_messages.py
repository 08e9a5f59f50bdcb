import resource
import struct
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf, nan
from typing import Any

import msgpack
import pytest

from indexing.partition.processes.page_messages import (
    MAX_BLOCKS,
    pack_message,
    page_from_values,
    page_to_values,
    unpack_message,
)
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import NO_PAGE, Block, BlockKind, Figure, Page, ReadBy

PAGE = Page(
    number=3,
    blocks=(
        Block(BlockKind.HEADING, "Rent", line_boxes=((0.1, 0.2, 0.30001, 0.4),)),
        Block(BlockKind.TEXT, "a whole 💡 character", line_boxes=()),
        Block(BlockKind.TABLE, "1 | 2\n3 | 4", "a | b", ((0, 0, 1, 1), None, (0.5, 0.6, 0.7, 1))),
    ),
    label="Prices",
    warning="something is missing",
    read_by=ReadBy.MIXED,
    pictures=2,
    seconds=0.25,
    figures=(Figure(1, b"\x89PNG"),),
)

NUMBER, LABEL, WARNING, READ_BY, PICTURES, SECONDS, BOXES, BLOCK_COUNT, KIND, TEXT = range(10)
LINE_COUNT, LAST_KIND, POSITION, IMAGE = 11, 16, -2, -1


def test_page_comes_as_it_was_sent() -> None:
    page = page_from_values(sent(PAGE))

    assert page == PAGE
    assert [block.line_boxes for block in page.blocks] == [one.line_boxes for one in PAGE.blocks]
    assert page.seconds == PAGE.seconds
    assert page.figures == PAGE.figures


def test_text_that_stands_on_no_page_comes_as_it_was_sent() -> None:
    assert page_from_values(sent(replace(PAGE, number=NO_PAGE))).number == NO_PAGE


def test_figures_stay_behind_when_nobody_asks_for_them() -> None:
    assert page_from_values(sent(PAGE, with_figures=False)).figures == ()


def test_half_a_character_is_sent_as_a_question_mark() -> None:
    assert page_from_values(sent(replace(PAGE, label="half \ud83d"))).label == "half ?"


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        *[(NUMBER, wrong) for wrong in ("3", 3.0, True, None, -2, 2**31, 2**63, nan)],
        *[(LABEL, wrong) for wrong in (7, None, b"Prices", "nothing \0 behind")],
        *[(WARNING, wrong) for wrong in (False, b"", "\0")],
        *[(READ_BY, wrong) for wrong in ("magic", None, 1)],
        *[(PICTURES, wrong) for wrong in (-1, 0.5, "many")],
        *[(SECONDS, wrong) for wrong in (nan, inf, -1.0, 1, "soon", None)],
        pytest.param(BOXES, "no bytes", id="no bytes"),
        pytest.param(BOXES, bytes(4), id="half a number"),
        pytest.param(BOXES, bytes(8), id="one side of a box"),
        pytest.param(BOXES, bytes(32), id="fewer places than lines"),
        pytest.param(BOXES, bytes(32 * 9), id="more places than lines"),
        pytest.param(BOXES, struct.pack("16d", *[0.5] * 15, nan), id="a side that is no number"),
        pytest.param(BOXES, struct.pack("16d", *[0.5] * 15, inf), id="a side without an end"),
        pytest.param(BOXES, struct.pack("16d", *[0.5] * 15, -1e300), id="a side far away"),
        *[(BLOCK_COUNT, wrong) for wrong in (-1, 2, 4, 10**9, 2**63, "3", None)],
        *[(KIND, wrong) for wrong in ("program", None, 0, b"text")],
        *[(TEXT, wrong) for wrong in (None, 5, b"Rent", "Re\0nt")],
        *[(LINE_COUNT, wrong) for wrong in (-1, None, 2**62, 1.0, True, "1")],
        pytest.param(POSITION, -1, id="a picture before all"),
        pytest.param(POSITION, "first", id="a picture at a word"),
        pytest.param(IMAGE, 10**12, id="a picture that is the size of one"),
        pytest.param(IMAGE, "JPEG", id="a picture that is a word"),
    ],
)
def test_wrong_values_are_refused(place: int, wrong: Any) -> None:
    values = sent(PAGE)
    values[place] = wrong

    with pytest.raises((ValueError, TypeError, KeyError)):
        page_from_values(values)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 15])
def test_pages_that_are_cut_off_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=r"unpack|blocks|shorter"):
        page_from_values(sent(PAGE)[:count])


def test_values_that_no_page_has_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        page_from_values([*sent(PAGE), 1])


def listed(count: int, *, in_lists: int = 1) -> bytes:
    """Return lists within each other, of which each says that it has so many values."""
    return (b"\xdd" + count.to_bytes(4, "big")) * in_lists


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: msgpack.packb(["a list"]), id="list"),
        pytest.param(lambda: msgpack.packb({"a": 1}), id="mapping"),
        pytest.param(lambda: msgpack.packb(msgpack.Timestamp(1)), id="timestamp"),
        pytest.param(lambda: msgpack.packb(msgpack.ExtType(5, b"code")), id="type of its own"),
        pytest.param(lambda: listed(2**20) + b"\x90" * 2**20, id="many empty lists"),
        pytest.param(lambda: listed(2**24, in_lists=500) + bytes(2**24), id="lists in lists"),
        pytest.param(lambda: b"\x91" * 100_000, id="very deep lists"),
        pytest.param(lambda: bytes(2**23), id="many numbers"),
        pytest.param(lambda: b"\x90" * 2**23, id="many empty lists, one by one"),
        pytest.param(lambda: b"\x80" * 2**23, id="many empty mappings"),
        pytest.param(lambda: b"\xa2ab" * 2**23, id="many short words"),
        pytest.param(lambda: b"\xdb\xff\xff\xff\xffshort", id="text that is cut off"),
        pytest.param(lambda: pack_message(["head", 7, "a"])[:-1], id="message that is cut off"),
        pytest.param(lambda: b"\xa1\xff", id="text that is not UTF-8"),
        pytest.param(lambda: b"\xa3\xed\xa0\xbd", id="text with half a character"),
        pytest.param(lambda: b"\xc1", id="value that does not exist"),
    ],
)
def test_message_that_would_grow_or_is_none_is_refused(make: Callable[[], bytes]) -> None:
    body = make()
    before, began = peak_bytes(), time.process_time()

    with pytest.raises(ValueError):  # noqa: PT011 The library says what it is.
        unpack_message(body)

    assert peak_bytes() - before < 700 * 2**20
    assert time.process_time() - began < 5


def test_page_with_more_blocks_than_can_be_received_says_so() -> None:
    page = Page(1, (Block(BlockKind.TEXT, "again"),) * (MAX_BLOCKS + 1))

    with pytest.raises(DocumentUnreadable, match="more than 1,000,000 paragraphs"):
        page_to_values(page, 0.25, with_figures=False)


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def sent(page: Page, *, with_figures: bool = True) -> list[Any]:
    values = page_to_values(page, page.seconds, with_figures=with_figures)
    return unpack_message(pack_message(values))
