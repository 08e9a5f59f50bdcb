"""The table in a grid on a PDF page, whether its rules are drawn or only thought."""

from collections.abc import Iterator, Sequence

import numpy as np

from indexing.partition.pdf.tables import grids
from indexing.partition.pdf.tables.bands import Bands
from indexing.partition.pdf.tables.cells import Word, line_of
from indexing.partition.pdf.tables.ruled_grids import Grid
from indexing.partition.pdf.tables.text_tables import TextTable, in_text
from indexing.partition.pdf.tables.words import PageText

MOST_IN_PLACE = 0.9
"""Of the words within rules, if the others are none of the table."""


def in_grid(text: PageText, grid: Grid) -> Iterator[TextTable]:
    """Yield the table, if there is one."""
    words = text.words_within(grid, lines_within(text, grid))
    found = list(_in_words_of_grid(text, grid, words))
    if not found and (most := _in_one_place(words)):
        found = list(_in_words_of_grid(text, grid, most))
    yield from found


def lines_within(text: PageText, area: Grid | Bands) -> list[int]:
    """Return the lines that lie in a part of the page."""
    width, height = text.size
    lefts, tops, rights, bottoms = text.stand.T
    is_within = area.holds((lefts + rights) / 2 * width, (tops + bottoms) / 2 * height)
    lines: list[int] = np.flatnonzero(is_within).tolist()
    return lines


def _in_words_of_grid(text: PageText, grid: Grid, words: Sequence[Word]) -> Iterator[TextTable]:
    mirror_width = text.size[0] if text.letters.is_from_right else 0.0
    table = grids.table_in(grid, words, mirror_width)
    if table is not None:
        yield from in_text(text, table, words)


def _in_one_place(words: Sequence[Word]) -> list[Word]:
    """Return the words of most lines, if a few others stand far from these in the text.

    A slanted name comes far behind what is below it.
    """
    lines = sorted(set(map(line_of, words)))
    runs: list[list[int]] = []
    for number in lines:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    longest = set(sorted(runs, key=len)[-1]) if runs else set()
    most = [word for word in words if word.line in longest]
    return most if MOST_IN_PLACE * len(words) <= len(most) < len(words) else []
