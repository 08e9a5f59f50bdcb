"""Part the dates that begin the rows of a table from texts that stand as close as words."""

import re
from collections.abc import Sequence

from indexing.partition.pdf.tables.cells import Row

ALIGNED = 1.0  # points
MIN_DATES = 3

_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")


def with_date_column(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows with the dates before texts as cells, if these all begin at one place.

    A date within a text is followed by its words wherever it ends.
    """
    dated = [row for row in rows if len(row) > 1 and _begins_with_date(row)]
    if len(dated) < MIN_DATES:
        return rows
    lefts = [row[0][1].left for row in dated]
    if max(lefts) - min(lefts) > ALIGNED:
        return rows
    parted = set(map(id, dated))
    return [[row[0][:1], row[0][1:], *row[1:]] if id(row) in parted else row for row in rows]


def _begins_with_date(row: Row) -> bool:
    """Tell whether the first cell is a date and what is behind it."""
    text = row[0][0].text
    return text[0].isdecimal() and len(row[0]) > 1 and _DATE.fullmatch(text) is not None
