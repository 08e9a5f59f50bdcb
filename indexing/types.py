"""The values that travel between reading, chunking, searching and answering."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

CELL_MARK = " | "
"""What stands between the cells of a row."""

NO_PAGE = -1
"""The page number of text that does not stand on a page: spreadsheet rows, csv, tickets."""


PageBox = tuple[float, float, float, float]
"""Left, top, right and bottom as shares (0 to 1) of the page as displayed, from its upper left."""


class BlockKind(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a run of text, or a table, as it stands on its page in reading order.

    The rows of a table are lines of `text`, cells joined by CELL_MARK; its header row is kept apart
    in `header`, because every chunk of the table repeats it.

    `line_boxes` says where each line stands, those of the header first; it is empty where the
    format knows no places, and has None for a line that is not on the page as it is displayed.
    """

    kind: BlockKind
    text: str
    header: str = ""
    line_boxes: tuple[PageBox | None, ...] = field(default=(), compare=False, repr=False)


class ReadBy(StrEnum):
    """How the text of a page was come by."""

    TEXT = "text"  # it is in the file
    OCR = "ocr"  # it was recognised in a picture
    MIXED = "mixed"
    VISION = "vision"  # a model described what it shows; what the file or OCR gave stands with it


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture on a page that shows more than its words: a chart, a diagram, a photograph."""

    position: int  # among the blocks of its page; what is said of it stands before that block
    image: bytes  # a JPEG file


@dataclass(frozen=True, slots=True)
class Page:
    """One page, slide or sheet of a document, as read."""

    number: int  # 1-based, or NO_PAGE
    blocks: tuple[Block, ...]
    label: str = ""  # the name of a sheet
    warning: str = ""  # what could not be read of it, for a person to act on
    read_by: ReadBy = ReadBy.TEXT
    pictures: int = 0  # how many it shows, as far as they were looked at
    seconds: float = field(default=0.0, compare=False)  # of reading it
    figures: tuple[Figure, ...] = field(default=(), compare=False, repr=False)  # to be described


@dataclass(frozen=True, slots=True)
class Document:
    """A document opened for reading; `pages` reads them one by one, as it is iterated."""

    title: str  # "" where the document names none
    page_count: int  # pages, slides or sheets; 0 where it is not known before reading
    pages: Iterator[Page] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a page, ready to be embedded and stored; it never spans two pages."""

    position: int  # 0-based, in the document's order
    page_number: int
    section: str  # nearest heading above it, or the name of the sheet
    content: str  # the raw text
    place: str = ""  # the heading above it and the first words of its page, to search by
    box: PageBox | None = None  # around its lines, where the page has places


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a data source, as retrieved."""

    chunk_id: str
    data_source_id: str
    filename: str
    page_number: int
    content: str
    section: str = ""
    score: float = 0.0  # of the fused ranking, higher is better
    box: PageBox | None = None  # around its lines, where the page has places
