"""What is found in a workbook before its sheets are opened."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from indexing.partition.sheets.day_numbers import MomentFormat
from indexing.partition.sheets.number_formats import CellFormat
from indexing.partition.sheets.text_formats import TextFormat

Place = tuple[int, int]  # row and column, from 0


@dataclass(frozen=True, slots=True)
class SheetScan:
    """What shows of a sheet without opening it."""

    places: int = 0  # of the rectangle around its cells that hold something
    uncomputed: int = 0  # formulas without their values
    # By row and column, from 0. What is shown: errors, and numbers that would come as dates.
    shown: dict[int, dict[int, str]] = field(default_factory=dict)
    # By row, from 0: the columns from and to which it names those of a table.
    names: dict[int, list[range]] = field(default_factory=dict)
    formats: dict[int, dict[int, CellFormat | MomentFormat]] = field(default_factory=dict)
    bold: dict[int, list[int]] = field(default_factory=dict)  # columns of texts, by row
    around: dict[int, dict[int, TextFormat]] = field(default_factory=dict)  # texts, by their place
    has_unknown_errors: bool = False  # to the library that reads the cells

    def with_formats(self, saved: "SheetScan") -> "SheetScan":
        """Return the scan with the formats that another has of the same cells."""
        formats = dict(self.formats)
        for row, in_row in saved.formats.items():
            formats[row] = formats.get(row, {}) | in_row
        return replace(self, formats=formats)

    def without_value(self) -> list[Place]:
        """Return where a value is shown as none, because nobody has computed it."""
        in_rows = self.shown.items()
        return [(row, column) for row, cells in in_rows for column in cells if not cells[column]]

    def with_values(self, values: Mapping[Place, str]) -> "SheetScan":
        """Return the scan with values for such formulas."""
        shown = {row: dict(cells) for row, cells in self.shown.items()}
        for (row, column), text in values.items():
            shown[row][column] = text
        return replace(self, uncomputed=self.uncomputed - len(values), shown=shown)


def without_values(scan: SheetScan, places: Iterable[Place]) -> SheetScan:
    """Return the scan with formulas, by row and column, whose values nobody has computed."""
    shown = {row: dict(in_row) for row, in_row in scan.shown.items()}
    uncomputed = scan.uncomputed
    for row, column in places:
        shown.setdefault(row, {})[column] = ""
        uncomputed += 1
    return replace(scan, uncomputed=uncomputed, shown=shown)
