"""Find what stands upon each other on a slide and belongs together: a figure and its label, say."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

MAX_GAP = 0.1
"""Of the height of a slide: no further apart are a heading and its text."""

MAX_SHARE = 0.7
"""Of the height of the higher ones; those of a grid are about as high as each other."""

WIDER_GAP = 1.5
"""Times the gap before: there one stack ends, and the next one begins below it."""


class Box(NamedTuple):
    """The place of a shape on its slide."""

    left: float
    top: float
    width: float = 0.0
    height: float = 0.0
    is_blank: bool = False  # a line, or a ground for others
    kind: str = ""  # a text box, an arrow

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def centre(self) -> float:
        return self.left + self.width / 2


def stacks(boxes: Sequence[Box], slack: float, height: float) -> dict[int, list[int]]:
    """Return what stands below shapes that stand beside each other, by the highest of each stack.

    Those of the lower row are all of another kind than those of the upper one, or all lower, or
    all higher: shapes in a grid are alike.
    """
    below = _next_below(boxes, slack, MAX_GAP * height)
    rows: dict[tuple[int, int], list[tuple[int, int]]] = {}
    tops = _row_numbers([box.top for box in boxes], slack)
    for upper, lower in below.items():
        rows.setdefault((tops[upper], tops[lower]), []).append((upper, lower))
    links = {
        upper: lower
        for pairs in rows.values()
        if _belong_together(boxes, pairs) and not _is_grid(boxes, pairs, below)
        for upper, lower in pairs
    }
    return dict(_chains(boxes, links, slack))


def _next_below(boxes: Sequence[Box], slack: float, max_gap: float) -> dict[int, int]:
    """Return the next shape below each that stands in the same column, and has no other above."""
    texts = [n for n, box in enumerate(boxes) if not box.is_blank and box.height > 0]
    found: dict[int, int] = {}
    for upper in texts:
        others = [n for n in texts if n != upper and _is_below(boxes[n], boxes[upper], slack)]
        lower = min(others, key=lambda n: boxes[n].top, default=None)
        if lower is None or boxes[lower].top - boxes[upper].bottom > max_gap:
            continue
        if _are_in_column(boxes[upper], boxes[lower], slack):
            found[upper] = lower
    times = Counter(found.values())
    return {upper: lower for upper, lower in found.items() if times[lower] == 1}


def _is_below(box: Box, upper: Box, slack: float) -> bool:
    overlaps = box.left < upper.right and upper.left < box.right
    return overlaps and box.top >= upper.bottom - slack and box.top > upper.top + slack


def _are_in_column(one: Box, other: Box, slack: float) -> bool:
    return min(abs(one.left - other.left), abs(one.centre - other.centre)) <= slack


def _row_numbers(tops: Sequence[float], slack: float) -> list[int]:
    """Return the number of the row in which each shape begins."""
    numbers = [0] * len(tops)
    row, start = -1, float("-inf")
    for at in sorted(range(len(tops)), key=tops.__getitem__):
        if tops[at] - start > slack:
            row, start = row + 1, tops[at]
        numbers[at] = row
    return numbers


def _belong_together(boxes: Sequence[Box], pairs: Collection[tuple[int, int]]) -> bool:
    """Tell whether several stand beside each other, each row of them of its own kind or height."""
    uppers, lowers = ([boxes[pair[row]] for pair in pairs] for row in (0, 1))
    kinds = [{box.kind for box in row} for row in (uppers, lowers)]
    heights = [[box.height for box in row] for row in (uppers, lowers)]
    are_of_kinds = len(kinds[0]) == len(kinds[1]) == 1 and kinds[0] != kinds[1]
    are_of_heights = any(
        max(one) <= MAX_SHARE * min(other) for one, other in (heights, reversed(heights))
    )
    return len(pairs) > 1 and (are_of_kinds or are_of_heights)


def _is_grid(
    boxes: Sequence[Box], pairs: Collection[tuple[int, int]], below: Mapping[int, int]
) -> bool:
    """Tell whether more rows like the lower one follow, as below the names of columns."""
    heights = [
        (boxes[lower].height, boxes[below[lower]].height) for _, lower in pairs if lower in below
    ]
    return len(heights) == len(pairs) and all(min(pair) > MAX_SHARE * max(pair) for pair in heights)


def _chains(
    boxes: Sequence[Box], links: Mapping[int, int], slack: float
) -> Iterator[tuple[int, list[int]]]:
    """Yield the highest of each stack, and those below it."""
    ends: dict[int, tuple[int, float]] = {}  # the head of a stack, and the gap above its last one
    stacked: dict[int, list[int]] = {}
    for upper in sorted(links, key=lambda n: boxes[n].top):
        lower = links[upper]
        gap = max(boxes[lower].top - boxes[upper].bottom, 0.0)
        head, before = ends.get(upper, (upper, gap))
        if gap > WIDER_GAP * before + slack:
            head = upper
        if head == upper and upper in ends:
            continue
        stacked.setdefault(head, []).append(lower)
        ends[lower] = head, gap
    yield from stacked.items()
