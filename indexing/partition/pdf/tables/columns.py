"""Tell rows, columns and the header of tables without ruling lines from where their words stand."""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from operator import itemgetter
from statistics import median

from indexing.partition.blocks import HYPHENS
from indexing.partition.pdf.tables.cell_lines import header_and_rows, is_continued
from indexing.partition.pdf.tables.cells import (
    Row,
    Table,
    Word,
    cells_of,
    has_figures,
    is_form,
    is_value,
    table_of,
    texts_of,
    together,
)
from indexing.partition.pdf.tables.close_cells import parted_cells
from indexing.partition.pdf.tables.first_columns import with_first_parted
from indexing.partition.pdf.tables.numbered_rows import numbered_rows
from indexing.partition.pdf.tables.rare_columns import Column, with_rare_columns
from indexing.partition.pdf.tables.segments import (
    MAX_HEADER_ROWS,
    MIN_ROWS,
    distance_of,
    is_far_off,
    segments_of,
)

LAST_LINE = 1.6  # of the height of the words, to the line of a cell that is below its row
BESIDE = 0.8  # the same, of two lines of a row that are beside each other
LEFT = 2.0  # points, between the beginnings of lines of a cell
LONGEST_TEXT = 200  # of a label beside words; a text beside a table has more
LONGEST_HEADER = 100
LABEL_SHARE = 0.8  # of what lies before the first column of figures
OFF_MIDDLE = 0.15  # of the width of the columns that a name is over
LONGEST_CELL = 40
LONG_PROSE = 22
WIDEST_SPACE = 1.4  # of the height of the words, between words of a line that is filled
FILLED = 0.6
MIN_COLUMNS = 3
MIN_NUMBERED = 2  # rows of several lines
MAX_COLUMNS = 40
FITTING = 0.8
MAX_PAGE_NUMBER = 2000

_PAGE_NAMES = {"", "page", "pages", "seite", "página", "pagina"}


def tables_of(lines: Iterable[Sequence[Word]]) -> Iterator[Table]:
    """Yield the tables among words that stand side by side, in the order of these from the top."""
    rows = list(map(cells_of, lines))
    for segment in segments_of([row for row in rows if row]):
        table = _table(segment) if _may_be_table(segment) else None
        if table is not None:
            yield table


def _may_be_table(rows: Sequence[Row]) -> bool:
    return len(rows) >= MIN_ROWS and any(len(row) > 1 for row in rows)


def _table(rows: Sequence[Row]) -> Table | None:
    rows = with_first_parted(rows, list(map(has_figures, rows))) or rows
    numbered = numbered_rows(rows)
    with_figures = _with_figures(rows, numbered)
    basis = _basis(rows, with_figures)
    seen = _columns_seen(basis)
    if parted := parted_cells(rows, basis, seen):
        rows, with_figures = parted, _with_figures(parted, numbered)
        basis = _basis(rows, with_figures)
        seen = _columns_seen(basis)
    first = with_figures.index(True) if any(with_figures) else None
    columns = _columns(seen, len(basis), _names_above(rows[:first] if first else []))
    if len(columns) < 2:
        return None
    start, end = _trimmed(rows, columns, first)
    if numbered:
        end = max(end, numbered[-1].stop)
    placed = _placed(rows[start:end], columns, first - start if first else 0)
    if end - start < MIN_ROWS or not placed:
        return None
    known = [range(row.start - start, row.stop - start) for row in numbered]
    count, whole = header_and_rows(placed, known)
    header, names = _header(placed[:count])
    table = Table(header, whole, names, list(map(texts_of, whole)))
    fewest = MIN_NUMBERED if numbered else MIN_ROWS
    if len(whole) + bool(header) < fewest or not _is_table(table, columns):
        return None
    # The rest of a row that the end of the page before cut is no header.
    is_rest = len(names) >= MIN_COLUMNS and sum(map(bool, names)) == 1
    return table_of([], [*placed[:count], *whole]) if is_rest else table


def _with_figures(rows: Sequence[Row], numbered: Sequence[range]) -> list[bool]:
    """Tell which lines have figures, or belong to rows that are known by their numbers."""
    have_figures = list(map(has_figures, rows))
    if not numbered:
        return have_figures
    first, end = numbered[0].start, numbered[-1].stop
    return [False] * first + [True] * (end - first) + have_figures[end:]


def _placed(rows: Sequence[Row], columns: Sequence[Column], above: int) -> list[Row]:
    """Return rows with a cell for each column; none if cells do not stand in these.

    So many rows are above the first figures.
    """
    placed: list[Row] = []
    cells = fitting = 0
    lefts, rights = [one.left for one in columns], [one.right for one in columns]
    all_columns = list(range(len(columns)))
    for at, row in enumerate(rows):
        numbers = _columns_of(row, lefts, rights)
        if at < above:
            numbers = _columns_named(row, columns, numbers)
        cells += len(row)
        fitting += len(set(numbers))
        if numbers == all_columns:
            placed.append(row)
            continue
        in_columns: Row = [[] for _ in columns]
        for number, cell in zip(numbers, row, strict=True):
            in_columns[number] += cell
        placed.append(in_columns)
    return placed if fitting >= FITTING * cells else []


def _header(rows: Sequence[Row]) -> tuple[Row, list[str]]:
    """Return the names of the columns, and their texts, without the lines of a text above them."""
    header = together(rows)
    names = texts_of(header)
    if max(map(len, names), default=0) > LONGEST_HEADER:
        return _header(rows[1:])
    return header, names


def _columns(seen: Sequence[Column], count: int, names: Row) -> list[Column]:
    """Return the columns that several of the counted rows have, and others that have names."""
    fewest = 2 if count > 2 else 1
    usual = [one for one in seen if one.rows >= fewest]
    rare = [one for one in seen if one.rows < fewest]
    return with_rare_columns(usual, rare, names)


def _basis(rows: Sequence[Row], with_figures: Sequence[bool]) -> list[Row]:
    """Return the rows that tell the columns: those with figures, if there are some."""
    if sum(with_figures) > 1:
        return list(itertools.compress(rows, with_figures))
    return [row for row in rows if len(row) > 1]


def _columns_seen(basis: Sequence[Row]) -> list[Column]:
    """Return the columns of rows; cells that span several make none."""
    cells = itertools.chain.from_iterable(basis)
    widths = [((right := cell[-1].right) - (left := cell[0].left), left, right) for cell in cells]
    # From the left to the right none is over another, so that they are found by halving.
    lefts: list[float] = []
    rights: list[float] = []
    counts: list[int] = []
    for _, left, right in sorted(widths, key=itemgetter(0)):
        first, end = bisect_right(rights, left), bisect_left(lefts, right)
        if end <= first:
            lefts.insert(first, left)
            rights.insert(first, right)
            counts.insert(first, 1)
            if len(counts) > MAX_COLUMNS:
                return []
        elif end - first == 1:
            if left < lefts[first]:
                lefts[first] = left
            if right > rights[first]:
                rights[first] = right
            counts[first] += 1
    return list(map(Column, lefts, rights, counts))


def _names_above(rows: Sequence[Row]) -> Row:
    """Return the last line above the figures with several cells, which may be names of columns."""
    return next((row for row in reversed(rows) if len(row) > 1), [])


def _trimmed(rows: Sequence[Row], columns: Sequence[Column], first: int | None) -> tuple[int, int]:
    """Leave out the captions above and what stands below: return where the others begin and end.

    `first` is the first row with figures, if there is one.
    """
    several = [number for number, row in enumerate(rows) if len(row) > 1]
    if first is None:
        first = several[0]
    else:
        # What has no figures and stands by itself below them is a heading of what follows.
        # So is a line of text with more cells than columns: its words are spread to fill it.
        while not has_figures(rows[several[-1]]) and (
            len(rows[several[-1]]) > len(columns) or is_far_off(rows[: several[-1] + 1])
        ):
            several.pop()
    end = several[-1] + 1
    start = first
    label_width = LABEL_SHARE * (columns[1].left - columns[0].left)
    label_end = min(columns[0].right, columns[0].left + label_width) - 1
    has_names = False
    while start and first - start < MAX_HEADER_ROWS:
        row = rows[start - 1]
        names = sum(cell[0].left >= label_end for cell in row)
        is_label = names < len(row)
        if is_label and names < 2 and has_names:
            break
        has_names = has_names or names > 0
        start -= 1
    # Labels alone above the first name are no header.
    while start < first and rows[start][0][0].left < label_end and len(rows[start]) == 1:
        start += 1
    if end < len(rows) and is_continued(rows[end]):
        end += 1
    while end < len(rows) and _goes_on_below(rows[end - 1], rows[end], columns[1].left):
        end += 1
    return start, end


def _goes_on_below(above: Row, row: Row, second: float) -> bool:
    """Tell whether a row is the next line of a text above, from the second column on.

    Where cells stand in the middle of their rows, it may be beside the lower half of the others.
    """
    left, height = row[0][0].left, max(above[0][0].height, row[0][0].height)
    distance = distance_of(above, row)
    return left > second - LEFT and (
        (distance < BESIDE * height and any(map(str.isalnum, row[0][0].text)))
        or (
            distance < LAST_LINE * height
            and any(abs(cell[0].left - left) < LEFT and not is_value(cell) for cell in above)
        )
    )


def _columns_named(row: Row, columns: Sequence[Column], nearest: list[int]) -> list[int]:
    """Return the column of each cell above figures; one over several is in their first."""
    numbers = _in_order(row, columns, nearest)
    named = [number for number in numbers if number]
    width = (len(columns) - 1) // max(len(named), 1)
    if numbers != nearest or width < 2 or width * len(named) != len(columns) - 1:
        return numbers
    firsts = range(1, len(columns), width)
    over = [cell for cell, number in zip(row, numbers, strict=True) if number]
    for cell, first in zip(over, firsts, strict=True):
        left, right = columns[first].left, columns[first + width - 1].right
        off = abs(cell[0].left + cell[-1].right - left - right) / 2
        if off > OFF_MIDDLE * (right - left):
            return numbers
    return [0] * (len(row) - len(named)) + list(firsts)


def _in_order(row: Row, columns: Sequence[Column], nearest: list[int]) -> list[int]:
    """Return columns of which none has two names, if there are enough.

    Sheets have names on the left of their columns and figures on the right, so that a name may
    stand beside the figures of the column before, and over none of its own.
    """
    if len(row) == len(columns):
        return list(range(len(columns)))
    numbers: list[int] = []
    for cell, number in zip(row, nearest, strict=True):
        is_behind = cell[0].left >= columns[number].right
        is_taken = number in numbers[-1:] or (number == 0 and len(row) > 1)
        numbers.append(number + 1 if is_behind and is_taken else number)
    are_apart = all(one < other for one, other in itertools.pairwise(numbers))
    return numbers if are_apart and numbers[-1] < len(columns) else nearest


def _columns_of(row: Row, lefts: Sequence[float], rights: Sequence[float]) -> list[int]:
    """Return the column of each cell; these begin and end there."""
    numbers: list[int] = []
    for cell in row:
        left, right = cell[0].left, cell[-1].right
        # Columns are beside each other, so that most cells lie within one and over no other.
        within = bisect_right(lefts, left) - 1
        is_within = within >= 0 and left < right <= rights[within]
        numbers.append(within if is_within else _nearest(left, right, lefts, rights))
    return numbers


def _nearest(left: float, right: float, lefts: Sequence[float], rights: Sequence[float]) -> int:
    """Return the first column that a cell is over, or the nearest one."""
    nearest, most = 0, -inf
    for number, (begin, end) in enumerate(zip(lefts, rights, strict=True)):
        # As conditions, for calls of `min` and `max` would be what reading a table takes.
        shared = (right if right < end else end) - (left if left > begin else begin)
        if shared > 0 and shared > min(right - left, end - begin) / 2:
            return number
        if shared > most:
            nearest, most = number, shared
    return nearest


def _is_table(table: Table, columns: Sequence[Column]) -> bool:
    names, texts = table.names, table.texts
    if 2 * sum([len(row) - row.count("") > 1 for row in texts]) < len(texts):
        return False
    if is_form(table.rows) or _is_contents(names, [row[-1] for row in texts if row[-1]]):
        return False
    if any(_goes_on_beside(row, columns) for row in table.rows):
        return False
    behind = [cell for row in table.rows for cell in row[1:] if cell]
    values = sum(map(is_value, behind))
    if 2 * values >= len(behind):
        return bool(names) or len(columns) >= MIN_COLUMNS
    by_column = [list(filter(None, column)) for column in zip(*texts, strict=True)]
    usual = [column for one, column in zip(columns, by_column, strict=True) if one.rows]
    return (
        len(usual) >= MIN_COLUMNS
        and len(texts) >= MIN_ROWS
        and all(2 * len(column) >= len(texts) for column in usual)
        and sum(map(_is_prose, usual)) < 2
        and max(map(len, by_column[0])) <= LONGEST_TEXT
        and median(len(cell) for column in by_column for cell in column) <= LONGEST_CELL
        and not _are_words(table.rows)
    )


def _goes_on_beside(row: Row, columns: Sequence[Column]) -> bool:
    """Tell whether a broken word goes on in another column, as a text in columns does."""
    return any(
        word.right > beside.left and any(map(word.text.__contains__, HYPHENS))
        for cell, beside in zip(row, columns[1:], strict=False)
        for word in cell
    )


def _are_words(rows: Sequence[Row]) -> bool:
    """Tell whether the cells stand as near to each other as words of text that fills its lines."""
    filled = [[cell for cell in row if cell] for row in rows]
    gaps = [
        (other[0].left - one[-1].right) / other[0].height
        for row in filled
        for one, other in itertools.pairwise(row)
    ]
    return median(gaps) < WIDEST_SPACE


def _is_prose(column: Sequence[str]) -> bool:
    """Tell whether cells are lines of a text: long, most of them full, and none like another."""
    lengths = [len(cell) for cell in column]
    full = sum(length > FILLED * max(lengths) for length in lengths)
    are_others = len(set(column)) == len(column)
    return are_others and median(lengths) >= LONG_PROSE and 2 * full >= len(lengths)


def _is_contents(names: Sequence[str], last: Sequence[str]) -> bool:
    """Tell whether the last column counts the pages of a list of contents."""
    numbers = [int(cell) for cell in last if cell.isdecimal() and len(cell) < 5]
    return (
        len(numbers) >= max(MIN_ROWS, len(last) - 1)
        and (not names or names[-1].lower() in _PAGE_NAMES)
        and max(numbers) < MAX_PAGE_NUMBER
        and numbers == sorted(numbers)
    )
