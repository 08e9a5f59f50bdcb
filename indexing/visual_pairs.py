"""Find tables of two columns without rules in a picture: a label and a figure in each row.

Only names above both tell them from the lines of a receipt, or labels with their values.
"""

from collections.abc import Sequence

from indexing.ocr import Line
from indexing.partition.tables import is_header, is_number
from indexing.visual_rows import Row, middle

FEWEST = 3  # rows below the names
MAX_DISTANCE = 3.5  # of two rows, in heights of a line
IN_LINE = 1.0  # the same heights, by which the ends of cells may differ
INDENT = 3.0  # and the beginnings of labels


def end_of_pairs(rows: Sequence[Row], start: int) -> int:
    """Return where the rows end that names of a label and of a figure begin; `start` if none."""
    names = rows[start]
    if len(names) != 2 or not is_header([name.text for name in names], 2):
        return start
    end = start + 1
    while end < len(rows) and _goes_on(rows[end], rows[end - 1], first=rows[start + 1]):
        end += 1
    figures = [row[1] for row in rows[start + 1 : end]]
    is_named = len(figures) >= FEWEST and _is_over(names, rows[start + 1], figures)
    return end if is_named else start


def _goes_on(row: Row, above: Row, first: Row) -> bool:
    if len(row) != 2 or is_number(row[0].text) or not is_number(row[1].text):
        return False
    height = row[1].height
    return (
        middle(row) - middle(above) <= MAX_DISTANCE * height
        and abs(row[0].left - first[0].left) <= INDENT * height
        and _are_in_line(row[1], first[1])
    )


def _is_over(names: Row, first: Row, figures: Sequence[Line]) -> bool:
    """Tell whether the names begin or end with their columns, or the second is over all of its."""
    left = min(figure.left for figure in figures)
    right = max(figure.right for figure in figures)
    is_above = left <= (names[1].left + names[1].right) / 2 <= right
    is_first = abs(names[0].left - first[0].left) <= INDENT * names[0].height
    return is_first and (is_above or _are_in_line(names[1], first[1]))


def _are_in_line(one: Line, other: Line) -> bool:
    return min(abs(one.left - other.left), abs(one.right - other.right)) <= IN_LINE * one.height
