"""The order in which a person reads what stands on a slide."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from indexing.partition.slides.stacks import Box, stacks

SIDE_BY_SIDE = 0.02
"""Of the height of a slide: as little apart begin shapes that are meant to stand beside each other,
for they are moved by hand."""

MAX_SHAPES = 200
"""Among more, labels and groups are not looked for: each would be compared with all others."""

Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True)
class Group(Generic[Shape]):
    """Shapes that the author has put together, with their places on the slide."""

    placed: "Sequence[tuple[Box, Shape | Group[Shape]]]"

    @property
    def box(self) -> Box:
        """Return the place of all that can be read."""
        boxes = [box for box, _ in self.placed if not box.is_blank]
        if not boxes:
            return Box(0, 0, is_blank=True)
        left, top = min(box.left for box in boxes), min(box.top for box in boxes)
        right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
        return Box(left, top, right - left, bottom - top)


def in_reading_order(
    placed: Iterable[tuple[Box, Shape | Group[Shape]]], height: float, *, from_right: bool = False
) -> list[Shape]:
    """Return the shapes row by row, on a slide so high; a label stands in the row of its text.

    What is upon each other in columns beside each other, as headings and their texts, stays
    together, and so does a group of different shapes in which no other stands.
    """
    slack = SIDE_BY_SIDE * height
    units = list(_units(list(placed), slack))
    boxes = [_mirrored(box) if from_right else box for box, _ in units]
    tops = [_top(box, boxes, slack) for box in boxes]
    below = stacks(boxes, slack, height) if len(boxes) <= MAX_SHAPES else {}
    in_stacks = {one for stack in below.values() for one in stack}
    rows: list[list[int]] = []
    for at in sorted(set(range(len(boxes))) - in_stacks, key=tops.__getitem__):
        if not rows or tops[at] - tops[rows[-1][0]] > slack:
            rows.append([])
        rows[-1].append(at)
    heads = (at for row in rows for at in sorted(row, key=lambda one: boxes[one].left))
    found: list[Shape] = []
    for at in (one for head in heads for one in (head, *below.get(head, ()))):
        unit = units[at][1]
        if isinstance(unit, Group):
            found += in_reading_order(unit.placed, height, from_right=from_right)
        else:
            found.append(unit)
    return found


def _units(
    placed: Sequence[tuple[Box, Shape | Group[Shape]]], slack: float
) -> Iterator[tuple[Box, Shape | Group[Shape]]]:
    """Yield the shapes and the groups; in place of a group that is none to read what is in it."""
    for at, (box, unit) in enumerate(placed):
        others = (other for n, (other, _) in enumerate(placed) if n != at)
        if isinstance(unit, Group) and (
            len(placed) > MAX_SHAPES
            or _is_of_a_grid(unit, slack)
            or any(_stands_in(other, box) for other in others)
        ):
            yield from _units(unit.placed, slack)
        else:
            yield box, unit


def _is_of_a_grid(group: Group[Shape], slack: float) -> bool:
    """Tell whether the shapes are as high as each other, as those of a row or a column are."""
    heights = [box.height for box, _ in group.placed if not box.is_blank]
    return not heights or max(heights) - min(heights) <= slack


def _stands_in(other: Box, box: Box) -> bool:
    if other.is_blank or not other.height:  # What is recognised in a picture has no height.
        return False
    middle = (other.top + other.bottom) / 2
    return box.left <= other.centre <= box.right and box.top <= middle <= box.bottom


def _mirrored(box: Box) -> Box:
    return box._replace(left=-box.right)


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
