"""The order in which a person reads what stands on a slide."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

SIDE_BY_SIDE = 0.02
"""Of the height of a slide: as little apart begin shapes that are meant to stand beside each other,
for they are moved by hand."""

MAX_HEADING_HEIGHT = 0.5
"""Of the text below it; shapes in a grid are as high as each other."""

MAX_SHAPES = 200
"""Among more, labels are not looked for: each would be compared with all others."""

Shape = TypeVar("Shape")


class Box(NamedTuple):
    """The place of a shape on its slide."""

    left: float
    top: float
    width: float = 0.0
    height: float = 0.0

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


def in_reading_order(placed: Iterable[tuple[Box, Shape]], height: float) -> list[Shape]:
    """Return the shapes row by row, on a slide so high; a label stands in the row of its text.

    Below headings beside each other, each text comes behind its own.
    """
    boxes, shapes = [], []
    for box, shape in placed:
        boxes.append(box)
        shapes.append(shape)
    slack = SIDE_BY_SIDE * height
    tops = [_top(box, boxes, slack) for box in boxes]
    texts = _texts_below(boxes, slack)
    rows: list[list[int]] = []
    for at in sorted(set(range(len(boxes))) - set(texts.values()), key=tops.__getitem__):
        if not rows or tops[at] - tops[rows[-1][0]] > slack:
            rows.append([])
        rows[-1].append(at)
    ordered = (at for row in rows for at in sorted(row, key=lambda one: boxes[one].left))
    return [shapes[one] for at in ordered for one in (at, texts.get(at)) if one is not None]


def _texts_below(boxes: Sequence[Box], slack: float) -> dict[int, int]:
    """Return the texts below headings that stand beside each other, by their headings."""
    if len(boxes) > MAX_SHAPES:
        return {}
    pairs = {
        head: text
        for text, below in enumerate(boxes)
        for head, above in enumerate(boxes)
        if _is_heading_of(above, below, slack)
    }
    times = Counter(pairs.values())
    # No text has two headings, or is one: each shape stands in one place.
    pairs = {head: text for head, text in pairs.items() if times[text] == 1 and text not in pairs}
    return {
        head: text
        for head, text in pairs.items()
        if any(
            other != head
            and abs(boxes[other].top - boxes[head].top) <= slack
            and abs(boxes[pairs[other]].top - boxes[text].top) <= slack
            for other in pairs
        )
    }


def _is_heading_of(above: Box, below: Box, slack: float) -> bool:
    """Tell whether a low shape stands right above a high one that is as wide."""
    is_as_wide = abs(above.left - below.left) <= slack and abs(above.right - below.right) <= slack
    gap = below.top - above.bottom
    is_low = 0 < above.height < MAX_HEADING_HEIGHT * below.height
    return is_as_wide and is_low and abs(gap) <= slack


def _top(box: Box, boxes: Sequence[Box], slack: float) -> float:
    """Return where a shape begins, or the higher one that it is the label of."""
    if len(boxes) > MAX_SHAPES:
        return box.top
    labelled = (
        one.top
        for one in boxes
        if _is_centred_left_of(box, one, slack)
        and not any(_stands_over(other, box, one.top) for other in boxes)
    )
    return min(labelled, default=box.top)


def _is_centred_left_of(label: Box, text: Box, slack: float) -> bool:
    is_higher = text.top < label.top and label.bottom <= text.bottom
    off_centre = abs(label.top + label.bottom - text.top - text.bottom) / 2
    return is_higher and label.right <= text.left + slack and off_centre <= slack


def _stands_over(other: Box, label: Box, top: float) -> bool:
    """Tell whether a shape stands above a label, but not above a line across the slide."""
    is_in_column = other.left < label.right and label.left < other.right
    # What the label stands on is not above it.
    lies_below = (
        other.left <= label.left and label.right <= other.right and label.bottom <= other.bottom
    )
    return is_in_column and not lies_below and top < other.bottom and other.top < label.top
