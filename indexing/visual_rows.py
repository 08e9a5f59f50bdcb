"""Put what stands at the same height in a picture into rows, and tell where rows stand."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from indexing.ocr import Line
from indexing.partition.tables import is_number
from indexing.perspective import Place
from indexing.types import Block

SAME_CELL_GAP = 0.7  # of the height of the line

LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=\w)")

FEWEST_LETTERS = 5  # of a word whose letters were found one by one
STEP = 1.6  # heights, from one to the next at most
EVEN = 0.2  # of a step, by which others may differ

FIGURES_GAP = 0.25
"""The same between two figures: no more than the space within one."""


@dataclass(frozen=True, slots=True)
class JoinedLine(Line):
    """A line made of others, which may yet be cells of their own in a table."""

    parts: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class TableLine(Line):
    """What stands in the place of a table: a line with its text, that is joined with no other."""


Row = list[Line]
"""What stands side by side, from the left to the right."""


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


def parts_of(line: Line) -> tuple[Line, ...]:
    """Return of what the line was joined."""
    return line.parts if isinstance(line, JoinedLine) else (line,)


def parted_at(line: Line, place: float, near: float) -> tuple[Line, Line] | None:
    """Return what stands to the left and to the right of a place; None if no space is near it.

    How near is told in characters, as if all were of the same width.
    """
    character = (line.right - line.left) / len(line.text)
    spaces = [at for at, letter in enumerate(line.text) if letter == " "]
    distances = {at: abs(line.left + (at + 0.5) * character - place) for at in spaces}
    at = min(spaces, key=distances.__getitem__, default=None)
    if at is None or distances[at] > near * character:
        return None
    left, right = line.text[:at].strip(), line.text[at:].strip()
    return Line(left, line.left, line.top, place, line.bottom), Line(
        right, place, line.top, line.right, line.bottom
    )


def _joined(row: Row) -> Row:
    cells: list[tuple[Line, ...]] = []
    for line in _with_words(row):
        if cells and _is_one_cell(cells[-1], line):
            cells[-1] = (*cells[-1], line)
        else:
            cells.append((line,))
    return [as_one(parts) if len(parts) > 1 else parts[0] for parts in cells]


def _with_words(row: Row) -> Iterator[Line]:
    """Yield the lines; as a word, letters that were found one by one, as in the boxes of a form."""
    for is_letter, group in itertools.groupby(row, lambda line: len(line.text) == 1):
        lines = tuple(group)
        if is_letter and len(lines) >= FEWEST_LETTERS and _are_even(lines):
            yield JoinedLine("".join(line.text for line in lines), *_place(lines), parts=lines)
        else:
            yield from lines


def _are_even(letters: Sequence[Line]) -> bool:
    middles = [(letter.left + letter.right) / 2 for letter in letters]
    steps = [b - a for a, b in itertools.pairwise(middles)]
    step = median(steps)
    is_close = step < STEP * median(letter.height for letter in letters)
    return is_close and max(abs(one - step) for one in steps) < EVEN * step


def _is_one_cell(parts: Sequence[Line], line: Line) -> bool:
    last = parts[-1]
    if isinstance(last, TableLine) or isinstance(line, TableLine):
        return False
    are_figures = is_number(last.text) and is_number(line.text)
    gap = FIGURES_GAP if are_figures else SAME_CELL_GAP
    right, height = max(part.right for part in parts), _height(parts)
    return line.left - right < gap * min(line.height, height)


def _height(lines: Sequence[Line]) -> float:
    return max(line.bottom for line in lines) - min(line.top for line in lines)


def as_one(parts: tuple[Line, ...]) -> Line:
    """Return the line that these make."""
    return JoinedLine(" ".join(part.text for part in parts), *_place(parts), parts=parts)


def _place(lines: Sequence[Line]) -> Place:
    return (
        min(line.left for line in lines),
        min(line.top for line in lines),
        max(line.right for line in lines),
        max(line.bottom for line in lines),
    )
