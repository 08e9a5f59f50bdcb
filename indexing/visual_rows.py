"""Put what stands at the same height in a picture into rows, and tell where rows stand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from indexing.ocr import Line
from indexing.types import Block

SAME_CELL_GAP = 0.7  # of the height of the line

LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=\w)")

Row = list[Line]
"""What stands side by side, from the left to the right."""

Place = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block with its place in the picture, or on the page."""

    block: Block
    left: float
    top: float
    right: float
    bottom: float
    lines: tuple[Place, ...] = ()  # where each of its lines stands, that of its header first


def rows_of(lines: list[Line]) -> list[Row]:
    """Group what stands at the same height; what nearly touches is one line."""
    rows: list[Row] = []
    for line in sorted(lines, key=lambda line: line.middle):
        if rows:
            height = min(line.height, median(one.height for one in rows[-1]))
            if abs(line.middle - middle(rows[-1])) < height / 2:
                rows[-1].append(line)
                continue
        rows.append([line])
    return [_joined(sorted(row, key=lambda line: line.left)) for row in rows]


def placed(block: Block, rows_of_lines: list[list[Row]]) -> PlacedBlock:
    """Return the block with its place, given the rows of which each of its lines is made."""
    lines = tuple(_place([line for row in rows for line in row]) for rows in rows_of_lines)
    lefts, tops, rights, bottoms = zip(*lines, strict=True)
    return PlacedBlock(block, min(lefts), min(tops), max(rights), max(bottoms), lines)


def middle(row: Row) -> float:
    """Return at what height the row stands."""
    return sum(line.middle for line in row) / len(row)


def _joined(row: Row) -> Row:
    cells = row[:1]
    for line in row[1:]:
        last = cells[-1]
        if line.left - last.right < SAME_CELL_GAP * min(line.height, last.height):
            cells[-1] = replace(
                last,
                text=f"{last.text} {line.text}",
                right=max(last.right, line.right),
                top=min(last.top, line.top),
                bottom=max(last.bottom, line.bottom),
            )
        else:
            cells.append(line)
    return cells


def _place(lines: Sequence[Line]) -> Place:
    return (
        min(line.left for line in lines),
        min(line.top for line in lines),
        max(line.right for line in lines),
        max(line.bottom for line in lines),
    )
