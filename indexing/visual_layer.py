"""Put the lines recognised in a picture into reading order: columns, paragraphs and tables."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from indexing.boxes import WHOLE_PAGE, page_boxes, turned, within
from indexing.drawing import Box, drawn_part
from indexing.ocr import UNKNOWN_LETTERS, Line, Mask, Picture, Reading, recognize
from indexing.partition.blocks import MAX_HEADING_CHARACTERS, line_spans, page_text, split_blocks
from indexing.partition.reading_order import runs_from_right
from indexing.partition.tables import is_header, is_number, table_block
from indexing.ruling import Cells, Grid, fill, find_grids
from indexing.types import NO_PAGE, Block, BlockKind, Figure, PageBox

MIN_COLUMN_LINES = 4
MIN_COLUMN_CHARACTERS = 15
"""The lines of a column of text are at least this long; those of a table or receipt are not."""

MAX_SPANNING = 0.35
"""The share of lines that may run over a gutter: headings, captions."""

FILLED = 0.6
SAME_CELL_GAP = 0.7  # of the height of the line
PARAGRAPH_GAP = 1.4  # times the usual distance of two lines
MIN_PARAGRAPH_GAP = 1.5  # times the height of a line
HEADING_HEIGHT = 1.4  # times the usual height of a line
MAX_HEADING_LINES = 2

MIN_TABLE_ROWS = 3
MIN_TABLE_COLUMNS = 3
MAX_CELL_CHARACTERS = 40
FITTING = 0.8
MAX_ROW_DISTANCE = 3.5  # times the height of a line
CONTINUATION = 0.75  # of the usual distance of two rows
CLOSE = 1.1  # times the same

_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=\w)")

Row = list[Line]
"""What stands side by side, from the left to the right."""

Place = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block with its place in the picture, or on the page."""

    block: Block
    left: float
    top: float
    right: float
    bottom: float
    lines: tuple[Place, ...] = ()  # where each of its lines stands, that of its header first


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """A picture to be described, with its place on the page."""

    image: bytes  # a JPEG file
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The text of a picture in reading order."""

    blocks: tuple[PlacedBlock, ...]
    quarter_turns: int  # counter-clockwise; the places are those of the picture so turned
    figure: Box | None = None  # where the picture shows more than words
    has_unknown_letters: bool = False  # so has most of its text

    @property
    def figure_position(self) -> int:
        """Return before which of the blocks the figure stands: the first one in or below it."""
        if self.figure is None:
            return len(self.blocks)
        left, top, right, _ = self.figure
        below = (
            number
            for number, block in enumerate(self.blocks)
            if block.top >= top and block.left < right and left < block.right
        )
        return next(below, len(self.blocks))


def read_picture(picture: Picture, covered: Mask | None = None) -> VisibleText:
    """Read the picture, but what lies where the mask says the text is known.

    Raises:
        RecognitionFailed: memory or the libraries gave out.
    """
    reading = recognize(picture, covered)
    turns = reading.quarter_turns
    known = None if covered is None else np.rot90(covered, turns)
    figure = drawn_part(np.rot90(picture, turns), reading.lines, known)
    blocks = in_reading_order(np.rot90(picture, turns), reading)
    return VisibleText(blocks, turns, figure, reading.has_unknown_letters)


def in_reading_order(upright: Picture, reading: Reading) -> tuple[PlacedBlock, ...]:
    """Return the blocks of the upright picture; of one that is read from the right as in a mirror.

    So its first column is the left one for all that is told of columns and rows.
    """
    is_mirrored = runs_from_right(" ".join(line.text for line in reading.lines))
    if not is_mirrored:
        grids = find_grids(upright, reading.angle, reading.lines)
        return tuple(arrange(reading.lines, grids))
    width = upright.shape[1]
    lines = [
        replace(line, left=width - line.right, right=width - line.left) for line in reading.lines
    ]
    mirror = np.ascontiguousarray(np.fliplr(upright))
    blocks = arrange(lines, find_grids(mirror, -reading.angle, lines))
    return tuple(_mirrored(block, width) for block in blocks)


def _mirrored(placed: PlacedBlock, width: float) -> PlacedBlock:
    """Return the block where it stands in the picture, given where it does in the mirror."""
    lines = tuple(
        (width - right, top, width - left, bottom) for left, top, right, bottom in placed.lines
    )
    left, right = width - placed.right, width - placed.left
    return replace(placed, left=left, right=right, lines=lines)


def unknown_letters(page_number: int) -> str:
    """Return the warning for a page whose pictures are mostly in letters that nobody here knows."""
    where = "" if page_number == NO_PAGE else f" on page {page_number}"
    return f"most of the text in the pictures{where} is {UNKNOWN_LETTERS}"


def with_boxes(
    placed: PlacedBlock,
    picture: Picture,
    quarter_turns: int,
    area: PageBox = WHOLE_PAGE,
) -> Block:
    """Return a block that was read in the picture with its boxes on the page.

    The picture covers the area of the page, and was turned counter-clockwise to be read.
    """
    height, width = np.rot90(picture, quarter_turns).shape[:2]
    shares = np.array(placed.lines) / (width, height, width, height)
    boxes = page_boxes(within(turned(shares, quarter_turns), area))
    return replace(placed.block, line_boxes=tuple(boxes))


def on_page(
    seen: Iterable[Block | PlacedFigure],
) -> tuple[tuple[Block, ...], tuple[Figure, ...]]:
    """Return the blocks of a page, and its figures by their position among them."""
    blocks: list[Block] = []
    figures: list[Figure] = []
    for one in seen:
        if isinstance(one, PlacedFigure):
            figures.append(Figure(len(blocks), one.image))
        else:
            blocks.append(one)
    return tuple(blocks), tuple(figures)


def arrange(lines: Sequence[Line], grids: Sequence[Grid] = ()) -> Iterator[PlacedBlock]:
    """Yield headings, paragraphs and tables in the order a person reads them."""
    usual_height = median(line.height for line in lines) if lines else 0.0
    outside, ruled = _ruled_tables(list(lines), grids)
    for column in _columns([*outside, *ruled]):
        rows: list[Row] = []
        for row in _rows(column):
            tables = [ruled[line] for line in row if line in ruled]
            if tables:
                yield from _blocks(rows, usual_height)
                yield from tables
                rows = []
            rows += filter(None, [[line for line in row if line not in ruled]])
        yield from _blocks(rows, usual_height)


def _ruled_tables(
    lines: list[Line], grids: Sequence[Grid]
) -> tuple[list[Line], dict[Line, PlacedBlock]]:
    """Return the lines outside of ruled tables, and for each table a line that has its place."""
    ruled: dict[Line, PlacedBlock] = {}
    for grid in grids:
        cells = fill(grid, lines)
        table = _ruled_table(cells) if cells is not None else None
        if cells is None or table is None:
            continue
        inside = {id(line) for row in cells for cell in row for line in cell}
        lines = [line for line in lines if id(line) not in inside]
        text = f"{table.block.header} {table.block.text}".replace("\n", " ")
        place = table.left, table.top, table.right, table.bottom
        ruled[Line(text, *place)] = table
    return lines, ruled


def _ruled_table(cells: Cells) -> PlacedBlock | None:
    filled = [row for row in cells if any(row)]
    texts = [[_cell_text(cell) for cell in row] for row in filled]
    block = table_block(texts)
    return (
        _placed(block, [[list(itertools.chain(*row))] for row in filled])
        if block is not None
        else None
    )


def _cell_text(cell: list[Line]) -> str:
    text = "\n".join(line.text for row in _rows(cell) for line in row)
    return page_text(_LINE_END_HYPHEN.sub("\x02\n", text)).replace("\n", " ")


def _blocks(rows: list[Row], usual_height: float) -> Iterator[PlacedBlock]:
    at = 0
    while at < len(rows):
        end, table = _table_from(rows, at)
        if table is not None:
            yield table
        else:
            yield from _texts(rows[at:end], usual_height)
        at = end


def _columns(lines: list[Line]) -> Iterator[list[Line]]:
    """Split lines at the gutters between columns of text; what spans them keeps its height."""
    gutter = _gutter(lines)
    if gutter is None:
        yield lines
        return
    left, right, spanning = _sides_of(lines, gutter)
    spanning.sort(key=lambda line: line.middle)
    for upper, lower in zip([None, *spanning], [*spanning, None], strict=True):
        from_y = upper.middle if upper else float("-inf")
        to_y = lower.middle if lower else float("inf")
        for side in (left, right):
            band = [line for line in side if from_y <= line.middle < to_y]
            if band:
                yield from _columns(band)
        if lower:
            yield [lower]


def _gutter(lines: list[Line]) -> float | None:
    """Return where the page is best cut from top to bottom; None where it is one column."""
    if len(lines) < 2 * MIN_COLUMN_LINES:
        return None
    lefts = np.array([line.left for line in lines])
    rights = np.array([line.right for line in lines])
    step = median(line.height for line in lines) / 3
    places = np.arange(lefts.min() + step, rights.max(), max(step, 1))
    crossing = ((lefts[:, None] < places) & (places < rights[:, None])).sum(axis=0)
    for fewest in sorted(set(crossing[crossing <= MAX_SPANNING * len(lines)].tolist())):
        candidates = places[crossing == fewest]
        for place in sorted(candidates, key=lambda x: abs(x - float(np.median(candidates)))):
            if _is_gutter(lines, float(place)):
                return float(place)
    return None


def _is_gutter(lines: list[Line], place: float) -> bool:
    left, right, _ = _sides_of(lines, place)
    if not (_is_column(left) and _is_column(right)):
        return False
    top = max(min(line.top for line in side) for side in (left, right))
    bottom = min(max(line.bottom for line in side) for side in (left, right))
    lower = min(
        max(line.bottom for line in side) - min(line.top for line in side) for side in (left, right)
    )
    return bottom - top > lower / 2


def _is_column(lines: list[Line]) -> bool:
    """Tell a column of running text from one of a table or a form."""
    if len(lines) < MIN_COLUMN_LINES:
        return False
    width = max(line.right for line in lines) - min(line.left for line in lines)
    full = sum(1 for line in lines if line.right - line.left > FILLED * width)
    return (
        full >= len(lines) / 2 and median(len(line.text) for line in lines) >= MIN_COLUMN_CHARACTERS
    )


def _sides_of(lines: list[Line], place: float) -> tuple[list[Line], list[Line], list[Line]]:
    left = [line for line in lines if line.right <= place]
    right = [line for line in lines if line.left >= place]
    spanning = [line for line in lines if line.left < place < line.right]
    return left, right, spanning


def _rows(lines: list[Line]) -> list[Row]:
    """Group what stands at the same height; what nearly touches is one line."""
    rows: list[Row] = []
    for line in sorted(lines, key=lambda line: line.middle):
        if rows:
            height = min(line.height, median(one.height for one in rows[-1]))
            if abs(line.middle - _middle(rows[-1])) < height / 2:
                rows[-1].append(line)
                continue
        rows.append([line])
    return [_joined(sorted(row, key=lambda line: line.left)) for row in rows]


def _joined(row: Row) -> Row:
    cells = row[:1]
    for line in row[1:]:
        last = cells[-1]
        if line.left - last.right < SAME_CELL_GAP * min(line.height, last.height):
            cells[-1] = replace(
                last,
                text=f"{last.text} {line.text}",
                right=max(last.right, line.right),
                top=min(last.top, line.top),
                bottom=max(last.bottom, line.bottom),
            )
        else:
            cells.append(line)
    return cells


def _table_from(rows: list[Row], start: int) -> tuple[int, PlacedBlock | None]:
    """Return where what begins here ends, and the table if it is one."""
    if len(rows[start]) >= MIN_TABLE_COLUMNS:
        end = _end_of_run(rows, start)
        table = _table(rows[start:end])
        if table is not None:
            return end, table
    end = start + 1
    while end < len(rows):
        if len(rows[end]) >= MIN_TABLE_COLUMNS:
            run = rows[end : _end_of_run(rows, end)]
            if _table(run) is not None:
                break
        end += 1
    return end, None


def _end_of_run(rows: list[Row], start: int) -> int:
    """Return the end of rows of several cells; a single cell may stand close between two."""
    end = start + 1
    for at in range(start + 1, len(rows)):
        height = median(line.height for line in rows[at])
        if _middle(rows[at]) - _middle(rows[at - 1]) > MAX_ROW_DISTANCE * height:
            break
        if len(rows[at]) > 1:
            end = at + 1
        elif at > end or _is_title(rows, at):
            break
    return end


def _is_title(rows: list[Row], at: int) -> bool:
    """Tell whether the names of columns follow: what stands above them begins another table."""
    if at + 1 == len(rows):
        return False
    below = [cell.text for cell in rows[at + 1]]
    to_above, to_below = (_middle(rows[at + n]) - _middle(rows[at + n - 1]) for n in (0, 1))
    belongs_above = to_above < CONTINUATION * to_below
    return not belongs_above and len(below) >= MIN_TABLE_COLUMNS and is_header(below, len(below))


def _table(rows: list[Row]) -> PlacedBlock | None:
    spans = _column_spans(rows)
    if spans is None or len(rows) < MIN_TABLE_ROWS:
        return None
    fitting = 0
    table: list[list[str]] = []
    places: list[list[Row]] = []  # of each row of the table
    pitch = median(_middle(b) - _middle(a) for a, b in itertools.pairwise(rows))
    before: Row | None = None
    for row in rows:
        columns = [_column_of(cell, spans) for cell in row]
        fitting += len(set(columns))
        distance = _middle(row) - _middle(before) if before is not None else math.inf
        # The second line of a cell stands nearer to the first than a row to a row.
        is_near = distance < CONTINUATION * pitch and len(row) < len(spans) - 1
        if not (is_near or (distance < CLOSE * pitch and _goes_on(row, columns, table[-1]))):
            table.append([""] * len(spans))
            places.append([])
        places[-1].append(row)
        for column, cell in zip(columns, row, strict=True):
            table[-1][column] = f"{table[-1][column]} {cell.text}".strip()
        before = row
    block = table_block(table) if fitting >= FITTING * sum(map(len, rows)) else None
    return _placed(block, places) if block is not None else None


def _goes_on(row: Row, columns: list[int], above: list[str]) -> bool:
    """Tell whether a row is but a text below one, in another column than the first."""
    if len(row) > 1 or columns[0] == 0:
        return False
    text_above = above[columns[0]]
    return bool(text_above) and not is_number(text_above) and not is_number(row[0].text)


def _column_spans(rows: list[Row]) -> list[tuple[float, float]] | None:
    """Return from where to where each column reaches, told by the rows with the usual cells.

    Rows with as many cells may have their empty ones elsewhere; then others tell.
    """
    counts = Counter(len(row) for row in rows if len(row) >= MIN_TABLE_COLUMNS)
    for usual in sorted(counts, key=lambda count: (counts[count], count), reverse=True):
        full = [row for row in rows if len(row) == usual]
        if len(full) < 2 or median(len(cell.text) for row in full for cell in row) > (
            MAX_CELL_CHARACTERS
        ):
            return None
        spans = [
            (min(cell.left for cell in cells), max(cell.right for cell in cells))
            for cells in zip(*full, strict=True)
        ]
        tolerance = median(cell.height for row in full for cell in row) / 2
        if all(b[0] - a[1] > -tolerance for a, b in itertools.pairwise(spans)):
            return spans
    return None


def _column_of(cell: Line, spans: list[tuple[float, float]]) -> int:
    """Return the column that the cell shares most with, or is nearest to."""
    shared = [min(cell.right, right) - max(cell.left, left) for left, right in spans]
    return shared.index(max(shared))


def _texts(rows: list[Row], usual_height: float) -> Iterator[PlacedBlock]:
    """Yield paragraphs, and as headings the short lines in much larger letters."""
    for is_large, group in itertools.groupby(rows, lambda row: _is_large(row, usual_height)):
        lines = list(group)
        if is_large and len(lines) <= MAX_HEADING_LINES:
            text = " ".join(cell.text for row in lines for cell in row)
            yield _placed(Block(BlockKind.HEADING, text), [lines])
        else:
            yield from _paragraphs(lines)


def _is_large(row: Row, usual_height: float) -> bool:
    text = " ".join(cell.text for cell in row)
    letters = sum(character.isalpha() for character in text)
    height = median(line.height for line in row)
    return (
        height > HEADING_HEIGHT * usual_height
        and len(text) <= MAX_HEADING_CHARACTERS
        and letters >= max(3, len(text) / 2)
    )


def _paragraphs(rows: list[Row]) -> Iterator[PlacedBlock]:
    distances = [_middle(b) - _middle(a) for a, b in itertools.pairwise(rows)]
    usual = median(distances) if distances else 0.0
    text = ""
    for n, row in enumerate(rows):
        if n:
            height = max(line.height for line in row)
            apart = distances[n - 1] > max(PARAGRAPH_GAP * usual, MIN_PARAGRAPH_GAP * height)
            text += "\n\n" if apart else "\n"
        text += " ".join(cell.text for cell in row)
    at = 0
    for block in split_blocks(text):
        marked = _LINE_END_HYPHEN.sub("\x02\n", block.text)
        places: list[list[Row]] = []
        for start, end in line_spans(marked):
            count = marked.count("\n", start, end) + 1
            places.append(rows[at : at + count])
            at += count
        yield _placed(replace(block, text=page_text(marked)), places)


def _placed(block: Block, rows_of_lines: list[list[Row]]) -> PlacedBlock:
    lines = tuple(_place([line for row in rows for line in row]) for rows in rows_of_lines)
    lefts, tops, rights, bottoms = zip(*lines, strict=True)
    return PlacedBlock(block, min(lefts), min(tops), max(rights), max(bottoms), lines)


def _place(lines: Sequence[Line]) -> Place:
    return (
        min(line.left for line in lines),
        min(line.top for line in lines),
        max(line.right for line in lines),
        max(line.bottom for line in lines),
    )


def _middle(row: Row) -> float:
    return sum(line.middle for line in row) / len(row)
