"""The tables of a PDF page as parts of its text: which of its lines each takes the place of."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from indexing.boxes import page_boxes
from indexing.partition.pdf.tables.cells import (
    Row,
    Table,
    Word,
    cells_of,
    is_leader,
    is_typed_rule,
    line_of,
    texts_of,
    words_of,
)
from indexing.partition.pdf.tables.repeated_names import (
    may_repeat,
    with_headings_above,
    with_repeated_names,
)
from indexing.partition.pdf.tables.words import PageText
from indexing.partition.tables import table_with_header
from indexing.types import Block


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table, and the lines of the page's text that it takes the place of."""

    lines: range
    block: Block
    rules: int = 0  # that are drawn across it, as far as known


def in_text(text: PageText, table: Table, words: Sequence[Word]) -> Iterator[TextTable]:
    """Yield the table with its lines, if it is made of all their words and of no others.

    What a header has of lines with other words, or above such lines, is left to the text.
    """
    table = _with_line_above(text, table)
    words_of_table = list(words_of([*table.rows, table.header]))
    of_rows = lines_of(table.rows)
    numbers = set(map(line_of, words_of_table))
    left_over = _left_over(words_of_table, numbers, words)
    if left_over:
        table = table.without_names_on(left_over)
        numbers = of_rows | lines_of([table.header])
    between = lines_between(text, numbers)
    if between and between[-1] < min(of_rows):
        table = table.without_names_on(range(between[-1]))
        numbers = of_rows | lines_of([table.header])
        between = lines_between(text, numbers)
    if between or not numbers.isdisjoint(left_over):
        return
    block = table_with_header(_names_of(table), table.texts)
    rows = [table.header, *table.rows] if table.header else table.rows
    around = np.array([_around(row) for row in rows])
    boxes = page_boxes(text.mirrored(around) / (text.size * 2))
    lines = range(min(numbers), max(numbers) + 1)
    yield TextTable(lines, replace(block, line_boxes=tuple(boxes)))


def lines_of(rows: Iterable[Row]) -> set[int]:
    """Return the lines that the words of rows are of."""
    return set(map(line_of, words_of(rows)))


def lines_between(text: PageText, numbers: Set[int]) -> list[int]:
    """Return the lines with words that are between these, and none of them."""
    first, end = min(numbers), max(numbers) + 1
    if end - first == len(numbers):
        return []
    others = (at for at in range(first, end) if at not in numbers)
    return [at for at in others if text.lines[at] and not is_typed_rule(text.lines[at])]


def _with_line_above(text: PageText, table: Table) -> Table:
    """Return the table with headings in the line above it, if names tell that these are some."""
    is_known = not table.header or table.names != texts_of(table.header)
    if is_known or text.letters.is_from_right or not may_repeat(table.names):
        return table
    first = min(lines_of([table.header]))
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


def _around(row: Row) -> tuple[float, float, float, float]:
    words = itertools.chain.from_iterable(row)
    _, _, lefts, tops, rights, bottoms, _, _ = zip(*words, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
