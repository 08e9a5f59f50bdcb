"""Part lines of csv that were quoted whole, and so came as a single cell.

Excel writes them when it had read the file with another delimiter than that of its cells.
"""

import csv
from collections.abc import Iterable

from indexing.partition.merged_cells import Row


def parted_line(row: Row, delimiter: str) -> Row:
    """Return the cells within a row that is a single one; the row itself if there are none."""
    if len(row) != 1 or delimiter not in row[0]:
        return row
    try:
        (cells,) = csv.reader(row, delimiter=delimiter, strict=True)
    except csv.Error:
        return row
    # Behind what parts a sentence or a name there is a space.
    return row if any(cell.startswith(" ") for cell in cells) else cells


def has_quoted_lines(rows: Iterable[Row], delimiter: str) -> bool:
    """Tell whether there are such lines, and every row, the header too, has as many cells then."""
    width, is_found = 0, False
    for row in filter(any, rows):
        cells = parted_line(row, delimiter)
        # In a column without a name, "1,5" is a number.
        if not width and cells is not row and not all(map(_has_letter, cells)):
            return False
        width = width or len(cells)
        if width == 1 or len(cells) != width:
            return False
        is_found = is_found or cells is not row
    return is_found


def _has_letter(cell: str) -> bool:
    return any(map(str.isalpha, cell))
