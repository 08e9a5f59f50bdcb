"""Part rows of drawn cells where a table ends, and titles of groups from the labels below them."""

import itertools
from collections.abc import Iterator, Sequence
from statistics import median
from unicodedata import east_asian_width

from indexing.partition.pdf.tables.cells import Cell, cell_text, is_label, is_value
from indexing.partition.pdf.tables.columns import Column
from indexing.partition.pdf.tables.drawn_cells import (
    DrawnCell,
    DrawnRow,
    distance_below,
    drawn_cell,
)

AS_NEAR = 1.15  # times as far apart as most lines of a cell are two of them at most
ALIGNED = 0.3  # of the distance of two lines
MIN_NAMES = 3
MAX_TITLES = 2  # above each other
LONGEST_TITLE = 100
OVERLAP = 1.0  # points
SPACE = 0.3  # of the height of the words
WIDE = "WF"  # characters between which a line may end


def at_gaps(rows: Sequence[DrawnRow], close: float) -> Iterator[DrawnRow]:
    """Yield the rows, without what is too far above their first cell or below their last one."""
    for first, *others in rows:
        *above, first = _parts(first, close, others[0].left if others else first.right)
        yield from ([cell] for cell in above)
        if not others:
            yield [first]
            continue
        last, *below = _parts(others[-1], close, others[-1].right)
        yield [first, *others[:-1], last]
        yield from ([cell] for cell in below)


def tables_in(rows: Sequence[DrawnRow]) -> Iterator[list[DrawnRow]]:
    """Yield the rows of a table each, with what stands alone above and between them."""
    part: list[DrawnRow] = []
    alone: list[DrawnRow] = []
    for row in rows:
        if len(row) == 1:
            alone.append(row)
            continue
        if part and not _goes_on(part, alone, row):
            yield part
            part = []
        part += [*alone, row]
        alone = []
    if part:
        yield part


def without_titles(
    rows: Sequence[DrawnRow], columns: Sequence[Column], line: float, *, are_apart: bool
) -> Iterator[DrawnRow]:
    """Yield the rows, apart titles of groups that stand as near to a label as its own lines.

    Of rows that are apart from each other, only the heights of the others tell.
    """
    end = columns[1].left
    labelled = [row for row in rows if len(row) > 1 and row[0].right < end]
    place = _place_of(labelled, line)
    right = max((row[0].right for row in labelled), default=0.0)
    for row in rows:
        label, *others = row
        titles = 0
        if others and label.right < end and len(label.lines) > 1:
            titles = _count_titles(row, place, line, 0.0 if are_apart else right)
        if titles:
            yield [drawn_cell(label.lines[:titles])]
        yield [drawn_cell(label.lines[titles:]), *others] if titles else row


def is_item(row: DrawnRow, second: float) -> bool:
    """Tell whether a row is a text behind its mark, as a note, that begins in the first column.

    Given is where the second column begins.
    """
    return len(row) == 2 and row[1].left < second - OVERLAP and not has_value(row[1])


def has_value(cell: DrawnCell) -> bool:
    """Tell whether a cell holds a figure."""
    return len(cell.lines) == 1 and is_value(list(cell.lines[0]))


def _parts(cell: DrawnCell, close: float, end: float) -> list[DrawnCell]:
    """Return the parts of a cell, parted where lines are too far apart, or one is too long."""
    parts = [[cell.lines[0]]]
    for above, line in itertools.pairwise(cell.lines):
        if distance_below(above, line) > close or above[-1].right > end:
            parts.append([])
        parts[-1].append(line)
    return list(map(drawn_cell, parts))


def _goes_on(part: Sequence[DrawnRow], alone: Sequence[DrawnRow], row: DrawnRow) -> bool:
    """Tell whether a table goes on with a row, below titles of groups or right below the last."""
    above = part[-1]
    widest = max(part, key=len)
    if not _is_below(above, row) or not _are_titles(alone, above) or is_item(row, widest[1].left):
        return False
    if not has_value(above[-1]):
        return True
    has_heading = any(cell.lines[-1][0].left > above[0].right for [cell] in alone)
    return not has_heading and not _names_columns(row, part)


def _is_below(above: DrawnRow, row: DrawnRow) -> bool:
    """Tell whether all cells of a row are below those of another one that they stand under."""
    return all(
        one.bottom < cell.top + OVERLAP
        for one, cell in itertools.product(above, row)
        if one.left < cell.right and cell.left < one.right
    )


def _are_titles(alone: Sequence[DrawnRow], above: DrawnRow) -> bool:
    """Tell whether what stands alone below a row is no text between two tables.

    A text of several lines, or that ends as a sentence, reaches over columns.
    """
    texts = [cell_text(row[0].words) for row in alone]
    is_text = any(
        sum(one.left < cell.right and cell.left < one.right for one in above) >= MIN_NAMES
        and (len(alone) > 1 or text.endswith((".", ":")))
        for [cell], text in zip(alone, texts, strict=True)
    )
    return (
        len(alone) <= MAX_TITLES
        and not is_text
        and max(map(len, texts), default=0) <= LONGEST_TITLE
    )


def _names_columns(row: DrawnRow, above: Sequence[DrawnRow]) -> bool:
    """Tell whether a row below figures is a header: without any, nor a label, or with all cells."""
    if any(map(has_value, row)):
        return False
    several = [one for one in above if len(one) > 1]
    left = min(one[0].left for one in several) + row[0].lines[0][0].height
    end = median(one[0].right for one in several if one[0].left < left)
    if row[0].left > end or len(row) + 1 >= max(map(len, several)):
        return True
    # Where most cells are figures, a row of words alone is no row.
    behind = [has_value(cell) for one in several for cell in one[1:]]
    return len(row) >= MIN_NAMES and 2 * sum(behind) > len(behind)


def _place_of(rows: Sequence[DrawnRow], line: float) -> int:
    """Return where cells of several lines are at one height in most rows: 0 is at their tops."""
    several = [row for row in rows if len({len(cell.lines) for cell in row}) > 1]
    counts = [sum(_are_aligned(row, place, line) for row in several) for place in range(3)]
    return counts.index(max(counts))


def _are_aligned(row: DrawnRow, place: int, line: float) -> bool:
    at = [(cell.first, (cell.first + cell.last) / 2, cell.last)[place] for cell in row]
    return max(at) - min(at) < ALIGNED * line


def _count_titles(row: DrawnRow, place: int, line: float, right: float) -> int:
    """Return how many of the first lines are none of the label, as their heights tell.

    Where cells stand at the bottom, all may be. Then lines above one whose first word would have
    found room before `right`, or with a colon at their end, are none.
    """
    label, *others = row
    fitting = [
        n
        for n in range(len(label.lines))
        if _are_aligned([drawn_cell(label.lines[n:]), *others], place, line)
    ]
    if 0 not in fitting:
        return fitting[0] if fitting and fitting[0] <= MAX_TITLES else 0
    ends = [n for n in fitting[1:] if right and _ends_before(label.lines, n, right)]
    return max(ends, default=0)


def _ends_before(lines: Sequence[Cell], number: int, right: float) -> bool:
    above, first = lines[number - 1], lines[number][0]
    text = first.text.split()[0]
    if east_asian_width(text[0]) in WIDE:
        text = text[0]
    width = (first.right - first.left) * len(text) / len(first.text)
    return is_label(above) or above[-1].right + SPACE * first.height + width < right
