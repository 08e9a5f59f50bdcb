"""Make tables of rows whose cells are known by the order in which the file draws them."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median

from indexing.partition.pdf.tables.cells import (
    Cell,
    Row,
    Table,
    Word,
    cell_text,
    header_of,
    is_form,
    is_value,
    texts_of,
    together,
)
from indexing.partition.pdf.tables.columns import Column, columns_seen
from indexing.partition.pdf.tables.drawn_cells import (
    DrawnCell,
    DrawnRow,
    are_columns,
    drawn_rows,
    is_proven,
    line_distance,
    row_distance,
)
from indexing.partition.pdf.tables.drawn_groups import (
    AS_NEAR,
    LONGEST_TITLE,
    OVERLAP,
    at_gaps,
    has_value,
    is_item,
    tables_in,
    without_titles,
)
from indexing.partition.pdf.tables.drawn_twice import in_their_rows, line_distance_within
from indexing.partition.pdf.tables.headings import with_headings
from indexing.partition.pdf.tables.judging import is_contents
from indexing.partition.pdf.tables.placing import placed_in

MIN_ROWS = 3  # with that of the header
MIN_COLUMNS = 2
MIN_COLUMNS_OF_WORDS = 3
OFF_MIDDLE = 10.0  # points, at least, that of a table is a heading over some of its columns
NEAR = 2.5  # times the distance of two lines, at most, is a heading above names
LONGEST_NAME = 100  # characters, of a column
LONGEST_CELL = 500  # the same, of words
USUAL_CELL = 120  # the same, of most at most


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table, and the texts that each stand in one of its rows: of cells of several lines."""

    table: Table
    sure: list[set[str]]


def drawn_tables(words: Sequence[Word], *, from_right: bool = False) -> Iterator[DrawnTable]:
    """Yield the tables among words whose cells are drawn one by one, some of several lines.

    They must step up somewhere.
    """
    rows = drawn_rows(words, from_right=from_right)
    line = line_distance(rows)
    if later := in_their_rows(rows):
        rows, line = later, line_distance_within(later)
    apart = row_distance(rows)
    if not line:
        return
    for part in tables_in(list(at_gaps(rows, max(AS_NEAR * line, sqrt(line * apart))))):
        if any(is_proven(row, line) for row in part) and not any(map(are_columns, part)):
            table = _table(part, line, are_apart=apart > AS_NEAR * line)
            if table is not None:
                yield table


def _table(rows: Sequence[DrawnRow], line: float, *, are_apart: bool) -> DrawnTable | None:
    columns = _columns([list(map(_as_word, row)) for row in rows])
    if len(columns) < MIN_COLUMNS:
        return None
    rows = list(without_titles(rows, columns, line, are_apart=are_apart))
    rows = _below_texts(rows, columns, line)
    whole = [list(map(_as_word, row)) for row in rows]
    first = next((n for n, row in enumerate(whole) if any(map(is_value, row[1:]))), 0)
    placed = placed_in(whole, columns, first)
    if len(placed) < MIN_ROWS:
        return None
    count = header_of(placed)
    texts = list(map(texts_of, placed))
    names = texts_of(with_headings(placed[:count], [one[:2] for one in columns])) if count else []
    if max(map(len, names), default=0) > LONGEST_NAME:
        return None
    if sum(map(bool, names)) == 1:
        # The rest of a row that the end of the page before cut is no header.
        count, names = 0, []
    if not _is_table(names, placed[count:], texts[count:]):
        return None
    _repeat_labels(texts, rows, count)
    sure = _sure(rows[count:], line, with_titles=are_apart)
    cells = {
        id(word): cell.words
        for row, of_row in zip(rows, whole, strict=True)
        for cell, [word] in zip(row, of_row, strict=True)
    }
    of_words = [
        [list(itertools.chain.from_iterable(cells[id(word)] for word in cell)) for cell in row]
        for row in placed
    ]
    header = together(of_words[:count])
    return DrawnTable(Table(header, of_words[count:], names, texts[count:]), sure)


def _as_word(cell: DrawnCell) -> Cell:
    """Return all words of a cell as a single one."""
    words = cell.words
    if len(words) == 1:
        return words
    middle = (cell.top + cell.bottom) / 2
    return [Word(cell_text(words), words[0].line, *cell[1:], words[0].height, middle)]


def _columns(rows: Sequence[Row]) -> list[Column]:
    several = [row for row in rows if len(row) > 1]
    with_values = [row for row in several if any(map(is_value, row[1:]))]
    basis = with_values if len(with_values) > 1 else several
    found = [one for one in columns_seen(basis) if one.rows >= min(len(basis), 2)]
    # Those of marks, as of what is filed with a report, may have none beside figures.
    others = [one for one in columns_seen(several) if one.rows > 1]
    return sorted([*found, *(one for one in others if not any(map(one.is_over, found)))])


def _below_texts(
    rows: Sequence[DrawnRow], columns: Sequence[Column], line: float
) -> Sequence[DrawnRow]:
    """Leave out texts above the table: of what stands alone there, only headings belong to it."""
    start = next(
        (
            n
            for n, row in enumerate(rows)
            if len(row) > 1
            and not row[0].left < columns[1].left < row[0].right - OVERLAP
            and not is_item(row, columns[1].left)
        ),
        len(rows),
    )
    if start < len(rows) and any(map(has_value, itertools.chain.from_iterable(rows))):
        while start and _is_heading(rows[start - 1], rows[start], columns, line):
            start -= 1
    return rows[start:]


def _is_heading(row: DrawnRow, below: DrawnRow, columns: Sequence[Column], line: float) -> bool:
    """Tell whether what stands alone above a row is over columns, and not the title of a page."""
    cell, middle = row[0], (row[0].left + row[0].right) / 2
    of_all = (columns[0].left + columns[-1].right) / 2
    distance = min(one.first for one in below) - cell.last
    return (
        len(row) == 1
        and len(cell_text(cell.words)) <= LONGEST_TITLE
        and distance < NEAR * line
        and middle > columns[1].left
        and cell.left > (columns[0].left + columns[1].left) / 2
        and abs(middle - of_all) > OFF_MIDDLE
    )


def _sure(rows: Sequence[DrawnRow], line: float, *, with_titles: bool) -> list[set[str]]:
    """Return the cells of several lines in each row that is sure, and the titles between these."""
    proven = [row for row in rows if is_proven(row, line)]
    titles = [row for row in rows if len(row) == 1] if proven and with_titles else []
    return [
        *({cell_text(cell.words) for cell in row if len(cell.lines) > 1} for row in proven),
        *({cell_text(row[0].words)} for row in titles),
    ]


def _repeat_labels(texts: Sequence[list[str]], rows: Sequence[DrawnRow], start: int) -> None:
    """Write the label of several rows, which stands beside the middle of them, in each."""
    label = ""
    for row, of_row in zip(rows[start:], texts[start:], strict=True):
        if of_row[0]:
            label = of_row[0] if len(row) > 1 and _is_apart(row[0], row[1:]) else ""
        elif any(of_row):
            of_row[0] = label


def _is_apart(label: DrawnCell, others: DrawnRow) -> bool:
    """Tell whether a label and the cells behind it have not the middle of either beside both."""
    top, bottom = min(one.top for one in others), max(one.bottom for one in others)
    middle = (label.top + label.bottom) / 2
    return not (top < middle < bottom or label.top < (top + bottom) / 2 < label.bottom)


def _is_table(names: Sequence[str], rows: Sequence[Row], texts: Sequence[Sequence[str]]) -> bool:
    """Tell whether rows, of figures or of words, are those of a table."""
    if is_form(rows) or is_contents(names, [row[-1] for row in texts if row[-1]]):
        return False
    if 2 * sum(len(row) - row.count("") > 1 for row in texts) < len(texts):
        return False
    behind = [cell for row in rows for cell in row[1:] if cell]
    if 2 * sum(map(is_value, behind)) >= len(behind):
        return True
    by_column = [list(filter(None, column)) for column in zip(*texts, strict=True)]
    lengths = [len(cell) for column in by_column for cell in column]
    return (
        len(by_column) >= MIN_COLUMNS_OF_WORDS
        and all(2 * len(column) >= len(texts) for column in by_column[1:])
        and max(lengths) <= LONGEST_CELL
        and median(lengths) <= USUAL_CELL
    )
