"""Find an address in a picture that something else stands beside: another, or a letter's number.

It has no label, and is told by its street and its postal code.
"""

import re
from collections.abc import Sequence
from statistics import median

from indexing.visual_rows import Row, middle

MIN_LINES, MAX_LINES = 3, 8
MIN_BESIDE = 2
MAX_DISTANCE = 1.7  # of two lines, times their height
MIN_GAP = 1.5  # times the height of a line, between the address and what stands beside it

_STREET = re.compile(
    r"\d{1,4}[A-Za-z]?[ ,]+[^\W\d].*|[^\W\d].*[ ,.]\d{1,4} ?[A-Za-z]?"
    r"|[^\W\d]+ \d{1,4}[A-Za-z]?, ?(?:\d{1,4}[A-Za-z]? )?[^\W\d]+(?: [^\W\d]+)*"
)
"""With the number before or behind its name, or that of a house or flat before it (`Unit 9, …`)."""

_TOWN = re.compile(
    r"\b(?:(?!(?:19|20)\d\d$)(?:[A-Z]{1,3}-?)?\d{4,6}|\d{3} \d{2}"
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b"
)
"""The postal codes of most countries; four figures at the end may be a year."""


def address_and_rest(rows: Sequence[Row], start: int) -> tuple[int, list[list[Row]]]:
    """Return where an address ends that begins in a row, its lines, and what stands beside it.

    Where none does there are no lines.
    """
    left = rows[start][0].left
    address: list[Row] = []
    beside: list[Row] = []
    end = start
    for at in range(start, len(rows)):
        height = median(cell.height for cell in rows[at])
        if at > start and middle(rows[at]) - middle(rows[at - 1]) > MAX_DISTANCE * height:
            break
        if max(len(address), len(beside)) > MAX_LINES:
            return start, []
        own = [cell for cell in rows[at] if abs(cell.left - left) < height]
        rest = [cell for cell in rows[at] if abs(cell.left - left) >= height]
        both = [*address, own], [*beside, rest]
        right = max((cell.right for row in both[0] for cell in row), default=left)
        if any(cell.left < right + MIN_GAP * height for row in both[1] for cell in row):
            break
        address += filter(None, [own])
        beside += filter(None, [rest])
        end = at + 1
    if len(beside) < MIN_BESIDE or not _is_address([cell.text for (cell, *_) in address]):
        return start, []
    further_end, further = address_and_rest(beside, 0)
    return end, [address, *(further if further_end == len(beside) else [beside])]


def _is_address(lines: Sequence[str]) -> bool:
    """Tell a name with one street and, in a line of its own, one town from the cells of a list."""
    if not MIN_LINES <= len(lines) <= MAX_LINES:
        return False
    name, *below = lines
    towns = [line for line in below if _TOWN.search(line) and _has_letters(line)]
    streets = [line for line in below if line not in towns and _STREET.fullmatch(line)]
    has_figures = any(character.isdigit() for character in name)
    return len(towns) == len(streets) == 1 and not has_figures


def _has_letters(line: str) -> bool:
    return any(character.isalpha() for character in line)
