"""Put the lines recognised in a picture into reading order: columns, paragraphs and tables."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from indexing.boxes import WHOLE_PAGE, page_boxes, turned, within
from indexing.dots import without_dots
from indexing.drawing import Box, drawn_part
from indexing.lone_dashes import with_dashes
from indexing.ocr import UNKNOWN_LETTERS, Line, Reading, recognize
from indexing.ocr_models import Mask, Picture
from indexing.partition.blocks import MAX_HEADING_CHARACTERS, line_spans, page_text, split_blocks
from indexing.partition.reading_order import runs_from_right
from indexing.perspective import Place
from indexing.ruling import Grid, find_grids
from indexing.specks import without_specks
from indexing.types import NO_PAGE, Block, BlockKind, Figure, PageBox
from indexing.visual_addresses import addresses_in
from indexing.visual_columns import columns_of
from indexing.visual_rows import LINE_END_HYPHEN, PlacedBlock, Row, middle, placed, rows_of
from indexing.visual_tables import ruled_tables, table_from

PARAGRAPH_GAP = 1.4  # times the usual distance of two lines
MIN_PARAGRAPH_GAP = 1.5  # times the height of a line
HEADING_HEIGHT = 1.4  # times the usual height of a line
MAX_HEADING_LINES = 2


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
    has_unknown_letters: bool = False  # that is, most of its text or some lines of it

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
    picture = without_dots(without_specks(picture))
    reading = recognize(picture, covered)
    turns = reading.quarter_turns
    known = None if covered is None else np.rot90(covered, turns)
    upright = np.rot90(picture, turns)
    if reading.perspective is None:
        lines = with_dashes(reading.lines, upright, reading.angle, known)
        reading = replace(reading, lines=lines)
        figure = drawn_part(upright, reading.lines, known)
        blocks = in_reading_order(upright, reading)
    else:
        back = reading.perspective.in_picture
        figure = drawn_part(upright, [_at(line, back) for line in reading.lines], known)
        straight = reading.perspective.straight_picture(np.ascontiguousarray(upright))
        blocks = tuple(
            _in_places(block, [back(place) for place in block.lines])
            for block in in_reading_order(straight, reading)
        )
    return VisibleText(blocks, turns, figure, reading.has_unknown_letters)


def _at(line: Line, back: Callable[[Place], Place]) -> Line:
    """Return the line where it lies in the picture that was set straight."""
    left, top, right, bottom = back((line.left, line.top, line.right, line.bottom))
    return replace(line, left=left, top=top, right=right, bottom=bottom)


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
    return _in_places(
        placed,
        [(width - right, top, width - left, bottom) for left, top, right, bottom in placed.lines],
    )


def _in_places(placed: PlacedBlock, places: Sequence[Place]) -> PlacedBlock:
    """Return the block with its lines in these places."""
    lefts, tops, rights, bottoms = zip(*places, strict=True)
    return PlacedBlock(
        placed.block, min(lefts), min(tops), max(rights), max(bottoms), tuple(places)
    )


def unknown_letters(page_number: int) -> str:
    """Return the warning for a page in whose pictures are letters that nobody here knows."""
    where = "" if page_number == NO_PAGE else f" on page {page_number}"
    return f"text in the pictures{where} is {UNKNOWN_LETTERS}"


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
    stamped = [line for line in lines if line.is_over_text]
    outside, ruled = ruled_tables([line for line in lines if not line.is_over_text], grids)
    for column in columns_of([*outside, *ruled]):
        rows: list[Row] = []
        for row in rows_of(column):
            tables = [ruled[line] for line in row if line in ruled]
            if tables:
                yield from _blocks(rows, usual_height)
                yield from tables
                rows = []
            rows += filter(None, [[line for line in row if line not in ruled]])
        yield from _blocks(rows, usual_height)
    yield from _texts(rows_of(stamped), usual_height)


def _blocks(rows: list[Row], usual_height: float) -> Iterator[PlacedBlock]:
    at = 0
    for start, end, addresses in addresses_in(rows):
        yield from _tables_and_texts(rows[at:start], usual_height)
        for address in addresses:
            yield from _texts(address, usual_height)
        at = end
    yield from _tables_and_texts(rows[at:], usual_height)


def _tables_and_texts(rows: list[Row], usual_height: float) -> Iterator[PlacedBlock]:
    at = 0
    while at < len(rows):
        end, table = table_from(rows, at)
        if table is not None:
            yield table
        else:
            yield from _texts(rows[at:end], usual_height)
        at = end


def _texts(rows: list[Row], usual_height: float) -> Iterator[PlacedBlock]:
    """Yield paragraphs, and as headings the short lines in much larger letters."""
    for is_large, group in itertools.groupby(rows, lambda row: _is_large(row, usual_height)):
        lines = list(group)
        if is_large and len(lines) <= MAX_HEADING_LINES:
            text = " ".join(cell.text for row in lines for cell in row)
            yield placed(Block(BlockKind.HEADING, text), [lines])
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
    distances = [middle(b) - middle(a) for a, b in itertools.pairwise(rows)]
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
        marked = LINE_END_HYPHEN.sub("\x02\n", block.text)
        places: list[list[Row]] = []
        for start, end in line_spans(marked):
            count = marked.count("\n", start, end) + 1
            places.append(rows[at : at + count])
            at += count
        yield placed(replace(block, text=page_text(marked)), places)
