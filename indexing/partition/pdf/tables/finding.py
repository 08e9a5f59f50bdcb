"""Find the tables in the text of a PDF page, by where its words stand.

The lines of the page stay as they are until a cheap sign says that some may be the rows of a table
(`runs`). Only of these the words are looked for.
"""

import bisect
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from indexing.boxes import page_boxes
from indexing.partition.pdf.in_step import Steps
from indexing.partition.pdf.pictures import Drawn
from indexing.partition.pdf.tables import bands, grids, headed_rows
from indexing.partition.pdf.tables.aligned_rows import aligned_rows
from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import (
    Row,
    Table,
    Word,
    cells_of,
    is_leader,
    is_typed_rule,
    line_of,
    rows_of,
    texts_of,
    words_of,
)
from indexing.partition.pdf.tables.drawn_cells import steps_up
from indexing.partition.pdf.tables.drawn_tables import DrawnTable, drawn_tables
from indexing.partition.pdf.tables.drawn_twice import lines_behind
from indexing.partition.pdf.tables.edges import RuledRows, edges_of, ruled_rows
from indexing.partition.pdf.tables.repeated_names import (
    may_repeat,
    with_headings_above,
    with_repeated_names,
)
from indexing.partition.pdf.tables.row_rules import completed
from indexing.partition.pdf.tables.ruled_grids import Grid, grids_of
from indexing.partition.pdf.tables.rules import TOUCHING, Rule, Rules, find_rules, side_by_side
from indexing.partition.pdf.tables.running_text import begins_at, running_lines
from indexing.partition.pdf.tables.runs import (
    MIN_SIGNS,
    count_steps,
    has_figures_at_end,
    runs_of,
    signs_of,
)
from indexing.partition.pdf.tables.sheets import sheets_of
from indexing.partition.pdf.tables.touching_columns import touches_of
from indexing.partition.pdf.tables.words import PageText
from indexing.partition.tables import table_with_header
from indexing.types import CELL_MARK, Block

MAX_LINES = 2000
MIN_LINES = 3  # with that of the header
SHORTEST_RULE = 60.0  # points
MIN_WIDTH = 0.25  # of that of the page; shorter rules across it may stand below figures

MOST_IN_PLACE = 0.9
"""Of the words within rules, if the others are none of the table."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table, and the lines of the page's text that it takes the place of."""

    lines: range
    block: Block
    rules: int = 0  # that are drawn across it, as far as known


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
    ruled: list[TextTable] = []
    taken: set[int] = set()
    rules = find_rules(text.page, text.size, drawn())
    running = running_lines(text, signs)
    in_cells = _in_cells(text, rules, have_figures, running)
    for tables in (in_cells, _in_bands(text, rules, running, taken)):
        # Of a grid within a grid the larger one is the table, and what tells more cells apart.
        for table in sorted(tables, key=_extent, reverse=True):
            if taken.isdisjoint(table.lines):
                ruled.append(table)
                taken.update(table.lines)
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


def _extent(table: TextTable) -> tuple[int, int, int, int]:
    """Return how many lines, columns, rows of several cells, and rules between rows a table has."""
    rows = [table.block.header, *table.block.text.split("\n")]
    marks = [row.strip(CELL_MARK).count(CELL_MARK) for row in rows]
    return len(table.lines), max(marks), sum(map(bool, marks)), table.rules


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
        for table in _in_text(text, drawn.table, words):
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
    rows = [table.block.header, *table.block.text.split("\n")]
    return any(one.text in row and other.text in row for row in rows)


def _lacks(other: TextTable, drawn: DrawnTable, table: TextTable) -> bool:
    """Tell whether a table has the cells of one row in several, or not the header of the same."""
    if not set(other.lines) <= set(table.lines):
        return False
    rows = [set(row.split(CELL_MARK)) for row in other.block.text.split("\n")]
    are_whole = all(any(map(cells.issubset, rows)) for cells in drawn.sure)
    return not are_whole or bool(table.block.header and not other.block.header)


def _by_places(text: PageText, words: Sequence[Word]) -> Iterator[TextTable]:
    """Yield the tables that are told by where words stand alone."""
    for edges in aligned_rows(words):
        whole = list(completed(edges, words))
        # A row of a text alone may as well be a text between two tables.
        for found in _in_grid(text, whole[0]) if len(whole) == 1 else ():
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
        yield from _in_text(text, _without_names_below(text, table), words)


def _in_sheets(text: PageText, rows: Sequence[Sequence[Word]]) -> Iterator[TextTable]:
    if text.letters.is_from_right:
        return

    def parted(places: Sequence[float], lines: Set[int]) -> list[Word]:
        return text.words_within(_cut_at(text, places), lines)

    for table, of_table in sheets_of(rows, parted):
        yield from _in_text(text, table, of_table)


def _cut_at(text: PageText, places: Sequence[float]) -> Grid:
    """Return the page as if rules were drawn down it at these places."""
    width, height = text.size
    return Grid((), tuple(Rule(at, 0, height) for at in places), 0, 0, width, height)


def _in_cells(
    text: PageText, rules: Rules, have_figures: Sequence[bool], running: Sequence[float]
) -> Iterator[TextTable]:
    """Yield the tables of which rules, or colours, show each cell."""
    in_grids = list(_in_grids(text, rules))
    yield from in_grids
    whole = {one.lines for one in in_grids if _are_all_ruled(one)}
    for table in _in_ruled_rows(text, rules, have_figures, running):
        # What goes over two grids, and the text between them, is no table.
        is_over_several = sum(set(one.lines) < set(table.lines) for one in in_grids) > 1
        if not is_over_several and table.lines not in whole:
            yield table


def _are_all_ruled(table: TextTable) -> bool:
    """Tell whether a grid has a rule above and below each of its rows."""
    rows = table.block.text.count("\n") + 1 + bool(table.block.header)
    return table.rules > rows


def _in_grids(text: PageText, rules: Rules) -> Iterator[TextTable]:
    for grid in grids_of(rules):
        is_headed = grids.is_headed(grid, rules.around_fills)
        count = len({rule.at for rule in grid.across})
        for table in _in_grid(text, replace(grid, is_headed=is_headed)):
            yield replace(table, rules=count)


def _in_ruled_rows(
    text: PageText, rules: Rules, have_figures: Sequence[bool], running: Sequence[float]
) -> Iterator[TextTable]:
    width, _ = text.size
    lines = rules.lines
    with_fills = [*rules.across, *rules.around_fills] if rules.around_fills else []
    # Words that are read from the right are seen in a mirror, and so is what is drawn.
    is_mirrored = text.letters.is_from_right
    if is_mirrored:
        lines = side_by_side(rule.mirrored(width) for rule in rules.across)
        with_fills = [rule.mirrored(width) for rule in with_fills]
    drawn, coloured = edges_of(lines), edges_of(side_by_side(with_fills))
    if not drawn and not coloured:
        return
    found = [(edges, False) for edges in ruled_rows(drawn, text.places, have_figures)]
    known = {edge.at for edges, _ in found for edge in edges.whole}
    found += [(edges, True) for edges in ruled_rows(coloured, text.places, have_figures, known)]
    # The words are looked for once, where they may be those of a table.
    numbers = [_before_running_text(text, edges, running) for edges, _ in found]
    words = text.words(set().union(*numbers)) if found else []
    for (edges, is_colour), between in zip(found, numbers, strict=True):
        within = words
        if len(found) > 1:
            within = [word for word in words if word.line in between]
        for grid in completed(edges, within, is_colour=is_colour):
            count = sum(grid.top <= edge.at <= grid.bottom for edge in edges.whole)
            for table in _in_grid(text, grid.mirrored(width) if is_mirrored else grid):
                yield replace(table, rules=count)


def _before_running_text(text: PageText, edges: RuledRows, running: Sequence[float]) -> set[int]:
    """Return the lines between edges, below the last one only those above running text."""
    width, height = text.size
    left, lowest = edges.whole[0].left / width, edges.whole[-1].at / height

    def is_text_below(number: int) -> bool:
        box = text.boxes[number]
        return begins_at(running[number], left) and box is not None and box[1] > lowest

    return set(itertools.takewhile(lambda number: not is_text_below(number), edges.lines))


def _in_grid(text: PageText, grid: Grid) -> Iterator[TextTable]:
    words = text.words_within(grid, _lines_within(text, grid))
    found = list(_in_words_of_grid(text, grid, words))
    if not found and (most := _in_one_place(words)):
        found = list(_in_words_of_grid(text, grid, most))
    yield from found


def _in_words_of_grid(text: PageText, grid: Grid, words: Sequence[Word]) -> Iterator[TextTable]:
    mirror_width = text.size[0] if text.letters.is_from_right else 0.0
    table = grids.table_in(grid, words, mirror_width)
    if table is not None:
        yield from _in_text(text, table, words)


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


def _in_bands(
    text: PageText, rules: Rules, running: Sequence[float], taken: set[int]
) -> Iterator[TextTable]:
    """Yield the tables between rules, but where all lines are taken by others already."""
    width, _ = text.size
    for between in bands.bands_of(rules, SHORTEST_RULE):
        is_wide = between.right - between.left >= MIN_WIDTH * width
        if not is_wide and not _has_whole_lines(text, between):
            continue
        lines = _lines_within(text, between)
        if taken.issuperset(lines):
            continue
        left = between.left / width
        of_tables = [number for number in lines if not begins_at(running[number], left)]
        words = text.words(of_tables)
        # Between two rules is one row, which is no running text.
        is_wide = is_wide and len(of_tables) == len(lines)
        table = bands.table_in(between, words) if is_wide else None
        for found in (
            [table] if table is not None else headed_rows.tables_in(between, words, rules.across)
        ):
            yield from _in_text(text, found, words)


def _has_whole_lines(text: PageText, between: bands.Bands) -> bool:
    """Tell whether lines stand between rules from end to end, as those below figures have not."""
    lefts, tops, rights, bottoms = (text.stand * (text.size * 2)).T
    is_whole = (lefts > between.left - TOUCHING) & (rights < between.right + TOUCHING)
    is_between = (bottoms > between.heights[0]) & (tops < between.heights[-1])
    return bool(np.count_nonzero(is_whole & is_between) >= MIN_LINES)


def _lines_within(text: PageText, area: Grid | bands.Bands) -> list[int]:
    """Return the lines that lie in a part of the page."""
    width, height = text.size
    lefts, tops, rights, bottoms = text.stand.T
    is_within = area.holds((lefts + rights) / 2 * width, (tops + bottoms) / 2 * height)
    lines: list[int] = np.flatnonzero(is_within).tolist()
    return lines


def _in_text(text: PageText, table: Table, words: Sequence[Word]) -> Iterator[TextTable]:
    """Yield the table with its lines, if it is made of all their words and of no others.

    What a header has of lines with other words, or above such lines, is left to the text.
    """
    table = _with_line_above(text, table)
    words_of_table = list(words_of([*table.rows, table.header]))
    of_rows = _lines_of(table.rows)
    numbers = set(map(line_of, words_of_table))
    left_over = _left_over(words_of_table, numbers, words)
    if left_over:
        table = table.without_names_on(left_over)
        numbers = of_rows | _lines_of([table.header])
    between = _lines_between(text, numbers)
    if between and between[-1] < min(of_rows):
        table = table.without_names_on(range(between[-1]))
        numbers = of_rows | _lines_of([table.header])
        between = _lines_between(text, numbers)
    if between or not numbers.isdisjoint(left_over):
        return
    block = table_with_header(_names_of(table), table.texts)
    rows = [table.header, *table.rows] if table.header else table.rows
    around = np.array([_around(row) for row in rows])
    boxes = page_boxes(text.mirrored(around) / (text.size * 2))
    lines = range(min(numbers), max(numbers) + 1)
    yield TextTable(lines, replace(block, line_boxes=tuple(boxes)))


def _with_line_above(text: PageText, table: Table) -> Table:
    """Return the table with headings in the line above it, if names tell that these are some."""
    is_known = not table.header or table.names != texts_of(table.header)
    if is_known or text.letters.is_from_right or not may_repeat(table.names):
        return table
    first = min(_lines_of([table.header]))
    above = cells_of(text.words([first - 1])) if first else []
    return with_headings_above(table, above)


def _names_of(table: Table) -> list[str]:
    """Return the names of the columns, with headings over several of them, if not known before."""
    if table.names != texts_of(table.header):
        return table.names
    return texts_of(with_repeated_names(table.header))


def _left_over(
    of_table: Collection[Word], lines: Collection[int], words: Sequence[Word]
) -> set[int]:
    """Return which of the lines of a table have words that are not among its own."""
    # A word is in one cell at most, and mostly none is in no cell.
    if sum(map(lines.__contains__, map(line_of, words))) == len(of_table):
        return set()
    known = set(map(id, of_table))
    others = [word for word in words if word.line in lines and id(word) not in known]
    return {word.line for word in others if not is_leader(word) and word.text.strip("_")}


def _without_names_below(text: PageText, table: Table) -> Table:
    """Leave out the last row, if it is behind other lines: names of the columns of another table.

    The text of such a page has a header column by column.
    """
    *rows, last = table.rows
    # Mostly it is in the line below the row before.
    if not rows or max(_lines_of([last])) <= max(_lines_of(rows[-1:])) + 1:
        return table
    between = _lines_between(text, _lines_of(table.rows))
    if between and max(_lines_of(rows)) < between[0]:
        return replace(table, rows=rows, texts=table.texts[:-1])
    return table


def _lines_of(rows: Iterable[Row]) -> set[int]:
    return set(map(line_of, words_of(rows)))


def _lines_between(text: PageText, numbers: Set[int]) -> list[int]:
    """Return the lines with words that are between these, and none of them."""
    first, end = min(numbers), max(numbers) + 1
    if end - first == len(numbers):
        return []
    others = (at for at in range(first, end) if at not in numbers)
    return [at for at in others if text.lines[at] and not is_typed_rule(text.lines[at])]


def _around(row: Row) -> tuple[float, float, float, float]:
    words = itertools.chain.from_iterable(row)
    _, _, lefts, tops, rights, bottoms, _, _ = zip(*words, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
