"""Sheets that Google writes as web pages, with the letters of their columns and numbers of rows."""

from collections.abc import Sequence
from string import ascii_uppercase

from indexing.partition.merged_cells import Row

MIN_LETTERS = 2


def cells_of_sheet(cells: Sequence[Row], headings: Sequence[bool]) -> list[Row]:
    """Return what the cells of a sheet hold, or nothing if letters and numbers do not name them.

    `headings` tells of each row whether its first cell is a heading. Below rows that stay in view
    while others are moved stands one without a number, which holds nothing.
    """
    if not cells or not all(headings):
        return []
    corner, *letters = cells[0]
    numbers = [row[0] for row in cells[1:] if row[0]]
    named = [letter for letter in letters if letter]
    if corner or not _go_by_letters(named):
        return []
    if not numbers or not all(map(str.isdecimal, numbers)):
        return []
    return [row[1:] for row in cells[1:] if row[0]]


def _go_by_letters(names: Sequence[str]) -> bool:
    letters = list(ascii_uppercase)  # Behind them AA follows.
    return len(names) >= MIN_LETTERS and list(names[: len(letters)]) == letters[: len(names)]
