"""Find the tables in the text of a PDF page, by where its words stand.

The lines of the page stay as they are until a cheap sign says that some may be the rows of a table
(`runs`). Only of these the words are looked for.
"""

import bisect
import itertools
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace

from indexing.partition.pdf.in_step import Steps
from indexing.partition.pdf.pictures import Drawn
from indexing.partition.pdf.tables.aligned_rows import aligned_rows
from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Table, Word, line_of, rows_of
from indexing.partition.pdf.tables.drawn_cells import steps_up
from indexing.partition.pdf.tables.drawn_tables import DrawnTable, drawn_tables
from indexing.partition.pdf.tables.drawn_twice import lines_behind
from indexing.partition.pdf.tables.grid_tables import in_grid
from indexing.partition.pdf.tables.row_rules import completed
from indexing.partition.pdf.tables.ruled_grids import Grid
from indexing.partition.pdf.tables.ruled_tables import find_ruled
from indexing.partition.pdf.tables.rules import Rule, find_rules
from indexing.partition.pdf.tables.running_text import running_lines
from indexing.partition.pdf.tables.runs import (
    MIN_SIGNS,
    count_steps,
    has_figures_at_end,
    runs_of,
    signs_of,
)
from indexing.partition.pdf.tables.sheets import sheets_of
from indexing.partition.pdf.tables.text_tables import TextTable, in_text, lines_between, lines_of
from indexing.partition.pdf.tables.touching_columns import touches_of
from indexing.partition.pdf.tables.words import PageText
from indexing.types import CELL_MARK

MAX_LINES = 2000


def find_tables(text: PageText, drawn: Callable[[], Drawn]) -> Steps[list[TextTable]]:
    """Find the tables of the page, in the order of its lines, step by step.

    `drawn` tells what is drawn on the page, and is asked only where that may be a table.
    """
    if len(text.lines) > MAX_LINES:
        return []
    have_figures = list(map(has_figures_at_end, text.lines))
    signs = signs_of(text, have_figures)
    if sum(signs) < MIN_SIGNS and count_steps(text) < MIN_SIGNS:
        return []
    yield
    rules = find_rules(text.page, text.size, drawn())
    running = running_lines(text, signs)
    ruled = find_ruled(text, rules, have_figures, running)
    taken = {line for table in ruled for line in table.lines}
    yield
    runs = [
        part
        for run in runs_of(text, signs, running)
        for part in _parts_beside(run, taken)
        if sum(signs[part.start : part.stop]) >= MIN_SIGNS
    ]
    words = text.words([number for run in runs for number in run])
    yield
    found = [table for run in runs for table in _borderless(text, run, words)]
    for run in runs:
        found = _with_cells_behind(text, run, taken, found)
    return sorted([*ruled, *found], key=lambda table: table.lines.start)


def _parts_beside(run: range, taken: Set[int]) -> Iterator[range]:
    """Yield the parts of a run between the lines that are taken."""
    if taken.isdisjoint(run):
        yield run
        return
    for is_taken, part in itertools.groupby(run, key=taken.__contains__):
        if not is_taken:
            numbers = list(part)
            yield range(numbers[0], numbers[-1] + 1)


def _borderless(text: PageText, run: range, words: Sequence[Word]) -> list[TextTable]:
    start, end = (bisect.bisect_left(words, at, key=line_of) for at in (run.start, run.stop))
    words = words[start:end]
    found = list(_by_places(text, words))
    if all(any(_has_in_row(one, *step) for one in found) for step in steps_up(words)):
        return found
    return _with_drawn(text, words, found)


def _with_cells_behind(
    text: PageText, run: range, taken: Set[int], found: list[TextTable]
) -> list[TextTable]:
    """Return the tables, with those whose cells of several lines are drawn behind all others."""
    behind = lines_behind(text.boxes, run)
    if not behind or not taken.isdisjoint(behind):
        return found
    return _with_drawn(text, text.words(range(run.start, behind.stop)), found)


def _with_drawn(text: PageText, words: Sequence[Word], found: list[TextTable]) -> list[TextTable]:
    """Return the tables with those of drawn cells, in place of such as lack some of these."""
    for drawn in drawn_tables(words, from_right=text.letters.is_from_right):
        for table in in_text(text, drawn.table, words):
            others = [one for one in found if not set(one.lines).isdisjoint(table.lines)]
            if all(_lacks(one, drawn, table) for one in others):
                found = [*(one for one in found if one not in others), table]
    return found


def _has_in_row(table: TextTable, one: Word, other: Word) -> bool:
    """Tell whether two words that are drawn in one row are in one, or in the header.

    A table that has no header may lack that of the same.
    """
    if not table.block.header or not {one.line, other.line}.issubset(table.lines):
        return False
    rows = [f" {row} " for row in (table.block.header, *table.block.text.split("\n"))]
    return any(f" {one.text} " in row and f" {other.text} " in row for row in rows)


def _lacks(other: TextTable, drawn: DrawnTable, table: TextTable) -> bool:
    """Tell whether a table has the cells of one row in several, or not all names in the header."""
    if not set(other.lines) <= set(table.lines):
        return False
    rows = [set(row.split(CELL_MARK)) for row in other.block.text.split("\n")]
    are_whole = all(any(map(cells.issubset, rows)) for cells in drawn.sure)
    return not are_whole or _count_names(table) > _count_names(other)


def _count_names(table: TextTable) -> int:
    return sum(map(bool, map(str.strip, table.block.header.split(CELL_MARK))))


def _by_places(text: PageText, words: Sequence[Word]) -> Iterator[TextTable]:
    """Yield the tables that are told by where words stand alone."""
    for edges in aligned_rows(words):
        whole = list(completed(edges, words))
        # A row of a text alone may as well be a text between two tables.
        for found in in_grid(text, whole[0]) if len(whole) == 1 else ():
            yield found
            words = [word for word in words if word.line not in found.lines]
    rows = list(rows_of(words))
    for found in _in_sheets(text, rows):
        yield found
        words = [word for word in words if word.line not in found.lines]
    touches = [] if text.letters.is_from_right else touches_of(words, text.each_word)
    if touches:
        lines = set(map(line_of, words))
        words = text.words_within(_cut_at(text, [one.middle for one in touches]), lines)
    is_same = len(words) == sum(map(len, rows)) and not touches
    for table in tables_of(rows if is_same else rows_of(words), touches):
        yield from in_text(text, _without_names_below(text, table), words)


def _in_sheets(text: PageText, rows: Sequence[Sequence[Word]]) -> Iterator[TextTable]:
    if text.letters.is_from_right:
        return

    def parted(places: Sequence[float], lines: Set[int]) -> list[Word]:
        return text.words_within(_cut_at(text, places), lines)

    for table, of_table in sheets_of(rows, parted):
        yield from in_text(text, table, of_table)


def _cut_at(text: PageText, places: Sequence[float]) -> Grid:
    """Return the page as if rules were drawn down it at these places."""
    width, height = text.size
    return Grid((), tuple(Rule(at, 0, height) for at in places), 0, 0, width, height)


def _without_names_below(text: PageText, table: Table) -> Table:
    """Leave out the last row, if it is behind other lines: names of the columns of another table.

    The text of such a page has a header column by column.
    """
    *rows, last = table.rows
    # Mostly it is in the line below the row before.
    if not rows or max(lines_of([last])) <= max(lines_of(rows[-1:])) + 1:
        return table
    between = lines_between(text, lines_of(table.rows))
    if between and max(lines_of(rows)) < between[0]:
        return replace(table, rows=rows, texts=table.texts[:-1])
    return table
