"""Find addresses that stand side by side in a picture.

Each stands below a label with a colon, or is told by itself.
"""

from collections.abc import Iterator, Sequence
from statistics import median

from indexing.partition.tables import is_number
from indexing.visual_letterheads import address_and_rest
from indexing.visual_rows import Row, middle

MIN_LINES, MAX_LINES = 2, 7
"""Below the label; with more it is rather a table whose names of columns have colons."""

MAX_DISTANCE = 1.7  # of two lines, times their height
MIN_GAP = 1.5  # times the height of a line, to the next address

_COLONS = (":", "\N{FULLWIDTH COLON}")

Addresses = list[list[Row]]
"""Of each the label and the lines."""


def addresses_in(rows: Sequence[Row]) -> Iterator[tuple[int, int, Addresses]]:
    """Yield from which row to which addresses stand beside each other, and these."""
    at = 0
    while at < len(rows):
        end = _end(rows, at)
        addresses = _addresses(rows[at:end])
        if _are_addresses(addresses):
            yield at, end, addresses
            at = end
            continue
        end, addresses = address_and_rest(rows, at)
        if addresses:
            yield at, end, addresses
        at = max(end, at + 1)


def _end(rows: Sequence[Row], start: int) -> int:
    """Return where the lines end that stand close below a row of labels and begin like these."""
    labels = rows[start]
    if len(labels) < 2 or not all(label.text.endswith(_COLONS) for label in labels):
        return start
    end = start + 1
    while end < len(rows) and _goes_on(rows[end - 1], rows[end], labels):
        end += 1
    return end


def _goes_on(above: Row, row: Row, labels: Row) -> bool:
    height = median(cell.height for cell in row)
    if middle(row) - middle(above) > MAX_DISTANCE * height:
        return False
    columns = [_label_of(cell.left, labels, height) for cell in row]
    if None in columns or any(cell.text.endswith(_COLONS) for cell in row):
        return False
    ends = [*(label.left for label in labels[1:]), float("inf")]
    return all(
        cell.right + MIN_GAP * height < ends[column]
        for cell, column in zip(row, columns, strict=True)
        if column is not None
    )


def _label_of(left: float, labels: Row, height: float) -> int | None:
    """Return the number of the label below which something begins."""
    near = (n for n, label in enumerate(labels) if abs(label.left - left) < height)
    return next(near, None)


def _addresses(rows: Sequence[Row]) -> Addresses:
    if not rows:
        return []
    addresses: Addresses = [[[label]] for label in rows[0]]
    for row in rows[1:]:
        for cell in row:
            column = _label_of(cell.left, rows[0], cell.height)
            if column is not None:
                addresses[column].append([cell])
    return addresses


def _are_addresses(addresses: Addresses) -> bool:
    """Tell addresses from the columns of a table."""
    return bool(addresses) and all(
        MIN_LINES < len(lines) <= MAX_LINES + 1
        and not all(is_number(cell.text) for (cell,) in lines[1:])
        for lines in addresses
    )
