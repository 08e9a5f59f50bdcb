"""Tell from where to where a table without ruling lines reaches, once its columns are known.

What stands above its header is a caption, and what stands by itself below it is another text.
"""

import itertools
from collections.abc import Sequence

from indexing.partition.pdf.tables.cell_lines import is_continued
from indexing.partition.pdf.tables.cells import Row, has_figures, is_broken_value, is_value
from indexing.partition.pdf.tables.columns import Column
from indexing.partition.pdf.tables.distances import distance_of
from indexing.partition.pdf.tables.segments import MAX_HEADER_ROWS, is_far_off

LAST_LINE = 1.6  # of the height of the words, to the line of a cell that is below its row
BESIDE = 0.8  # the same, of two lines of a row that are beside each other
LEFT = 2.0  # points, between the beginnings of lines of a cell
AS_NEAR = 1.05  # times as far as lines of other cells of the table is a line of the last one
ITEM_OVER = 2  # beginnings of columns
LABEL_SHARE = 0.8  # of what lies before the first column of figures


def extent_of(rows: Sequence[Row], columns: Sequence[Column], first: int | None) -> range:
    """Return which rows are those of the table; `first` has the first figures, if some do."""
    several = [number for number, row in enumerate(rows) if len(row) > 1]
    last = several[-1] if first is None else _last_of(rows, several, columns)
    start = _start_of_header(rows, columns, several[0] if first is None else first)
    return range(start, _end_of_cells(rows, last, columns[1].left))


def _last_of(rows: Sequence[Row], several: list[int], columns: Sequence[Column]) -> int:
    """Return the last of the rows with several cells that belongs to the figures.

    What has no figures and stands by itself below them is a heading of what follows. So is a line
    of text with more cells than columns: its words are spread to fill it. The items of a list,
    behind their numbers, run over columns.
    """
    for last in reversed(several):
        row = rows[last]
        is_text = len(row) > len(columns) or _is_item(row, columns)
        if has_figures(row) or not (is_text or is_far_off(rows[: last + 1])):
            break
    return last


def _is_item(row: Row, columns: Sequence[Column]) -> bool:
    """Tell whether a row is a text behind a mark, where no column begins, and over several."""
    if len(row) != 2:
        return False
    _, text = row
    left, right = text[0].left, text[-1].right
    over = sum(left < column.left < right for column in columns)
    return over >= ITEM_OVER and left < columns[1].left - LEFT


def _start_of_header(rows: Sequence[Row], columns: Sequence[Column], first: int) -> int:
    """Return where the names of columns begin, above the row that is the first without them."""
    label_width = LABEL_SHARE * (columns[1].left - columns[0].left)
    label_end = min(columns[0].right, columns[0].left + label_width) - 1
    start, has_names = first, False
    while start and first - start < MAX_HEADER_ROWS:
        row = rows[start - 1]
        names = sum(cell[0].left >= label_end for cell in row)
        is_label = names < len(row)
        if is_label and names < 2 and has_names:
            break
        has_names = has_names or names > 0
        start -= 1
    # Labels alone above the first name are no header.
    while start < first and rows[start][0][0].left < label_end and len(rows[start]) == 1:
        start += 1
    return start


def _end_of_cells(rows: Sequence[Row], last: int, second: float) -> int:
    """Return where the last row ends, with the next lines of its label and of its texts.

    These are from the second column on.
    """
    end = last + 1
    if end < len(rows) and is_continued(rows[end]):
        end += 1
    while end < len(rows) and _goes_on_below(rows[:end], rows[end], second):
        end += 1
    return end


def _goes_on_below(rows: Sequence[Row], row: Row, second: float) -> bool:
    """Tell whether a row is the next line of a text above, from the second column on.

    Where cells stand in the middle of their rows, it may be beside the lower half of the others.
    """
    above = rows[-1]
    left, height = row[0][0].left, max(above[0][0].height, row[0][0].height)
    if left <= second - LEFT:
        return False
    distance = distance_of(above, row)
    if distance < BESIDE * height and any(map(str.isalnum, row[0][0].text)):
        return True
    if not _is_below_text(above, row):
        return False
    return distance < LAST_LINE * height or (
        len(row) == 1 and distance < AS_NEAR * _farthest_lines(rows, second)
    )


def _farthest_lines(rows: Sequence[Row], second: float) -> float:
    """Return how far below a text the next line of its cell stands at most; 0 if none has any."""
    distances = (
        distance_of(above, row)
        for above, row in itertools.pairwise(rows)
        if len(row) == 1 and row[0][0].left > second - LEFT and _is_below_text(above, row)
    )
    return max(distances, default=0.0)


def _is_below_text(above: Row, row: Row) -> bool:
    first = row[0][0]
    return any(
        abs(cell[0].left - first.left) < LEFT
        and (not is_value(cell) or is_broken_value(cell[-1], first))
        for cell in above
    )
