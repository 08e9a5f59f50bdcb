"""Take the values of a sheet from the library, in which one may be more than Python can hold.

A cell whose format shows a span of time (`[h]:mm`) may hold any number of days.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import python_calamine


def sheet_values(sheet: python_calamine.CalamineSheet, unread: list[int]) -> Iterable[list[Any]]:
    """Return the rows from the first that holds anything.

    One that holds such a span comes empty, and its number, from 1, is added to those unread.
    """
    try:
        rows: list[list[Any]] = sheet.to_python()
    except OverflowError:
        return _row_by_row(sheet, unread)
    return rows


def unread_rows(label: str, unread: list[int]) -> str:
    """Say which rows of the sheet were not read."""
    return (
        f"rows of the sheet {label!r} were not read ({len(unread)} in all, row {unread[0]} among "
        "them): they hold spans of time of millions of years; give these cells the format of a "
        "number"
    )


def _row_by_row(sheet: python_calamine.CalamineSheet, unread: list[int]) -> Iterator[list[Any]]:
    first = sheet.start[0] if sheet.start else 0
    rows = sheet.iter_rows()
    # They begin with the first of the sheet, empty or not.
    for number in range(1, first + sheet.height + 1):
        try:
            row = next(rows)
        except OverflowError:
            row = [""] * sheet.width
            unread.append(number)
        if number > first:
            yield row
