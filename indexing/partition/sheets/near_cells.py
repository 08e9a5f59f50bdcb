"""Hand over a workbook without the gaps between cells that stand far from each other.

The library holds a sheet as a rectangle around all its cells. A single one in the last corner, as a
slip of the hand leaves it, makes it larger than memory; without what is empty between, it is small.
"""

import bisect
import io
import itertools
import re
import zipfile
from collections.abc import Collection, Iterable
from typing import BinaryIO

from indexing.partition.sheets.odd_sheets import column_letters
from indexing.partition.sheets.xlsx_scan import FILLED, column_number, sheet_parts

MAX_GAP = 20
"""Of rows, or columns, one behind the other that are empty; longer ones become one."""

MAX_SHEET_BYTES = 64 << 20
"""A larger one stays as it is: to write it anew would take more memory than there is."""

_PLACE = re.compile(
    rb"""(<(?:\w+:)?(?:row|c)\b[^<>]{0,200}?\br\s*=\s*["'])([A-Z]{0,3})(\d{1,7})(?=["'])"""
)
_MERGED = re.compile(
    rb"""(<(?:\w+:)?mergeCell\b[^<>]{0,200}?\bref\s*=\s*["'])"""
    rb"""([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})(?=["'])"""
)


def without_gaps(file: BinaryIO, names: Collection[str]) -> BinaryIO:
    """Return a copy in memory of an xlsx workbook, in which these sheets have no long gaps."""
    copy = io.BytesIO()
    with zipfile.ZipFile(file) as package:
        parts = {part for name, part in sheet_parts(package) if name in names}
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for name, member in package.NameToInfo.items():
                content = package.read(name)
                is_written_anew = name in parts and member.file_size <= MAX_SHEET_BYTES
                target.writestr(name, _drawn_together(content) if is_written_anew else content)
    copy.seek(0)
    return copy


def _drawn_together(sheet: bytes) -> bytes:
    filled = FILLED.findall(sheet)
    rows = _Moves(int(row) for _, row in filled)
    columns = _Moves(column_number(column) for column, _ in filled)

    def place(column: bytes, row: bytes) -> bytes:
        letters = column and column_letters(columns.moved(column_number(column)))
        return b"%b%d" % (letters, rows.moved(int(row)))

    merged = _MERGED.sub(
        lambda area: b"%b%b:%b" % (area[1], place(area[2], area[3]), place(area[4], area[5])), sheet
    )
    return _PLACE.sub(lambda cell: cell[1] + place(cell[2], cell[3]), merged)


class _Moves:
    """How far rows, or columns, move; where there are cells in some of them."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._behind: list[int] = []  # the first behind each gap
        self._distances = [0]
        for before, behind in itertools.pairwise(sorted({*numbers})):
            gap = behind - before - 1
            if gap > MAX_GAP:
                self._behind.append(behind)
                self._distances.append(self._distances[-1] + gap - 1)

    def moved(self, number: int) -> int:
        """Return the number that one has without the gaps."""
        return number - self._distances[bisect.bisect(self._behind, number)]
