"""Read the lines of a table as rows, each cell with the name of its column.

Tables come in two forms: cells joined by " | ", and what a page without ruled lines leaves of one,
a label with figures behind it, below a line that names the columns by years or dates.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from indexing.types import CELL_MARK

LONGEST_HEADER_CELL = 100
LONGEST_LABEL = 80
FEWEST_ROWS = 3


class LineKind(StrEnum):
    TEXT = "text"
    CELLS = "cells"  # joined by a mark
    COLUMNS = "columns"  # years or dates, which head the figures below
    FIGURES = "figures"  # a label with figures behind it


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell, and the name of its column, "" where it has none."""

    column: str
    value: str

    def __str__(self) -> str:
        """Name the cell by its column: "Price: 12.50"."""
        return f"{self.column}: {self.value}" if self.column else self.value


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is read by itself, "Item: Desk; Price: 12.50"."""

    text: str
    header: str = ""  # the line that names its columns
    cells: tuple[
        Cell, ...
    ] = ()  # the first says what the row is about; none if columns are unknown


_VALUE = re.compile(r"\d")
_YEAR = re.compile(r"(?:FY ?)?(?:1[5-9]|20)\d\d")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_COLUMN = re.compile(
    rf"\b(?:{_MONTH} \d{{1,2}}, |\d{{1,2}}\.? {_MONTH} |Q[1-4] )?(?:{_YEAR.pattern})\b"
)
_NOTE = re.compile(r"\(\d{1,2}\)")  # 2018 (1)
_COLUMNS = re.compile(rf"(?:.{{0,{LONGEST_LABEL}}}? )??{_COLUMN.pattern}(?:\s+{_COLUMN.pattern})+")
_NUMBER = r"[+–-]?\d(?:[\d.,'’]*\d)?"
_FIGURE = re.compile(rf"(?:[$€£¥] ?)?(?:\({_NUMBER}\)|{_NUMBER}|[—–-](?!\S))(?: ?%)?")
_FIGURE_WORD = re.compile(rf"{_FIGURE.pattern}|[$€£¥%]")
_ENDS_OPEN = re.compile(r"(?:[.,;&]|\b(?:and|at|by|from|in|of|or|to|was|were))$")


_OF_FIGURES = (LineKind.COLUMNS, LineKind.FIGURES)


def line_kinds(lines: Sequence[str]) -> list[LineKind]:
    """Tell of each line whether it is text or what part of a table."""
    kinds = [_kind(line) for line in lines]
    # A line with a single figure may be anything; among rows, or several in a row, it is one, too.
    single = [
        kind is LineKind.TEXT and _is_row(line, 1) for kind, line in zip(kinds, lines, strict=True)
    ]
    for number in range(len(lines)):
        above = kinds[number - 1] if number else LineKind.TEXT
        in_a_row = all(single[number : number + FEWEST_ROWS]) and number + FEWEST_ROWS <= len(lines)
        if single[number] and (above in _OF_FIGURES or in_a_row):
            kinds[number] = LineKind.FIGURES
    return kinds


def rows_of_cells(lines: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table whose cells are joined by the mark."""
    header = _cells(lines[0])
    if len(lines) == 1 or not _names_columns(header):
        yield from (Row(line) for line in lines)
        return
    for line in lines[1:]:
        yield _row_of_cells(header, lines[0], line)


def row_of_figures(line: str, header: str) -> Row:
    """Read a label and the figures behind it; `header` may name no columns, or others."""
    columns = _COLUMN.findall(header)
    label, figures = _label_and_figures(line)
    if not columns or len(columns) != len(figures):
        return Row(line, header)
    named = (Cell(*pair) for pair in zip(columns, figures, strict=True))
    return _row([Cell("", label), *named], header)


def _row(cells: Sequence[Cell], header: str) -> Row:
    return Row("; ".join(map(str, cells)), header, tuple(cells))


def _kind(line: str) -> LineKind:
    if CELL_MARK in f" {line} ":  # The first or the last cell may be empty.
        return LineKind.CELLS
    if _COLUMNS.fullmatch(line):
        return LineKind.COLUMNS
    return LineKind.FIGURES if _is_row(line, 2) else LineKind.TEXT


def _is_row(line: str, fewest: int) -> bool:
    label, figures = _label_and_figures(line)
    return (
        len(figures) >= fewest
        and 0 < len(label) <= LONGEST_LABEL
        and not _ENDS_OPEN.search(label)
        and any(_VALUE.search(figure) for figure in figures)
    )


def _label_and_figures(line: str) -> tuple[str, list[str]]:
    words = line.split()
    start = len(words)
    while start and _FIGURE_WORD.fullmatch(words[start - 1]):
        start -= 1
    label, figures = " ".join(words[:start]), _FIGURE.findall(" ".join(words[start:]))
    if not label and len(figures) > 1:
        return figures[0], figures[1:]  # A row may be about a year.
    return label, figures


def _row_of_cells(header: list[str], header_line: str, line: str) -> Row:
    cells = _cells(line)
    cells += [""] * (len(header) - len(cells))  # Empty ones at the end are not written out.
    if len(cells) != len(header) or max(map(len, header)) > LONGEST_HEADER_CELL:
        return Row(f"{CELL_MARK.join(header)}\n{line}", header_line)
    named = [Cell(*pair) for pair in zip(header, cells, strict=True) if pair[1]]
    return _row(named, header_line)


def _cells(line: str) -> list[str]:
    if line.startswith("|") and line.endswith("|"):
        line = line[1:-1]  # Markdown draws the borders, too.
    return [cell.strip() for cell in line.split("|")]


def _names_columns(cells: Sequence[str]) -> bool:
    """Tell a header from a row: it holds no values, or only dates."""
    return all(not _VALUE.search(_NOTE.sub("", _COLUMN.sub("", cell))) for cell in cells)
