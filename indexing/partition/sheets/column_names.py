"""Cells of which the file itself says that they name columns, or shows it by bold print.

Those of a table in Excel are said to; others only look like it.
"""

from collections.abc import Sequence


class ColumnName(str):
    """The text of such a cell."""

    __slots__ = ()


class BoldText(str):
    """The text of a cell in bold print."""

    __slots__ = ()


def holds_names(row: Sequence[str]) -> bool:
    """Tell whether a cell of the row is one."""
    return ColumnName in map(type, row)


def is_named(row: Sequence[str]) -> bool:
    """Tell whether the row consists of them."""
    return holds_names(row) and all(isinstance(cell, ColumnName) for cell in row if cell)


def is_bold(row: Sequence[str]) -> bool:
    """Tell whether all that the row holds is in bold print."""
    return any(row) and all(isinstance(cell, BoldText) for cell in row if cell)
