"""What a page has from the one before it: the header of a table that goes on, a running head."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from indexing.boxes import union
from indexing.partition.tables import is_number
from indexing.types import CELL_MARK, Block, BlockKind, Page, PageBox

MAX_RUNNING_BLOCKS = 3
"""As many headers or footers may stand between the two parts of a table."""

LONGEST_RUNNING_TEXT = 120
SAME_SIDE = 0.03  # of the page
LOWEST_TOP = 0.3  # of the page: a table that begins further down does not go on there
HIGHEST_END = 0.7  # the same: one that ends further up was not cut by the end of the page

_FIRST_UNSPACED = "\u0e01"  # of Thai; Chinese and Japanese have higher numbers

_DIGITS = re.compile(r"\d+")


def continued(page: Page, before: Sequence[Block]) -> Page:
    """Return a page as it stands behind the one with these blocks."""
    blocks = with_header_above(_plain_running_head(page.blocks, before), before)
    return replace(page, blocks=blocks)


def with_header_above(blocks: Sequence[Block], before: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of a page, its first table with the header that it has on the page before.

    A header that is not on the page has no place on it. Of a table of words alone, nothing but its
    place tells whether its first row names the columns or is a row like all others.
    """
    number = first_table(blocks)
    above = first_table(before[::-1])
    if number is None or above is None:
        return tuple(blocks)
    above = len(before) - 1 - above
    table, its_start = blocks[number], before[above]
    if not its_start.header or not _is_same_shape(table, its_start):
        return tuple(blocks)
    if rest := _rest_in_header(table, its_start):
        text, (box, *boxes) = f"{rest}\n{table.text}", table.line_boxes
        named = Block(table.kind, text, its_start.header, (box, box, *boxes))
        return (*blocks[:number], named, *blocks[number + 1 :])
    between = (*before[above + 1 :], *blocks[:number])
    if table.header and not (_is_cut(its_start, table) and _is_running(between, before, blocks)):
        return tuple(blocks)
    rows = "\n".join(filter(None, (table.header, table.text)))
    named = Block(table.kind, rows, its_start.header, (None, *table.line_boxes))
    return (*blocks[:number], named, *blocks[number + 1 :])


def _rest_in_header(table: Block, start: Block) -> str:
    """Return what some names have more than on the page before: the rest of a row that this cut."""
    names, longer = (one.header.split(CELL_MARK) for one in (start, table))
    if len(names) != len(longer) or not all(map(_begins_with, longer, names)):
        return ""
    if not _are_at_edges(start, table):
        return ""
    rest = [one.removeprefix(name).strip() for one, name in zip(longer, names, strict=True)]
    is_part = 0 < sum(map(bool, rest)) < len(rest)
    are_named = all(name for name, one in zip(names, rest, strict=True) if one)
    return CELL_MARK.join(rest).rstrip(CELL_MARK) if is_part and are_named else ""


def _begins_with(longer: str, name: str) -> bool:
    """Tell whether a name stands before other words, or lines of a script without spaces."""
    behind = longer[len(name) :][:1]
    return longer.startswith(name) and (behind in ("", " ") or behind >= _FIRST_UNSPACED)


def _plain_running_head(blocks: tuple[Block, ...], before: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of a page; what the page before begins with as well is no heading."""
    if not blocks or not before or blocks[0].text != before[0].text:
        return blocks
    first = blocks[0]
    is_heading = first.kind is BlockKind.HEADING
    return (replace(first, kind=BlockKind.TEXT), *blocks[1:]) if is_heading else blocks


def first_table(blocks: Iterable[Block]) -> int | None:
    """Return which block is the first table, if only what may be running heads is before it."""
    for number, block in enumerate(blocks):
        if block.kind is BlockKind.TABLE:
            return number
        if number == MAX_RUNNING_BLOCKS or len(block.text) > LONGEST_RUNNING_TEXT:
            return None
    return None


def _is_same_shape(one: Block, other: Block) -> bool:
    one_box, other_box = _around_rows(one), _around_rows(other)
    if one_box is None or other_box is None or _columns(one) != _columns(other):
        return False
    return all(abs(one_box[side] - other_box[side]) < SAME_SIDE for side in (0, 2))


def _is_cut(start: Block, end: Block) -> bool:
    """Tell whether the end of the page cut a table of words, and the first row is no header."""
    if start.header == end.header or not _are_at_edges(start, end):
        return False
    return not (has_values(start) or has_values(end))


def _are_at_edges(start: Block, end: Block) -> bool:
    """Tell whether one ends far down on its page, and the other begins far up on the next."""
    start_box, end_box = union(start.line_boxes), union(end.line_boxes)
    if start_box is None or end_box is None:
        return False
    return start_box[3] > HIGHEST_END and end_box[1] < LOWEST_TOP


def has_values(table: Block) -> bool:
    """Tell whether a cell of a row is a number."""
    # Where there are some, the last cell of the first row is mostly one.
    rows = table.text.split("\n")
    return any(is_number(cell) for row in rows for cell in reversed(row.split(CELL_MARK)))


def _is_running(between: Iterable[Block], *pages: Iterable[Block]) -> bool:
    """Tell whether what stands there stands on both pages, but for its numbers."""
    lines = [{line for block in page for line in _plain_lines(block)} for page in pages]
    return all(line in page for block in between for line in _plain_lines(block) for page in lines)


def _plain_lines(block: Block) -> list[str]:
    return _DIGITS.sub("", block.text).split("\n")


def _around_rows(table: Block) -> PageBox | None:
    return union(table.line_boxes[1:] if table.header else table.line_boxes)


def _columns(table: Block) -> int:
    return max(line.count(" | ") for line in table.text.split("\n"))
