"""What a page has from the one before it: the header of a table that goes on, a running head."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from indexing.boxes import union
from indexing.types import Block, BlockKind, Page, PageBox

MAX_RUNNING_BLOCKS = 3
"""As many headers or footers may stand between the two parts of a table."""

LONGEST_RUNNING_TEXT = 120
SAME_SIDE = 0.03  # of the page


def continued(page: Page, before: Sequence[Block]) -> Page:
    """Return a page as it stands behind the one with these blocks."""
    blocks = with_header_above(_plain_running_head(page.blocks, before), before)
    return replace(page, blocks=blocks)


def with_header_above(blocks: Sequence[Block], before: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of a page, its first table with the header that it has on the page before.

    A header that is not on the page has no place on it.
    """
    number = _first_table(blocks)
    above = _first_table(before[::-1])
    if number is None or above is None:
        return tuple(blocks)
    table, its_start = blocks[number], before[len(before) - 1 - above]
    if table.header or not its_start.header or not _is_same_shape(table, its_start):
        return tuple(blocks)
    named = replace(table, header=its_start.header, line_boxes=(None, *table.line_boxes))
    return (*blocks[:number], named, *blocks[number + 1 :])


def _plain_running_head(blocks: tuple[Block, ...], before: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of a page; what the page before begins with as well is no heading."""
    if not blocks or not before or blocks[0].text != before[0].text:
        return blocks
    first = blocks[0]
    is_heading = first.kind is BlockKind.HEADING
    return (replace(first, kind=BlockKind.TEXT), *blocks[1:]) if is_heading else blocks


def _first_table(blocks: Iterable[Block]) -> int | None:
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


def _around_rows(table: Block) -> PageBox | None:
    return union(table.line_boxes[1:] if table.header else table.line_boxes)


def _columns(table: Block) -> int:
    return max(line.count(" | ") for line in table.text.split("\n"))
