"""Names of columns that a second row completes: the units of their figures, or names left out."""

import itertools
from collections.abc import Collection, Sequence

from indexing.partition.merged_cells import Row
from indexing.partition.tables import ROWS_TO_VALUES, is_number

MIN_COMPLETED = 2
"""A single cell below the names may as well be a heading of the rows."""

ROWS_COMPARED = 100
"""Among so many rows a second heading would show."""


def completed(names: Row, below: Sequence[Row]) -> Row:
    """Return the names, each with what the row below says of it; nothing if it names no columns.

    It does if all that it holds are words where the names leave columns out, as pandas writes the
    names of an index, or words above figures, beside a column of labels that it leaves empty.
    """
    if len(below) < 2:
        return []
    pairs = list(itertools.zip_longest(names, below[0], fillvalue=""))
    # A name that is merged over both rows stands in both.
    said = {n: cell for n, (name, cell) in enumerate(pairs) if cell and cell != name}
    if len(said) < MIN_COMPLETED or any(map(is_number, said.values())):
        return []
    if not (_are_left_out(pairs, said, below[1:]) or _are_units(said, below[1:])):
        return []
    return [" ".join(filter(None, (name, said.get(n)))) for n, (name, _) in enumerate(pairs)]


def _are_left_out(
    pairs: Sequence[tuple[str, str]], said: Collection[int], rows: Sequence[Row]
) -> bool:
    """Tell whether no name stands above, and every row says more: it is under no heading."""
    filled = ({n for n, cell in enumerate(row) if cell} for row in rows)
    return not any(pairs[n][0] for n in said) and all(row > set(said) for row in filled)


def _are_units(said: Collection[int], rows: Sequence[Row]) -> bool:
    rows = rows[:ROWS_TO_VALUES]
    columns = [[row[n] for row in rows if n < len(row) and row[n]] for n in said]
    first = min(n for row in rows for n, cell in enumerate(row) if cell)
    has_figures = sum(map(bool, columns)) >= MIN_COMPLETED
    return first < min(said) and has_figures and all(map(is_number, itertools.chain(*columns)))
