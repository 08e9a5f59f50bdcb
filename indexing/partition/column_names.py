"""Cells of which the file itself says that they name columns, as those of a table in Excel do."""

from collections.abc import Sequence


class ColumnName(str):
    """The text of such a cell."""

    __slots__ = ()


def holds_names(row: Sequence[str]) -> bool:
    """Tell whether a cell of the row is one."""
    return any(isinstance(cell, ColumnName) for cell in row)


def is_named(row: Sequence[str]) -> bool:
    """Tell whether the row consists of them."""
    return holds_names(row) and all(isinstance(cell, ColumnName) for cell in row if cell)
