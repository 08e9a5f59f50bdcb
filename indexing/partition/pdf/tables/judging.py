"""Tell a table without ruling lines from a text in columns, a form, and a list of contents."""

import itertools
from collections.abc import Sequence
from statistics import median

from indexing.partition.blocks import HYPHENS
from indexing.partition.pdf.tables.cells import Row, Table, is_form, is_value
from indexing.partition.pdf.tables.columns import Column

MIN_COLUMNS = 3  # of words
MIN_ROWS = 3  # the same
LONGEST_TEXT = 200  # of a label beside words; a text beside a table has more
LONGEST_CELL = 40
LONG_PROSE = 22
FILLED = 0.6
WIDEST_SPACE = 1.4  # of the height of the words, between words of a line that is filled
MAX_PAGE_NUMBER = 2000

_PAGE_NAMES = {"", "page", "pages", "seite", "página", "pagina"}


def is_table(table: Table, columns: Sequence[Column]) -> bool:
    """Tell whether rows, of figures or of words, stand in these columns as those of a table do."""
    names, texts = table.names, table.texts
    if 2 * sum([len(row) - row.count("") > 1 for row in texts]) < len(texts):
        return False
    if is_form(table.rows) or is_contents(names, [row[-1] for row in texts if row[-1]]):
        return False
    if any(_goes_on_beside(row, columns) for row in table.rows):
        return False
    behind = [cell for row in table.rows for cell in row[1:] if cell]
    values = sum(map(is_value, behind))
    if 2 * values >= len(behind):
        return bool(names) or len(columns) >= MIN_COLUMNS
    return _is_table_of_words(table, columns)


def _is_table_of_words(table: Table, columns: Sequence[Column]) -> bool:
    texts = table.texts
    by_column = [list(filter(None, column)) for column in zip(*texts, strict=True)]
    usual = [column for one, column in zip(columns, by_column, strict=True) if one.rows]
    return (
        len(usual) >= MIN_COLUMNS
        and len(texts) >= MIN_ROWS
        and all(2 * len(column) >= len(texts) for column in usual)
        and sum(map(is_prose, usual)) < 2
        and max(map(len, by_column[0])) <= LONGEST_TEXT
        and median(len(cell) for column in by_column for cell in column) <= LONGEST_CELL
        and (not _stand_as_words(table.rows) or _has_column_of_values(table.rows))
    )


def is_contents(names: Sequence[str], last: Sequence[str]) -> bool:
    """Tell whether the last column counts the pages of a list of contents."""
    numbers = [int(cell) for cell in last if cell.isdecimal() and len(cell) < 5]
    return (
        len(numbers) >= max(MIN_ROWS, len(last) - 1)
        and (not names or names[-1].lower() in _PAGE_NAMES)
        and max(numbers) < MAX_PAGE_NUMBER
        and numbers == sorted(numbers)
    )


def _goes_on_beside(row: Row, columns: Sequence[Column]) -> bool:
    """Tell whether a broken word goes on in another column, as a text in columns does."""
    return any(
        word.right > beside.left and any(map(word.text.__contains__, HYPHENS))
        for cell, beside in zip(row, columns[1:], strict=False)
        for word in cell
    )


def is_prose(column: Sequence[str]) -> bool:
    """Tell whether cells are lines of a text: long, most of them full, and none like another."""
    lengths = [len(cell) for cell in column]
    full = sum(length > FILLED * max(lengths) for length in lengths)
    are_others = len(set(column)) == len(column)
    return are_others and median(lengths) >= LONG_PROSE and 2 * full >= len(lengths)


def _stand_as_words(rows: Sequence[Row]) -> bool:
    """Tell whether the cells stand as near to each other as words of text that fills its lines."""
    filled = [[cell for cell in row if cell] for row in rows]
    gaps = [
        (other[0].left - one[-1].right) / other[0].height
        for row in filled
        for one, other in itertools.pairwise(row)
    ]
    return median(gaps) < WIDEST_SPACE


def _has_column_of_values(rows: Sequence[Row]) -> bool:
    """Tell whether one column behind the first holds a figure in each row, as no text does."""
    return any(all(map(is_value, column)) for column in list(zip(*rows, strict=True))[1:])
