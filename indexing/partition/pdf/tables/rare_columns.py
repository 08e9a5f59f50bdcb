"""Tell the columns that hardly a row of a table fills, as those of credits or of notes."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import inf

from indexing.partition.pdf.tables.cells import Row
from indexing.partition.pdf.tables.columns import Column

OFF_MIDDLE = 0.05  # of the width of the column
PADDING = 6.5  # points, of a cell at most


def with_rare_columns(
    columns: Sequence[Column], rare: Sequence[Column], names: Row
) -> list[Column]:
    """Return the columns with those behind them that have names of their own, one behind each.

    What stands in few rows may be a remark across columns, and a name that of the column beside it:
    they are a column, and the name alone is, where the columns beside it have other names.
    """
    if not names:
        return list(columns)
    lefts, rights = [one.left for one in columns], [one.right for one in columns]
    # Mostly each name is over a column, and none between two.
    if all(
        bisect_left(lefts, cell[-1].right) > bisect_right(rights, cell[0].left) for cell in names
    ):
        return list(columns)
    named = [Column(cell[0].left, cell[-1].right, 0) for cell in names]
    # The column of labels needs no name.
    have_names = [True, *(any(map(column.is_over, named)) for column in columns[1:]), True]
    found: list[Column] = []
    for number, column in enumerate(columns):
        found.append(column)
        left = columns[number + 1].left if column is not columns[-1] else inf
        between = [name for name in named if name.is_between(column.right, left)]
        lone = [one for one in rare if one.is_between(column.right, left)]
        is_named = all(have_names[number : number + 2]) and len(between) == 1 and len(lone) < 2
        if is_named and not (number == 0 and not lone and _is_of_labels(named, columns)):
            found.append(between[0].joined_with(lone))
    return found


def _is_of_labels(names: Sequence[Column], columns: Sequence[Column]) -> bool:
    """Tell whether the first name is in the middle above labels that it stands behind.

    So browsers have it above a wide column, and the others above theirs. Labels that are no wider
    than the name, as numbers of rows are, would not have a column without one.
    """
    if len(names) != len(columns):
        return False
    name, labels = names[0], columns[0]
    if labels.right - labels.left < name.right - name.left:
        return True
    left, right = labels.left, min(columns[1].left, names[1].left)
    # Both columns begin with a padding, which is in the first, but not within its middle.
    off = (left + right - name.left - name.right) / 2
    return -OFF_MIDDLE * (right - left) < off < max(OFF_MIDDLE * (right - left), PADDING)
