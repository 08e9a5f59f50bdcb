"""Find the tables of a PDF page that rules or colours show: each of their cells, rows, or bands."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from indexing.partition.pdf.tables import bands, grids, headed_rows
from indexing.partition.pdf.tables.edges import RuledRows, edges_of, ruled_rows
from indexing.partition.pdf.tables.grid_tables import in_grid, lines_within
from indexing.partition.pdf.tables.row_rules import completed
from indexing.partition.pdf.tables.ruled_grids import grids_of
from indexing.partition.pdf.tables.rules import TOUCHING, Rules, side_by_side
from indexing.partition.pdf.tables.running_text import begins_at
from indexing.partition.pdf.tables.text_tables import TextTable, in_text
from indexing.partition.pdf.tables.words import PageText
from indexing.types import CELL_MARK

MIN_LINES = 3  # with that of the header
SHORTEST_RULE = 60.0  # points
MIN_WIDTH = 0.25  # of that of the page; shorter rules across it may stand below figures


def find_ruled(
    text: PageText, rules: Rules, have_figures: Sequence[bool], running: Sequence[float]
) -> list[TextTable]:
    """Find the tables, of which none has lines of another.

    `have_figures` and `running` tell of each line whether figures end it, and where the running
    text begins that it is one of (`running_lines`).
    """
    found: list[TextTable] = []
    taken: set[int] = set()
    in_cells = _in_cells(text, rules, have_figures, running)
    for tables in (in_cells, _in_bands(text, rules, running, taken)):
        # Of a grid within a grid the larger one is the table, and what tells more cells apart.
        for table in sorted(tables, key=_extent, reverse=True):
            if taken.isdisjoint(table.lines):
                found.append(table)
                taken.update(table.lines)
    return found


def _extent(table: TextTable) -> tuple[int, int, int, int]:
    """Return how many lines, columns, rows of several cells, and rules between rows a table has."""
    rows = [table.block.header, *table.block.text.split("\n")]
    marks = [row.strip(CELL_MARK).count(CELL_MARK) for row in rows]
    return len(table.lines), max(marks), sum(map(bool, marks)), table.rules


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
        for table in in_grid(text, replace(grid, is_headed=is_headed)):
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
            for table in in_grid(text, grid.mirrored(width) if is_mirrored else grid):
                yield replace(table, rules=count)


def _before_running_text(text: PageText, edges: RuledRows, running: Sequence[float]) -> set[int]:
    """Return the lines between edges, below the last one only those above running text."""
    width, height = text.size
    left, lowest = edges.whole[0].left / width, edges.whole[-1].at / height

    def is_text_below(number: int) -> bool:
        box = text.boxes[number]
        return begins_at(running[number], left) and box is not None and box[1] > lowest

    return set(itertools.takewhile(lambda number: not is_text_below(number), edges.lines))


def _in_bands(
    text: PageText, rules: Rules, running: Sequence[float], taken: set[int]
) -> Iterator[TextTable]:
    """Yield the tables between rules, but where all lines are taken by others already."""
    width, _ = text.size
    for between in bands.bands_of(rules, SHORTEST_RULE):
        is_wide = between.right - between.left >= MIN_WIDTH * width
        if not is_wide and not _has_whole_lines(text, between):
            continue
        lines = lines_within(text, between)
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
            yield from in_text(text, found, words)


def _has_whole_lines(text: PageText, between: bands.Bands) -> bool:
    """Tell whether lines stand between rules from end to end, as those below figures have not."""
    lefts, tops, rights, bottoms = (text.stand * (text.size * 2)).T
    is_whole = (lefts > between.left - TOUCHING) & (rights < between.right + TOUCHING)
    is_between = (bottoms > between.heights[0]) & (tops < between.heights[-1])
    return bool(np.count_nonzero(is_whole & is_between) >= MIN_LINES)
