"""Write the cells of a table as text, its header row apart."""

import bisect
import itertools
import re
from collections.abc import Sequence

from indexing.types import CELL_MARK, Block, BlockKind

Row = Sequence[str]

FIGURE_MARKS = ".,’'٬٫"
"""What parts the digits of a figure; apostrophes in Switzerland, the last two in Arabic script."""

_NUMBER = re.compile(rf"[^\w]*+\d[\d\s{FIGURE_MARKS}:/%()+\-–—€$£]*+[^\w]*+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?")
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.\w+|(https?://|www\.)\S+")
# In other digits those of Iran and Thailand too, which count from other years.
_YEAR = re.compile(r"(19|20|１９|２０|١٩|٢٠|١٤|۱۹|۲۰|۱۳|۱۴|๑๙|๒๐|๒๕)\d\d")
_PERIOD_OR_RANGE = re.compile(
    # A date or a month; a year that begins in one and ends in the next.
    r"\d{4}-\d\d(-\d\d)?|\d{1,2}([./])\d{1,2}\2(\d\d|\d{4})|\d{1,2}[./]\d{4}|(19|20)\d\d[/–-]\d{2,4}|"
    # A date that begins with the year; a year of Thailand in common digits; a time.
    r"(19|20)\d\d(?P<mark>[./]) ?\d{1,2}(?P=mark) ?\d{1,2}\.?|25[5-9]\d|\d{1,2}:\d\d(:\d\d)?|"
    # Ages or sizes: 15-64, 65+, < 5.
    r"\d{1,6} ?[–-] ?\d{1,6}|\d{1,6} ?\+|[<>≤≥] ?\d{1,6}"
)

_BAR = re.compile(r"(?:^| +)\|(?: +|$)")

_COLONS = ":\N{FULLWIDTH COLON}"
# Two labels without a place between them, or a value without its label.
_NOT_LABELLED = re.compile(r"ll|v *v|^ *v")

MIN_LABELLED = 2
"""A single row with a colon may be a header as well."""

MIN_OVER_WORDS = 3
"""So many names that are dates or ranges stand above words, as shifts or marks of a plan."""

ROWS_TO_VALUES = 5
"""As far below names of ranges their first values stand."""


def table_block(rows: Sequence[Row]) -> Block | None:
    """Return the table as a block, its first row as header if it reads like one."""
    rows = [row for row in rows if any(row)]
    if not rows:
        return None
    header, below = rows[0], rows[1:]
    is_named = is_header(header, filled(header)) or names_ranges(header, below)
    if below and is_named and not are_labelled(rows):
        return table_with_header(header, below)
    return table_with_header((), rows)


def table_with_header(header: Row, rows: Sequence[Row]) -> Block:
    """Return the table as a block, without the columns that are empty from top to bottom."""
    all_rows = (header, *rows)
    filled_columns = (itertools.compress(range(len(row)), row) for row in all_rows)
    columns = sorted(set().union(*filled_columns))
    lines = [_line(row, columns) for row in all_rows]
    return Block(BlockKind.TABLE, "\n".join(lines[1:]), header=lines[0])


def _line(row: Row, columns: Sequence[int]) -> str:
    # Rows are not made as wide as the widest, which may be very wide.
    there = columns[: bisect.bisect_left(columns, len(row))]
    texts = row if len(there) == len(row) else [row[n] for n in there]
    line = CELL_MARK.join(texts)
    if line.count("|") < max(len(there), 1):
        return line.rstrip(" |")
    # A bar within a cell must not look like the mark.
    cells = [_BAR.sub("|", text) for text in texts]
    while not cells[-1]:
        cells.pop()
    return CELL_MARK.join(cells)


def is_header(row: Row, width: int) -> bool:
    """Tell whether the row names columns: at least two, most of them, and none a value."""
    return filled(row) >= max(2, width / 2) and not any(map(_is_value, row))


def _is_value(cell: str) -> bool:
    return is_number(cell) or _ADDRESS.fullmatch(cell) is not None


def are_labelled(rows: Sequence[Row]) -> bool:
    """Tell whether labels with colons, each with its value, are all that the rows hold.

    Then the first of them names no columns. A single cell may stand between them, as a title, and a
    row may hold several pairs, of which a value may be left out.
    """
    several = ["".join(map(_kind, row)) for row in rows if filled(row) > 1]
    labelled = sum("v" in row for row in several)
    return labelled >= MIN_LABELLED and not any(map(_NOT_LABELLED.search, several))


def _kind(cell: str) -> str:
    """Return a letter for a label, for a value, and a space for neither."""
    return " " if not cell else "l" if cell[-1] in _COLONS else "v"


def names_ranges(row: Row, below: Sequence[Row]) -> bool:
    """Tell whether the row names columns, several by a date or a range, and no such stand below.

    What does are numbers, or words below three names or more.
    """
    ranges = {n: cell for n, cell in enumerate(row) if _PERIOD_OR_RANGE.fullmatch(cell)}
    if len(set(ranges.values())) < max(2, len(ranges)):
        return False
    below = [one for one in below if not repeats(one, row)]
    others = (cell for n, cell in enumerate(row) if n not in ranges)
    rows = ([one[n] for n in ranges if n < len(one) and one[n]] for one in below[:ROWS_TO_VALUES])
    values = [cells for cells in rows if cells]
    if not values or any(map(is_number, others)):
        return False
    if any(map(is_number, values[0])):
        return not any(map(_PERIOD_OR_RANGE.fullmatch, values[0]))
    return len(ranges) >= MIN_OVER_WORDS and not any(map(is_number, itertools.chain(*values)))


def repeats(row: Row, names: Row) -> bool:
    """Tell whether a row holds most names once more: days that are shown as weekdays too."""
    pairs = [(cell, name) for cell, name in zip(row, names, strict=False) if cell and name]
    return len(pairs) > filled(names) / 2 and all(
        cell == name and is_number(cell) for cell, name in pairs
    )


def is_number(cell: str) -> bool:
    """Tell whether the cell holds a number, a date or a time.

    Not of a year, which is as good a column name as any.
    """
    if _NUMBER.fullmatch(cell) is None:
        return _MOMENT.fullmatch(cell) is not None
    return _YEAR.fullmatch(cell) is None


def filled(row: Row) -> int:
    """Count the cells that hold something."""
    return len(row) - row.count("")
