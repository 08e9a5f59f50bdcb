"""Tell rows and columns of tables that have ruling lines around their cells.

Cells that reach over several columns or rows are known by their rules, and written out as those of
Office files are.
"""

import bisect
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf

import numpy as np

from indexing.partition.merged_cells import Area, write_out_merged
from indexing.partition.pdf.tables.cells import (
    Cell,
    Row,
    Table,
    Word,
    cells_of,
    header_of,
    rows_of,
    texts_of,
    together,
)
from indexing.partition.pdf.tables.ruled_grids import EDGE, Grid
from indexing.partition.pdf.tables.rules import TOUCHING, Rule
from indexing.partition.pdf.tables.unruled_rows import Side, unruled_rows
from indexing.partition.text import clean_line

LONGEST_CELL = 600  # letters, where its row has no label
LONGEST_LABEL = 80  # the same, of one beside a longer cell
MIN_LABELLED = 3  # columns, of a table with longer cells
FILLED = 0.4
MIN_CELLS = 4
MIN_ROWS = 2
MIN_COLUMNS = 2
MOST_OF_ROW = 0.9  # of its width
MIN_NAMED = 3  # columns, of which a header names more than one

Corner = tuple[float, float]
"""Of a cell: its top and left, or its bottom and right, in points from the upper left."""


def table_in(grid: Grid, words: Sequence[Word], mirror_width: float = 0.0) -> Table | None:
    """Return the words in the cells of the grid, if these are filled like those of a table.

    `mirror_width` is that of a page whose words, but not its rules, are seen in a mirror.
    """
    cells: dict[Corner, Cell] = {}
    on_page = [_mirrored(word, mirror_width) for word in words] if mirror_width else words
    middles = np.array([((word.left + word.right) / 2, word.middle) for word in on_page])
    xs, ys = middles.reshape(-1, 2).T
    places, ends = _unmerged(grid.cells_at(xs, ys), grid.ends_at(xs, ys), on_page)
    tops, lefts = ({place[side] for place in places} for side in (0, 1))
    firsts = _firsts_from_right(places, ends, lefts) if mirror_width else places
    for word, place in zip(words, firsts, strict=True):
        cells.setdefault(place, []).append(word)
    fewest = max(MIN_CELLS, FILLED * len(tops) * len(lefts))
    are_enough = len(tops) >= MIN_ROWS and len(lefts) >= MIN_COLUMNS and len(cells) >= fewest
    if not are_enough:
        return None
    lines, columns = sorted(tops), sorted(lefts, reverse=bool(mirror_width))
    rows = [[cells.get((top, left), []) for left in columns] for top in lines]
    if _are_texts(rows):
        return None
    merged = _merged(dict(zip(places, ends, strict=True)), lines, columns)
    sides = [*sorted(lefts), grid.right]
    if mirror_width:
        sides = [mirror_width - side for side in reversed(sides)]
    # Of two rows the first is coloured as well where every second one is.
    header_rows = int(grid.is_headed and len(rows) > 2 and all(rows[0]))
    return _written_out(rows, list(merged), list(itertools.pairwise(sides)), header_rows)


def _are_texts(rows: Sequence[Row]) -> bool:
    """Tell whether texts stand in frames: a long cell of a table has a label at its row's start.

    The rest of a row that the end of the page before cut may have none, below a header or not.
    """
    lengths = [[sum(len(word.text) for word in cell) for cell in row] for row in rows]
    if max(map(max, lengths)) <= LONGEST_CELL:
        return False
    if len(rows[0]) < MIN_LABELLED:
        return True
    return any(
        max(row) > LONGEST_CELL and not 0 < row[0] <= LONGEST_LABEL
        for number, row in enumerate(lengths)
        if number > 1 or row[0]
    )


def _firsts_from_right(
    places: Sequence[Corner], ends: Sequence[Corner], lefts: Iterable[float]
) -> list[Corner]:
    """Return the places of cells with, of those over several columns, the one on the right."""
    return [
        (top, max(left for left in lefts if start <= left < right))
        for (top, start), (_, right) in zip(places, ends, strict=True)
    ]


def is_headed(grid: Grid, around_fills: Sequence[Rule]) -> bool:
    """Tell whether colours lie behind all of the first row of a grid and behind no other."""
    if not around_fills:
        return False
    heights, starts, ends = np.array(around_fills).T
    is_within = grid.holds((starts + ends) / 2, heights + EDGE)
    within = list(itertools.compress(around_fills, is_within.tolist()))
    end = next(rule.at for rule in grid.across if rule.at > grid.top)
    below = sum(one.end - one.start for one in within if abs(one.at - end) < TOUCHING)
    is_behind_all = below > MOST_OF_ROW * (grid.right - grid.left)
    return is_behind_all and all(one.at < end + TOUCHING for one in within)


def _mirrored(word: Word, width: float) -> Word:
    """Return the word as a page of this width has it in a mirror."""
    return word._replace(left=width - word.right, right=width - word.left)


def _unmerged(
    places: Sequence[Corner], ends: Sequence[Corner], words: Sequence[Word]
) -> tuple[list[Corner], list[Corner]]:
    """Return both, with those cells parted that only lack the rules which other rows have.

    LibreOffice leaves them out in every second row of some styles. A heading over several columns
    has no wide gap where one of these ends.
    """
    lefts = [*sorted({left for _, left in places}), inf]
    by_place: dict[Corner, list[Word]] = {}
    for place, word in zip(places, words, strict=True):
        by_place.setdefault(place, []).append(word)
    parted = {place for place, cell in by_place.items() if _lacks_rules(cell, lefts)}
    if not parted:
        return list(places), list(ends)
    columns = [_column(word, lefts) for word in words]
    return (
        [
            (place[0], lefts[n]) if place in parted else place
            for place, n in zip(places, columns, strict=True)
        ],
        [
            (end[0], lefts[n + 1]) if place in parted else end
            for place, end, n in zip(places, ends, columns, strict=True)
        ],
    )


def _lacks_rules(cell: Cell, lefts: Sequence[float]) -> bool:
    """Tell whether words stand in several columns, with gaps between these in each line."""
    if len({_column(word, lefts) for word in cell}) < MIN_COLUMNS:
        return False
    return all(
        _column(part[0], lefts) == bisect.bisect(lefts, part[-1].right) - 1
        for line in rows_of(cell)
        for part in cells_of(line)
    )


def _column(word: Word, lefts: Sequence[float]) -> int:
    return bisect.bisect(lefts, word.left + word.height / 2) - 1


def _merged(
    ends: Mapping[Corner, Corner], tops: Sequence[float], lefts: Sequence[float]
) -> Iterator[Area]:
    """Yield the cells that reach over several rows or columns.

    Given are the ends of each cell by its beginning, and where all rows and columns begin.
    """
    for (top, left), (bottom, right) in ends.items():
        rows = [n for n, one in enumerate(tops) if top <= one < bottom]
        columns = [n for n, one in enumerate(lefts) if left <= one < right]
        if len(rows) > 1 or len(columns) > 1:
            yield (rows[0], columns[0]), (rows[-1], columns[-1])


def _count_names(rows: Sequence[Row], merged: Iterable[Area]) -> int:
    """Count the rows of the header; the rest of a row that the end of a page cut is none."""
    count = header_of(rows)
    wide = {top for (top, left), (_, right) in merged if left < right}
    is_named = [False] * len(rows[0])
    for number, row in enumerate(rows[:count]):
        is_alone = sum(map(bool, row)) == 1 and number not in wide
        if is_alone and (all(is_named) or (number == 0 and len(row) >= MIN_NAMED)):
            return number
        is_named = [bool(one or cell) for one, cell in zip(is_named, row, strict=True)]
    return count


def _written_out(
    rows: list[Row], merged: Sequence[Area], columns: Sequence[Side], header_rows: int
) -> Table:
    """Return the table with what stands in merged cells wherever it is needed.

    It has at least so many rows of names.
    """
    texts = list(map(texts_of, rows))
    write_out_merged(texts, merged)
    count = max(_count_names(rows, merged), header_rows)
    # A row of headings that are all joined with the names below them is left empty.
    while 0 < count < len(rows) and not any(itertools.chain.from_iterable(texts[:count])):
        count += 1
    names = [clean_line(" ".join(column)) for column in zip(*texts[:count], strict=True)]
    table = Table(together(rows[:count]), [], names, [])
    are_merged = {n for (top, _), (bottom, _) in merged for n in range(top, bottom + 1)}
    for number, parts in enumerate(unruled_rows(rows[count:], columns), count):
        is_whole = len(parts) == 1 or number in are_merged
        table.rows.extend([rows[number]] if is_whole else parts)
        table.texts.extend([texts[number]] if is_whole else map(texts_of, parts))
    return table
