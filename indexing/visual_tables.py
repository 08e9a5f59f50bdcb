"""Find the tables among the lines recognised in a picture: by their rules, or their places."""

import itertools
import math
from collections.abc import Sequence
from statistics import median

from indexing.column_places import MIN_TABLE_COLUMNS, Span, column_of, column_spans, parted
from indexing.ocr import Line
from indexing.partition.blocks import page_text
from indexing.partition.merged_cells import write_out_merged
from indexing.partition.tables import is_header, is_number, table_block
from indexing.partition.unspaced_lines import on_one_line
from indexing.ruling import Cells, Grid, fill, joined_cells
from indexing.unruled_rows import parted_at_walls, with_rows
from indexing.visual_headings import joined_names
from indexing.visual_pairs import end_of_pairs
from indexing.visual_rows import (
    LINE_END_HYPHEN,
    PlacedBlock,
    Row,
    TableLine,
    middle,
    parts_of,
    placed,
    rows_of,
)

MIN_TABLE_ROWS = 3
FITTING = 0.8
MAX_ROW_DISTANCE = 3.5  # times the height of a line
MAX_HEADING_DISTANCE = 2.5  # times the same
CONTINUATION = 0.75  # of the usual distance of two rows
OTHER_TABLE = 1.3  # of the distance of its own rows stands its header below another table
CLOSE = 1.1  # times the same
CLOSE_LINES = 1.5  # times the height of a line
NEARER = 0.9  # of the distance of two rows is that of two lines of a cell
MIN_OTHERS = 2


def ruled_tables(
    lines: list[Line], grids: Sequence[Grid]
) -> tuple[list[Line], dict[Line, PlacedBlock]]:
    """Return the lines outside of ruled tables, and for each table a line that has its place."""
    ruled: dict[Line, PlacedBlock] = {}
    for grid in grids:
        grid = with_rows(grid, lines)
        in_cells = list(parted_at_walls(grid, lines))
        cells = fill(grid, in_cells)
        table = _ruled_table(grid, cells) if cells is not None else None
        if cells is None or table is None:
            continue
        inside = {id(line) for row in cells for cell in row for line in cell}
        lines = [line for line in in_cells if id(line) not in inside]
        text = f"{table.block.header} {table.block.text}".replace("\n", " ")
        place = table.left, table.top, table.right, table.bottom
        ruled[TableLine(text, *place)] = table
    return lines, ruled


def table_from(rows: list[Row], start: int) -> tuple[int, PlacedBlock | None]:
    """Return where what begins here ends, and the table if it is one."""
    end, table = _table_at(rows, start)
    if table is not None:
        return end, table
    end = start + 1
    while end < len(rows) and _table_at(rows, end)[1] is None:
        end += 1
    return end, None


def _table_at(rows: list[Row], at: int) -> tuple[int, PlacedBlock | None]:
    """Return the end of a table that begins at a row, maybe with headings over its names."""
    if at + 1 < len(rows) and len(rows[at]) > 1 and _may_begin(rows, at + 1):
        height = median(heading.height for heading in rows[at])
        is_near = middle(rows[at + 1]) - middle(rows[at]) <= MAX_HEADING_DISTANCE * height
        if is_near and (names := joined_names(rows[at], rows[at + 1])):
            end = _end_of_run(rows, at + 1)
            if table := _table(rows[at + 1 : end], rows[at], names):
                return end, table
    if _may_begin(rows, at):
        end = _end_of_run(rows, at)
        return end, _table(rows[at:end])
    if (end := end_of_pairs(rows, at)) > at:
        block = table_block([[cell.text for cell in row] for row in rows[at:end]])
        if block is not None and block.header:
            return end, placed(block, [[row] for row in rows[at:end]])
    return at, None


def _may_begin(rows: Sequence[Row], at: int) -> bool:
    """Tell whether a table may begin at a row.

    Names that stand close may have been joined, and that of the first column may be left out.
    """
    if len(rows[at]) >= MIN_TABLE_COLUMNS:
        return True
    names = [part for cell in rows[at] for part in parts_of(cell)]
    below = rows[at + 1] if at + 1 < len(rows) else []
    return (
        len(below) >= MIN_TABLE_COLUMNS
        and len(below) - 1 <= len(names) <= len(below)
        and is_header([name.text for name in names], len(names))
        and _stand_over(names, below[len(below) - len(names) :])
    )


def _stand_over(names: Sequence[Line], cells: Row) -> bool:
    """Tell whether each name lies over the cell below, and over no other."""
    return all(
        (name.left < cell.right and cell.left < name.right) == (n == m)
        for n, name in enumerate(names)
        for m, cell in enumerate(cells)
    )


def _ruled_table(grid: Grid, cells: Cells) -> PlacedBlock | None:
    texts = [[_cell_text(cell) for cell in row] for row in cells]
    # With a line for each row that it spans, a cell lacks but the rules below these.
    joined = [
        ((top, left), (bottom, right))
        for (top, left), (bottom, right) in joined_cells(grid)
        if top == bottom or len(rows_of(cells[top][left])) <= bottom - top
    ]
    write_out_merged(texts, joined)
    block = table_block(texts)
    return placed(block, _lines_of(texts, cells)) if block is not None else None


def _lines_of(texts: list[list[str]], cells: Cells) -> list[list[Row]]:
    """Return what stands in each row that has a text; headings stand in the row of their names."""
    lines: list[list[Row]] = []
    above: list[Row] = []
    for row, filled in zip(texts, cells, strict=True):
        above += filter(None, [list(itertools.chain(*filled))])
        if any(row):
            lines.append(above)
            above = []
    return lines


def _cell_text(cell: list[Line]) -> str:
    text = "\n".join(line.text for row in rows_of(cell) for line in row)
    return on_one_line(page_text(LINE_END_HYPHEN.sub("\x02\n", text)))


def _end_of_run(rows: list[Row], start: int) -> int:
    """Return the end of rows of several cells; a single cell may stand close between two."""
    end = start + 1
    for at in range(start + 1, len(rows)):
        height = median(line.height for line in rows[at])
        if middle(rows[at]) - middle(rows[at - 1]) > MAX_ROW_DISTANCE * height:
            break
        if _names_columns_anew(rows, at):
            break
        if len(rows[at]) > 1:
            end = at + 1
        elif _is_title(rows, at) or (at > end and not _is_further_line(rows, at, end - 1)):
            break
    return _end_of_last_cell(rows, end)


def _is_further_line(rows: Sequence[Row], at: int, row: int) -> bool:
    """Tell whether a single cell goes on with the one above it, both below a cell of a row."""
    (above,), (line,) = rows[at - 1], rows[at]
    return (
        middle(rows[at]) - middle(rows[at - 1]) <= CLOSE_LINES * line.height
        and abs(line.left - above.left) < line.height / 2
        and _cell_above(rows[row], line) is not None
    )


def _cell_above(row: Row, line: Line) -> int | None:
    """Return the number of the cell that the line begins below, and ends before the next one."""
    ends = [*(cell.left for cell in row[1:]), math.inf]
    for number, (cell, end) in enumerate(zip(row, ends, strict=True)):
        if abs(cell.left - line.left) < line.height / 2 and line.right < end:
            return number
    return None


def _end_of_last_cell(rows: list[Row], row_end: int) -> int:
    """Return where single cells end that are further lines of one in the row above."""
    end = row_end
    while end < len(rows) and len(rows[end]) == 1:
        if end > row_end and not _is_further_line(rows, end, row_end - 1):
            break
        end += 1
    if end == row_end or not _is_close(rows, row_end, end):
        return row_end
    row, line = rows[row_end - 1], rows[row_end][0]
    number = _cell_above(row, line)
    is_within = number is not None and number + 1 < len(row)
    return end if is_within and line.text[:1].islower() else row_end


def _is_close(rows: Sequence[Row], start: int, end: int) -> bool:
    """Tell whether rows stand close to the one above them, and the last not to the next."""
    to_above = middle(rows[start]) - middle(rows[start - 1])
    if to_above > CLOSE_LINES * median(cell.height for cell in rows[start]):
        return False
    to_last = middle(rows[end - 1]) - middle(rows[end - 2])
    return end == len(rows) or to_last < CONTINUATION * (middle(rows[end]) - middle(rows[end - 1]))


def _goes_on_small(rows: Sequence[Row], at: int) -> bool:
    """Tell whether a row begins with small letters, close to the one above and not to the next."""
    begins_small = all(cell.text[:1].islower() for cell in rows[at])
    return bool(at) and begins_small and _is_close(rows, at, at + 1)


def _is_title(rows: list[Row], at: int) -> bool:
    """Tell whether the names of columns follow: what stands above them begins another table."""
    if at + 1 == len(rows):
        return False
    below = [cell.text for cell in rows[at + 1]]
    to_above, to_below = (middle(rows[at + n]) - middle(rows[at + n - 1]) for n in (0, 1))
    belongs_above = to_above < CONTINUATION * to_below
    return not belongs_above and len(below) >= MIN_TABLE_COLUMNS and is_header(below, len(below))


def _names_columns_anew(rows: Sequence[Row], at: int) -> bool:
    """Tell whether names stand above figures there, further from the row above than from these."""
    if at + 1 == len(rows) or len(rows[at]) < MIN_TABLE_COLUMNS:
        return False
    names, below = rows[at], rows[at + 1]
    to_above, to_below = (middle(rows[at + n]) - middle(rows[at + n - 1]) for n in (0, 1))
    return (
        to_above > OTHER_TABLE * to_below
        and len(below) == len(names)
        and any(is_number(cell.text) for cell in below)
        and is_header([name.text for name in names], len(names))
        and _stand_over(names, below)
    )


def _table(
    rows: list[Row], headings: Row | None = None, names: Sequence[str] = ()
) -> PlacedBlock | None:
    """Return the rows as a table; if they have headings above them, with these names."""
    spans = column_spans(rows)
    if spans is None or len(rows) < MIN_TABLE_ROWS:
        return None
    fitting = 0
    table: list[list[str]] = []
    places: list[list[Row]] = []  # of each row of the table
    pitch = median(middle(b) - middle(a) for a, b in itertools.pairwise(rows))
    before: Row | None = None
    in_columns = [parted(row, spans) for row in rows]
    further = _further_lines(in_columns, spans)
    for number, row in enumerate(in_columns):
        columns = [column_of(cell, spans) for cell in row]
        fitting += len(set(columns))
        distance = middle(row) - middle(before) if before is not None else math.inf
        # The second line of a cell stands nearer to the first than a row to a row.
        is_near = distance < CONTINUATION * pitch and len(row) < len(spans) - 1
        is_near = is_near or number in further or _goes_on_small(rows, number)
        is_near = is_near and not _has_figure_below_one(row, columns, table[-1])
        if not (is_near or (distance < CLOSE * pitch and _goes_on(row, columns, table[-1]))):
            table.append([""] * len(spans))
            places.append([])
        places[-1].append(row)
        for column, cell in zip(columns, row, strict=True):
            table[-1][column] = f"{table[-1][column]} {cell.text}".strip()
        before = row
    if headings is not None:
        if len(names) != len(spans):
            return None
        table[0] = list(names)
        places[0].insert(0, headings)
    block = table_block(table) if fitting >= FITTING * sum(map(len, rows)) else None
    return placed(block, places) if block is not None else None


def _further_lines(rows: Sequence[Row], spans: Sequence[Span]) -> set[int]:
    """Return which rows are but further lines of cells: those nearer than all that cannot be."""
    distances = [0.0, *(middle(b) - middle(a) for a, b in itertools.pairwise(rows))]
    possible: set[int] = set()
    above: set[int] = set()
    for number, row in enumerate(rows):
        columns = {column_of(cell, spans) for cell in row}
        is_text = not any(is_number(cell.text) for cell in row)
        if number and columns <= above and len(columns) < len(spans) and is_text:
            possible.add(number)
        else:
            above = columns
    others = [distances[n] for n in range(1, len(rows)) if n not in possible]
    if len(others) < MIN_OTHERS:
        return set()
    return {number for number in possible if distances[number] < NEARER * min(others)}


def _has_figure_below_one(row: Row, columns: list[int], above: list[str]) -> bool:
    """Tell whether a number stands below one: the lines of a sum stand closer than its items."""
    return any(
        is_number(cell.text) and is_number(above[column])
        for column, cell in zip(columns, row, strict=True)
    )


def _goes_on(row: Row, columns: list[int], above: list[str]) -> bool:
    """Tell whether a row is but a text below one, in another column than the first."""
    if len(row) > 1 or columns[0] == 0:
        return False
    text_above = above[columns[0]]
    return bool(text_above) and not is_number(text_above) and not is_number(row[0].text)
