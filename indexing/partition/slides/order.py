"""The order in which a person reads what stands on a slide."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

SIDE_BY_SIDE = 0.02
"""Of the height of a slide: as little apart begin shapes that are meant to stand beside each other,
for they are moved by hand."""

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
    """Return the shapes row by row, on a slide so high; a label stands in the row of its text."""
    boxes, shapes = [], []
    for box, shape in placed:
        boxes.append(box)
        shapes.append(shape)
    slack = SIDE_BY_SIDE * height
    tops = [_top(box, boxes, slack) for box in boxes]
    rows: list[list[int]] = []
    for at in sorted(range(len(boxes)), key=tops.__getitem__):
        if not rows or tops[at] - tops[rows[-1][0]] > slack:
            rows.append([])
        rows[-1].append(at)
    return [shapes[at] for row in rows for at in sorted(row, key=lambda one: boxes[one].left)]


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
