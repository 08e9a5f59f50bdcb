"""Pages as plain values, in which a reader sends them.

The places of lines are most of the numbers of a page. As one row of bytes they take a tenth of the
time that they take one by one.
"""

import dataclasses
from array import array
from itertools import chain, islice
from math import nan
from typing import Any

from indexing.types import Block, BlockKind, Figure, Page, ReadBy

Values = dict[str, Any]

_NOWHERE = (nan, nan, nan, nan)
"""In place of the box of a line that has none."""

_FIELDS = [field.name for field in dataclasses.fields(Page)]


def page_to_values(page: Page, *, with_figures: bool) -> Values:
    """Return what `page_from_values` makes the page of, with or without its figures."""
    figures = page.figures if with_figures else ()
    # Not by `dataclasses.asdict`, which copies each number of each box.
    values = {name: getattr(page, name) for name in _FIELDS}
    values["blocks"] = [
        (block.kind, block.text, block.header, len(block.line_boxes)) for block in page.blocks
    ]
    boxes = [box or _NOWHERE for block in page.blocks for box in block.line_boxes]
    values["boxes"] = array("d", chain.from_iterable(boxes)).tobytes()
    values["figures"] = [(figure.position, figure.image) for figure in figures]
    return values


def page_from_values(values: Values) -> Page:
    """Return the page; nothing that a captured reader sends does more than be wrong, or fail.

    Raises:
        ValueError, TypeError, KeyError: the values are not those of a page.
    """
    side = iter(array("d", _bytes(values.pop("boxes"))).tolist())
    # Only what is not a number differs from itself.
    boxes = iter(
        [box if box[0] == box[0] else None for box in zip(side, side, side, side, strict=True)]
    )
    blocks = tuple(
        Block(BlockKind(kind), text, header, tuple(islice(boxes, line_count)))
        for kind, text, header, line_count in values["blocks"]
    )
    figures = tuple(Figure(position, _bytes(image)) for position, image in values["figures"])
    read_by = ReadBy(values["read_by"])
    return Page(**values | {"blocks": blocks, "read_by": read_by, "figures": figures})


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError(f"expected bytes, not {type(value).__name__}")
    return value
