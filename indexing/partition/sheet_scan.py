"""What is found in a workbook before its sheets are opened."""

from dataclasses import dataclass, field

from indexing.partition.number_formats import CellFormat


@dataclass(frozen=True, slots=True)
class SheetScan:
    """What shows of a sheet without opening it."""

    places: int = 0  # of the rectangle around its cells that hold something
    uncomputed: int = 0  # formulas without their values
    # By row and column, from 0. What is shown: errors, and numbers that would come as dates.
    shown: dict[int, dict[int, str]] = field(default_factory=dict)
    # By row, from 0: the columns from and to which it names those of a table.
    names: dict[int, list[range]] = field(default_factory=dict)
    formats: dict[int, dict[int, CellFormat]] = field(default_factory=dict)
