"""Tell names that are over several columns from those of single ones, and join them with these.

Headings stand above the middle of as many columns each, or the names below them repeat.
"""

from collections.abc import Sequence
from math import inf

from indexing.partition.pdf.tables.cells import Cell, Row, cell_text, plain_text, together
from indexing.partition.pdf.tables.distances import out_of_line

MIN_BELOW = 2  # columns
OFF_MIDDLE = 0.15  # of the width of the columns that a name is over
OFF_COLUMN = 0.5  # of the width of one of them
IN_LINE = 2.0  # points
AT_SIDE = 1.0  # points

Side = tuple[float, float]
"""Where a column begins and ends, in points from the left."""


def with_headings(lines: Sequence[Row], sides: Sequence[Side]) -> Row:
    """Return lines of names as one row, what is over several columns in each of them.

    The first column is that of labels. A heading needs a name below it in all of its columns.
    """
    rows = list(lines)
    for at, line in enumerate(lines[:-1]):
        headings = [cell for cell in line[1:] if cell]
        if not 0 < len(headings) < len(line) - 1:
            continue
        below_it = zip(*(line[1:] for line in lines[at + 1 :]), strict=True)
        names_below: Row = [next(filter(None, cells), []) for cells in below_it]
        if begins_a_name(headings, names_below):
            continue
        names = list(map(cell_text, names_below))
        below = columns_below(headings, sides[1:], names, of_all=False)
        if below and all(names[number] for one in below for number in one):
            rows[at] = [line[0], *([] for _ in names)]
            for heading, one in zip(headings, below, strict=True):
                for number in one:
                    rows[at][1 + number] = heading
    return together(rows)


def begins_a_name(headings: Row, names: Row) -> bool:
    """Tell whether the only heading is above one name, and at the side or in the middle of it.

    What is over an even number of columns stands between two of their names, or above both. What is
    over an odd number stands in the middle of them all, whatever is at the side of a name.
    """
    if len(headings) != 1:
        return False
    (heading,) = headings
    below = [name for name in names if name and _is_above(heading, name)]
    if len(below) != 1:
        return False
    return (_is_beside if len(names) % 2 == 1 else _is_in_line)(heading, below[0])


def _is_above(heading: Cell, name: Cell) -> bool:
    return name[0].left < heading[-1].right and heading[0].left < name[-1].right


def _is_in_line(heading: Cell, name: Cell) -> bool:
    return out_of_line(heading[0].left - name[0].left, heading[-1].right - name[-1].right) < IN_LINE


def _is_beside(heading: Cell, name: Cell) -> bool:
    """Tell whether both begin, or both end, at one place, and none is above the other's middle."""
    left, right = heading[0].left - name[0].left, heading[-1].right - name[-1].right
    return min(abs(left), abs(right)) < AT_SIDE and abs(left + right) / 2 > IN_LINE


def columns_below(
    headings: Row, sides: Sequence[Side], names: Sequence[str] = (), *, of_all: bool = True
) -> Sequence[range]:
    """Return which columns are below each heading; none if this is not sure.

    Of the columns is known where each begins and ends, and the name of each, if any. Unless the
    headings are those `of_all`, the first columns may have none, where they have labels as well.
    """
    if not 0 < len(headings) <= len(sides) // MIN_BELOW:
        return ()
    return _repeating(headings, sides, names) or _centred(headings, sides, names, of_all)


def _repeating(headings: Row, sides: Sequence[Side], names: Sequence[str]) -> Sequence[range]:
    """Return as many columns for each heading, if their names are those below the first one.

    What is the same above all of them is a line of these names.
    """
    count = len(headings)
    if len(set(map(plain_text, headings))) < max(count, 2):
        return ()
    for width in range(len(names) // count, MIN_BELOW - 1, -1):
        for first in range(len(names) - count * width + 1):
            named = list(names[first : first + count * width])
            below = [range(at, at + width) for at in range(first, first + len(named), width)]
            are_above = all(named) and named == named[:width] * count
            if are_above and all(map(_is_within, headings, below, [sides] * count)):
                return below
    return ()


def _is_within(heading: Cell, columns: range, sides: Sequence[Side]) -> bool:
    return sides[columns[0]][0] < _middle(heading) < sides[columns[-1]][1]


def _centred(
    headings: Row, sides: Sequence[Side], names: Sequence[str], of_all: bool
) -> Sequence[range]:
    """Return as many columns for each heading, if all stand above the middle of theirs.

    What is above the name in the middle alone, and no longer, is the first line of it.
    """
    count = len(headings)
    is_alone = count == 1 and len(names) % 2 == 1
    if is_alone and len(plain_text(headings[0])) <= len(names[len(names) // 2]):
        return ()
    is_in_one = any(
        left <= heading[0].left and heading[-1].right <= right
        for heading in headings
        for left, right in sides
    )
    nearest: Sequence[range] = ()
    least = inf
    for first in range(1 if of_all or is_in_one else len(sides) - MIN_BELOW * count + 1):
        width, rest = divmod(len(sides) - first, count)
        below = [range(at, at + width) for at in range(first, len(sides), width)]
        if not rest and all(map(_is_above_middle, headings, below, [sides] * count)):
            off = max(map(_off_middle, headings, below, [sides] * count))
            if off < least:
                nearest, least = below, off
    return nearest


def _off_middle(heading: Cell, columns: range, sides: Sequence[Side]) -> float:
    left, right = sides[columns[0]][0], sides[columns[-1]][1]
    return abs(_middle(heading) - (left + right) / 2)


def _is_above_middle(heading: Cell, columns: range, sides: Sequence[Side]) -> bool:
    """Tell whether a heading is above the middle of columns, and of an even number above no one."""
    left, right = sides[columns[0]][0], sides[columns[-1]][1]
    middle = _middle(heading)
    off = _off_middle(heading, columns, sides)
    nearest = min(abs(middle - (sides[n][0] + sides[n][1]) / 2) for n in columns)
    is_near = off <= (right - left) * min(OFF_MIDDLE, OFF_COLUMN / len(columns))
    return is_near and (len(columns) % 2 == 1 or off < nearest)


def _middle(heading: Cell) -> float:
    return (heading[0].left + heading[-1].right) / 2
