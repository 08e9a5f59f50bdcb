"""Tell the tables of words that have a rule above their header, one below it and one at their end.

So papers and books draw them. No rule parts the rows, and a text of several lines stands no further
from the next row than its lines do: it goes on where its line has no room for the next word.
"""

import itertools
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from indexing.partition.pdf.tables.bands import Bands, Lines, gaps_of, row_of, sides_of
from indexing.partition.pdf.tables.cells import (
    Cell,
    Row,
    Table,
    Word,
    cells_of,
    has_figures,
    height_of,
    is_form,
    is_value,
    left_of,
    middle_of,
    plain_text,
    rows_of,
    table_of,
    texts_of,
    together,
    words_of,
)
from indexing.partition.pdf.tables.headings import Side, with_headings
from indexing.partition.pdf.tables.judging import is_prose
from indexing.partition.pdf.tables.rules import TOUCHING, Rule

GAP = 0.5  # of the height of the words, between two columns
MIN_ROWS = 2
DOUBLE = 5.0  # points, between two rules that are drawn as one
MIN_COLUMNS = 2
MAX_HEADER_LINES = 3
MAX_PARTS = 20  # between rules; a table with more has one between all its rows
LONGEST_NAME = 60
LONGEST_CELL = 600
MOST_OF_WIDTH = 0.9  # of that of the table, that a rule below a heading takes
NARROWEST_TEXT = 6.0  # times the height of the words, of a column whose cells have several lines
SPACE = 0.25  # of the height of the words, between two
SAME_LINES = 0.5  # of the lines, that running text in columns fills beside each other


def tables_in(bands: Bands, words: Sequence[Word], across: Sequence[Rule] = ()) -> Iterator[Table]:
    """Yield the tables between rules that are equally long, from the top.

    Among all rules `across` the page are those below headings over several columns.
    """
    # Most such rules are those below the figures of a column.
    if max(map(left_of, words), default=0.0) < min((word.right for word in words), default=0.0):
        return
    narrow = [
        rule
        for rule in across
        if bands.left - TOUCHING < rule.start
        and rule.end < bands.right + TOUCHING
        and rule.end - rule.start < MOST_OF_WIDTH * (bands.right - bands.left)
    ]
    found: list[list[Word]] = [[] for _ in range(len(bands.heights) + 1)]
    for word in words:
        found[bisect(bands.heights, word.middle)].append(word)
    # Of two rules that are one line, nothing is between.
    heights = itertools.pairwise(bands.heights)
    between = [
        of_part
        for (above, below), of_part in zip(heights, found[1:], strict=False)
        if below - above > DOUBLE
    ]
    if len(between) > MAX_PARTS:
        return
    parts = list(map(_lines, between))
    start = 0
    while start + 1 < len(parts):
        table, count = _table(parts[start], parts[start + 1 :], narrow)
        if table is not None:
            yield table
        start += 1 + count


def _lines(words: Sequence[Word]) -> Lines:
    return [cells_of(line, GAP) for line in rows_of(words)]


def _may_be_names(header: Lines) -> bool:
    """Tell whether lines are few, the last one of several cells, and none a figure."""
    return (
        0 < len(header) <= MAX_HEADER_LINES
        and len(header[-1]) > 1
        and not any(map(is_value, itertools.chain.from_iterable(header)))
    )


def _table(
    header: Lines, bodies: Sequence[Lines], narrow: Sequence[Rule]
) -> tuple[Table | None, int]:
    """Return the table below a header, and of how many parts between rules it is."""
    if not _may_be_names(header):
        return None, 0
    fitting = header[-1:]
    gaps: list[float] = []
    count = 0
    for body in bodies:
        wider = gaps_of([[line] for line in (*fitting, *body)], GAP, 0.0)
        is_as_wide = len(wider) == len(gaps) or not count
        if not body or not is_as_wide or not _fit((*fitting, *body), wider):
            break
        fitting, gaps, count = [*fitting, *body], wider, count + 1
    columns = len(gaps) + 1
    behind = bodies[count] if count < len(bodies) else []
    # Where its rows go on behind a rule otherwise, the table is of another kind.
    is_cut = 2 * sum(len(line) >= max(columns - 1, 2) for line in behind) > len(behind)
    if columns < MIN_COLUMNS or is_cut:
        return None, 0
    names, lines = ([row_of([line], gaps) for line in some] for some in (header, fitting[1:]))
    if not _are_of_table(names, lines):
        return None, 0
    rows = _whole_rows(lines)
    # Of figures those with labels of several lines are told by other signs.
    if any(map(has_figures, lines)) and not all(map(_is_whole, rows)):
        return None, 0
    table = table_of(together(names), rows)
    if len(names) > 1:
        sides = sides_of([names[-1], *rows])
        named = _named(names, sides, narrow) or with_headings(names, sides)
        table = replace(table, names=texts_of(named))
    is_long = max(map(len, itertools.chain.from_iterable(table.texts))) > LONGEST_CELL
    return (None, 0) if is_long or len(rows) < MIN_ROWS else (table, count)


def _is_whole(row: Row) -> bool:
    """Tell whether a row has a label and something else, or lacks nothing but its label."""
    filled = sum(map(bool, row))
    return filled > 1 and (bool(row[0]) or filled == len(row) - 1)


def _named(names: Sequence[Row], sides: Sequence[Side], narrow: Sequence[Rule]) -> Row:
    """Return lines of names as one row, headings in all columns that the rules below them are over.

    Without such a rule it is empty.
    """
    rows = [list(line) for line in names]
    is_found = False
    for (line, below), row in zip(itertools.pairwise(names), rows, strict=False):
        top, bottom = (max(map(middle_of, itertools.chain(*one))) for one in (line, below))
        for cell in filter(None, line):
            middle = (cell[0].left + cell[-1].right) / 2
            over = (
                rule for rule in narrow if top < rule.at < bottom and rule.start < middle < rule.end
            )
            for rule in itertools.islice(over, 1):
                is_found = True
                for number, (left, right) in enumerate(sides):
                    if rule.start < (left + right) / 2 < rule.end:
                        row[number] = cell
    return together(rows) if is_found else []


def _fit(lines: Iterable[Row], gaps: Sequence[float]) -> bool:
    """Tell whether no cell reaches over the end of a column, and no column has two figures."""
    return all(map(_fits, lines, itertools.repeat(gaps)))


def _fits(line: Row, gaps: Sequence[float]) -> bool:
    figures = [bisect(gaps, cell[0].left) for cell in line if is_value(cell)]
    return len(set(figures)) == len(figures) and all(
        bisect(gaps, cell[0].left) == bisect(gaps, cell[-1].right) for cell in line
    )


def _are_of_table(names: Sequence[Row], lines: Sequence[Row]) -> bool:
    """Tell whether lines of words are those of a table with these names, and no running text."""
    texts = texts_of(together(names))
    if not all(texts[1:]) or max(map(len, texts)) > LONGEST_NAME:
        return False
    if is_form(lines):
        return False
    if sum(bool(line[0]) for line in lines) < MIN_ROWS or not lines[0][0]:
        return False
    columns = [[plain_text(cell) for cell in column if cell] for column in zip(*lines, strict=True)]
    prose = [number for number, column in enumerate(columns) if column and is_prose(column)]
    beside = sum(sum(bool(line[number]) for number in prose) > 1 for line in lines)
    return all(columns) and beside < SAME_LINES * len(lines)


def _whole_rows(lines: Sequence[Row]) -> list[Row]:
    """Return the rows, the next lines of their texts put to these."""
    ends = [max(cell[-1].right for cell in column if cell) for column in zip(*lines, strict=True)]
    starts = [min(cell[0].left for cell in column if cell) for column in zip(*lines, strict=True)]
    height = median(map(height_of, words_of(lines)))
    may_go_on = [
        end - start > NARROWEST_TEXT * height for start, end in zip(starts, ends, strict=True)
    ]
    rows: list[Row] = []
    last: Row = []
    for line in lines:
        goes_on = bool(rows) and all(
            not cell
            or (
                of_text
                and bool(above)
                and not is_value(cell)
                and _goes_on(above, cell, end, height)
            )
            for cell, above, of_text, end in zip(line, last, may_go_on, ends, strict=True)
        )
        if goes_on and (not line[0] or line[0][0].text[0].islower()):
            rows[-1] = together([rows[-1], line])
        else:
            rows.append(line)
        last = line
    return rows


def _goes_on(above: Cell, cell: Cell, end: float, height: float) -> bool:
    """Tell whether a line has no room for the first word of the one below it."""
    first = cell[0]
    word = first.text.split()[0]
    width = (first.right - first.left) * len(word) / len(first.text)
    is_of_words = len(above) > 1 or " " in above[0].text
    return is_of_words and above[-1].right + SPACE * height + width > end
