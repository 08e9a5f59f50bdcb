"""Part the rows of words on a PDF page where a table without ruling lines ends, or one begins.

That is at running text, a wide gap, a title, and the names of columns.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from math import inf
from statistics import median

from indexing.partition.pdf.tables.cells import (
    Cell,
    Row,
    has_figures,
    is_label,
    is_row_of_dashes,
    is_value,
    plain_text,
    words_of,
)
from indexing.partition.pdf.tables.distances import distance_of
from indexing.partition.pdf.tables.overrun_cells import untangled
from indexing.partition.pdf.tables.text_lines import as_text

MAX_ROW_DISTANCE = 3.5  # of the height of the words, between two rows
FAR_OFF = 1.6  # of the usual distance of two rows
APART = 1.2  # the same, of a line that is written across columns, and of a title
LARGER = 1.15  # times as high as all words of a table are those of a title
LONGEST_LABEL = 140
LONG = 40  # characters
NEAR = 4  # rows
LONGEST_NAME = 60  # of a column
ALIGNED = 1.0  # points
MAX_HEADER_ROWS = 10
MIN_ROWS = 3  # with that of the header
MIN_CELLS = 3
LABEL_AND_VALUE = 2

_AMOUNT = re.compile(r"\d[\d.,'’ ]*[.,]\d\d ?[^\d\s]{1,4}$")
"""Sums have their currency behind them, whose name may be a word in any language."""


def segments_of(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Part the rows where a table must end: at running text, a wide gap, names of columns."""
    rows = list(map(as_text, rows))
    segment: list[Row] = []
    has_values = False
    for at, row in enumerate(rows):
        lengths = [len(cell[0].text) if len(cell) == 1 else len(plain_text(cell)) for cell in row]
        # In most rows no cell is too long for a name, nor then for a label.
        is_prose = max(lengths) > LONGEST_NAME and (
            lengths[0] > LONGEST_LABEL or max(lengths[1:], default=0) > LONGEST_NAME
        )
        if max(lengths) > LONG and (
            cells := _as_others(row, rows[max(at - NEAR, 0) : at + NEAR + 1])
        ):
            row, is_prose = cells, max(lengths) > LONGEST_LABEL
        if segment:
            is_named = (has_values and _names_columns(row, segment)) or _is_below_labels(
                row, segment
            )
            is_new = (
                is_named or is_prose or _is_far_below(segment if has_values else segment[-1:], row)
            )
            if is_new or (len(row) == 1 and _parts_tables(rows, at, segment)):
                yield segment
                # What stands above the names of columns may belong to them.
                above = itertools.takewhile(lambda one: len(one) == 1, reversed(segment))
                segment = list(above)[::-1] if is_named else []
                has_values = False
        if not is_prose:
            segment.append(row)
            has_values = has_values or has_figures(row)
    if segment:
        yield segment


def _is_far_below(rows: Sequence[Row], row: Row) -> bool:
    """Tell whether a row is too far below the last of others, if these are not as far apart.

    So is the title of a page below a running head.
    """
    above = rows[-1]
    height = min(max(cell[0].height for cell in above), row[0][0].height)
    distance = distance_of(above, row)
    return distance > MAX_ROW_DISTANCE * height and (
        len(rows) < MIN_ROWS or distance > APART * max(map(distance_of, rows, rows[1:]))
    )


def _as_others(row: Row, around: Sequence[Row]) -> Row | None:
    """Return the cells of a row with a long text, if they stand as those of rows around it do.

    The text may reach beyond those of others then, and over what is behind it.
    """
    cells = untangled(row)
    places = range(len(cells)) if cells is not row else (0, -1)
    others = [other for other in around if other is not row and is_value(other[-1])]
    is_like_others = (
        len(cells) > 1
        and is_value(cells[-1])
        and len(cells) <= max(map(len, others), default=0)
        and all(
            any(_are_aligned(cells[n], cell) for other in others for cell in other) for n in places
        )
    )
    if is_like_others:
        return cells
    return row if _stands_as_others(row, around) else None


def _stands_as_others(row: Row, around: Sequence[Row]) -> bool:
    """Tell whether each cell of a row, figures and texts, stands as that of another one does.

    A text in the last column may be longer than others then.
    """
    return (
        len(row) >= MIN_CELLS
        and any(map(is_value, row[1:]))
        and any(
            len(other) == len(row)
            and other is not row
            and all(map(_are_aligned, row, other))
            and list(map(is_value, row)) == list(map(is_value, other))
            for other in around
        )
    )


def _are_aligned(one: Cell, other: Cell) -> bool:
    left, right = one[0].left - other[0].left, one[-1].right - other[-1].right
    return min(abs(left), abs(right)) < ALIGNED


def _names_columns(row: Row, above: Sequence[Row]) -> bool:
    # Where there are figures, the last cell is mostly one.
    if len(row) < 2 or any(map(is_value, reversed(row))) or _are_next_lines(above[-1], row):
        return False
    if is_row_of_dashes(row) or _AMOUNT.match(plain_text(row[-1])):
        return False
    if len(above[-1]) == 1 and (is_far_off(above) or _is_between(above, row)):
        return True  # Below a heading.
    left = min(one[0][0].left for one in above)
    right = max(one[-1][-1].right for one in above)
    return row[0][0].left > left + (right - left) / 4


def _is_below_labels(row: Row, above: Sequence[Row]) -> bool:
    """Tell whether names of columns stand below lines of a label and its value, as of an account.

    Labels have colons, names of columns have none.
    """
    return (
        len(above[-1]) == LABEL_AND_VALUE
        and len(row) >= MIN_CELLS
        and is_label(above[-1][0])
        and not any(map(is_label, row))
        and not any(map(is_value, row))
    )


def _are_next_lines(above: Row, row: Row) -> bool:
    """Tell whether all cells of a row go on, in small letters, below texts of the row above."""
    return all(
        cell[0].text[0].islower()
        and any(abs(cell[0].left - one[0].left) < ALIGNED and not is_value(one) for one in above)
        for cell in row
    )


def _parts_tables(rows: Sequence[Row], at: int, above: Sequence[Row]) -> bool:
    """Tell whether the row, of one cell, is a text behind a table with names of columns below."""
    several = [row for row in above if len(row) > 1]
    if len(several) < MIN_ROWS and not any(map(has_figures, several)):
        return False
    behind = next((row for row in rows[at + 1 : at + MAX_HEADER_ROWS] if len(row) > 1), [])
    if not behind or has_figures(behind):
        return False
    [cell], second = rows[at], min(row[1][0].left for row in several)
    is_sentence = cell[-1].text.endswith((".", ":"))
    is_apart = is_far_off([*above, rows[at]], APART)
    if not (is_sentence or has_figures(several[-1]) or is_apart):
        return False
    return cell[0].left < second < cell[-1].right or (is_apart and _is_title(cell, several))


def _is_title(cell: Cell, rows: Sequence[Row]) -> bool:
    """Tell whether a cell is in larger print than all words of the rows."""
    return cell[0].height > LARGER * max(word.height for word in words_of(rows))


def is_far_off(rows: Sequence[Row], by: float = FAR_OFF) -> bool:
    """Tell whether the last row stands further below the others than these below each other."""
    distances = list(map(distance_of, rows, rows[1:]))
    return len(distances) > 1 and distances[-1] > by * median(distances[:-1])


def _is_between(rows: Sequence[Row], below: Row) -> bool:
    """Tell whether the last row stands apart from those above and below, as a title does."""
    *above, last = rows
    usual = median(map(distance_of, above, above[1:])) if len(above) > 1 else inf
    return min(distance_of(above[-1], last), distance_of(last, below)) > APART * usual
