"""Part a table whose header is too wide to be repeated into some columns at a time.

Each part has the names of its columns, and the first column, which says what its rows are about.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexing.types import CELL_MARK

MAX_LABEL_CHARACTERS = 80
"""A longer cell of the first column is a text, and is not repeated in each part of its row."""


@dataclass(frozen=True, slots=True)
class TablePart:
    """Some rows of some columns."""

    header: str
    rows: str
    first: int  # row, among those of the table


def column_parts(header: str, rows: str, header_room: int, room: int) -> Iterator[TablePart]:
    """Yield the parts, those of the same rows behind each other; none if no header would fit.

    A part has at most `room` characters, unless a single row has more.
    """
    names = header.split(CELL_MARK)
    groups = _groups(names, header_room)
    if len(groups) < 2:
        return
    heads = [_line(names, group) for group in groups]
    batch: list[list[str]] = []  # the lines of each group
    lengths = list(map(len, heads))
    first = 0
    for number, row in enumerate(rows.split("\n")):
        cells = row.split(CELL_MARK)
        lines = [_line(cells, group) for group in groups]
        longer = [length + len(line) + 1 for length, line in zip(lengths, lines, strict=True)]
        if batch and max(longer) > room:
            yield from _parts(heads, groups, batch, first)
            batch, first = [], number
            longer = [len(head) + len(line) + 1 for head, line in zip(heads, lines, strict=True)]
        batch.append(lines)
        lengths = longer
    yield from _parts(heads, groups, batch, first)


def _groups(names: Sequence[str], room: int) -> list[range]:
    """Return the columns of each part; the first of all is not among them but in the first."""
    label = len(names[0]) + len(CELL_MARK)
    if label + max(map(len, names)) > room:
        return []
    groups: list[range] = []
    begin, length = 0, 0
    for column, name in enumerate(names):
        added = len(name) + len(CELL_MARK)
        if begin < column and length + added > room:
            groups.append(range(begin, column))
            begin, length = column, label
        length += added
    # What is too much in a row belongs to the last of its columns.
    return [*groups, range(begin, len(names))]


def _line(cells: Sequence[str], columns: range) -> str:
    own = list(cells[columns.start : columns.stop])
    if columns.start and any(own):
        label = cells[0] if len(cells[0]) <= MAX_LABEL_CHARACTERS else ""
        own.insert(0, label)
    return CELL_MARK.join(own).rstrip(" |")


def _parts(
    heads: Sequence[str], groups: Sequence[range], batch: Sequence[Sequence[str]], first: int
) -> Iterator[TablePart]:
    """Yield a part for each group of columns that hold anything in these rows."""
    for place, (head, group) in enumerate(zip(heads, groups, strict=True)):
        lines = [row[place] for row in batch]
        if any(lines) or not group.start:
            yield TablePart(head, "\n".join(lines), first)
