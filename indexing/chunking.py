"""Cut pages into passages that can be embedded whole and quoted with their page.

A passage never spans two pages. Where a text is cut, the passage that follows repeats a little of
the one before, so that every text shorter than that stands unbroken in at least one passage.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from indexing.boxes import union
from indexing.headers import PageHeads, joined
from indexing.types import CELL_MARK, Block, BlockKind, Page, PageBox, Passage
from indexing.wide_tables import MAX_LABEL_CHARACTERS, column_parts

MAX_CHARACTERS = 1000
"""Some 230 tokens of English: a passage fits the model's 256."""

OVERLAP_CHARACTERS = 150

MIN_CHARACTERS = 300
"""A heading begins a new passage only when the one before has at least this much."""

SECTION_CHARACTERS = 500
"""Of a heading or the name of a sheet: it stands with every piece below it, and a file may have one
of any length.
"""

CAPTION_CHARACTERS = 300
"""Text of at most this length, right above a table, is repeated with every piece of it."""

# Where a text may be cut, best first: at a blank line, behind a sentence (Chinese and Japanese
# ones end without a space), a line, a part of a sentence, a word.
_CUTS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"(?<=[.!?])\s+|(?<=[。！？])"),
    re.compile(r"\n"),
    re.compile(r"(?<=[,;:])\s+|(?<=[，；、])"),
    re.compile(r"\s+"),
)

_WORD_START = re.compile(r"(?<=\s)\S")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and the numbers of the lines that it comes from."""

    content: str
    lines: range


def chunk(pages: Iterable[Page]) -> Iterator[Passage]:
    """Yield the passages of a document in its order."""
    chunker = Chunker()
    for page in pages:
        yield from chunker.chunk_page(page)


class Chunker:
    """Cuts one document, page after page; a heading reaches on to the pages that follow it."""

    def __init__(self) -> None:
        self._heads = PageHeads()
        self._section = ""
        self._position = 0

    def chunk_page(self, page: Page) -> Iterator[Passage]:
        """Yield the passages of the next page; those of a sheet begin with its name."""
        name = page.label[:SECTION_CHARACTERS]
        if name:
            self._section = name
        label = f"{name}\n" if name else ""
        head = self._heads.head_of(page)
        for section, piece, box in self._pieces(page.blocks):
            content = label + piece
            place = joined((section, head), content)
            yield Passage(self._position, page.number, section, content, place, box)
            self._position += 1

    def _pieces(self, blocks: Iterable[Block]) -> Iterator[tuple[str, str, PageBox | None]]:
        """Yield (section, content, box); text is gathered over blocks, and small tables with it.

        A table that has no room beside what was gathered stands by itself, in as many pieces as it
        takes.
        """
        gathered = _Gathered()
        section = self._section
        for block in blocks:
            is_heading = block.kind is BlockKind.HEADING
            fits = gathered.length_with(block) <= MAX_CHARACTERS
            is_large = block.kind is BlockKind.TABLE and not fits
            caption = _caption(gathered.blocks) if is_large else []
            is_all_caption = len(caption) == len(gathered.blocks)
            has_enough = gathered.length >= MIN_CHARACTERS
            would_cut_rows = not fits and gathered.has_table
            if (is_large and not is_all_caption) or (is_heading and has_enough) or would_cut_rows:
                yield from _placed(section, split(_text(gathered.blocks)), gathered.blocks)
                gathered = _Gathered()
            if is_heading:
                self._section = block.text[:SECTION_CHARACTERS]
            if not gathered.blocks:
                section = self._section
            if is_large:
                header = "\n".join(part for part in (_text(caption), block.header) if part)
                pieces = split_table(header, block.text)
                yield from _placed(section, pieces, [*caption, block])
                gathered = _Gathered()
            else:
                gathered.add(block)
        yield from _placed(section, split(_text(gathered.blocks)), gathered.blocks)


@dataclass(slots=True)
class _Gathered:
    """Blocks that become passages together: there may be a book of them without a heading."""

    blocks: list[Block] = field(default_factory=list)
    length: int = 0  # of their `_text`, in characters
    has_table: bool = False

    def add(self, block: Block) -> None:
        self.length = self.length_with(block)
        self.has_table = self.has_table or block.kind is BlockKind.TABLE
        self.blocks.append(block)

    def length_with(self, block: Block) -> int:
        added = len(_text([block]))
        return self.length + added + (self.length > 0 and added > 0)


def split(
    text: str, size: int = MAX_CHARACTERS, overlap: int = OVERLAP_CHARACTERS
) -> Iterator[Piece]:
    """Cut a text into pieces of at most `size` characters, at the best places there are."""
    line = counted = 0
    for start, end in _spans(text, size, overlap):
        if content := text[start:end].strip():
            first = text.index(content, start)
            line += text.count("\n", counted, first)
            counted = first
            yield Piece(content, range(line, line + content.count("\n") + 1))


def split_table(header: str, rows: str, size: int = MAX_CHARACTERS) -> Iterator[Piece]:
    """Cut a table between its rows; each piece begins with the header row.

    A row that is longer is cut as well, and its first cell stands in each piece. Where the header
    is too wide, the table is cut between its columns too. The lines are counted from the first of
    the header; only the first piece has those as its own.
    """
    if len(header) < size // 2:
        yield from _split_rows(header, rows, size)
        return
    parts = _split_wide_table(header, rows, size)
    first = next(parts, None)
    if first is None:
        # A header this wide leaves no room for rows, so it is read as a row itself.
        yield from _split_rows("", f"{header}\n{rows}", size)
    else:
        yield first
        yield from parts


def _split_rows(header: str, rows: str, size: int) -> Iterator[Piece]:
    prefix = f"{header}\n" if header else ""
    room = size - len(prefix)
    group: list[str] = []
    start = end = 0  # of the lines of the piece
    for number, row in enumerate(rows.split("\n"), prefix.count("\n")):
        if group and sum(map(len, group)) + len(group) + len(row) > room:
            yield Piece(prefix + "\n".join(group), range(start, number))
            group, start = [], number
        end = number + 1
        if len(row) > room:
            label = _label(row, room)
            front = prefix
            for piece in split(row, room - len(label), 0):
                yield Piece(front + piece.content, range(start, end))
                start, front = number, prefix + label
            start = end
        elif row.strip():
            group.append(row)
    if group or (prefix and not rows.strip()):
        yield Piece((prefix + "\n".join(group)).strip("\n"), range(start, end))


def _label(row: str, room: int) -> str:
    """Return the first cell, if it is short enough to stand before each piece of its row."""
    cell, mark, _ = row.partition(CELL_MARK)
    has_room = len(cell) <= min(MAX_LABEL_CHARACTERS, room // 2)
    return cell + mark if cell and mark and has_room else ""


def _split_wide_table(header: str, rows: str, size: int) -> Iterator[Piece]:
    """Cut a table into parts that have the names of the columns they hold, if those have room."""
    caption, _, names = header.rpartition("\n")
    above = f"{caption}\n" if caption else ""
    below_header = header.count("\n") + 1
    is_first = True
    for part in column_parts(names, rows, size // 2 - len(above) - 1, size - len(above)):
        for piece in _split_rows(above + part.header, part.rows, size):
            start = part.first + max(piece.lines.start, below_header)
            stop = part.first + piece.lines.stop
            yield Piece(piece.content, range(0 if is_first else start, stop))
            is_first = False


def _placed(
    section: str, pieces: Iterable[Piece], blocks: Sequence[Block]
) -> Iterator[tuple[str, str, PageBox | None]]:
    """Yield the pieces of the blocks with the box around their lines."""
    boxes = [box for block in blocks for box in block.line_boxes or _no_boxes(block)]
    for piece in pieces:
        yield section, piece.content, union(boxes[piece.lines.start : piece.lines.stop])


def _no_boxes(block: Block) -> list[None]:
    lines = block.text.count("\n") + 1
    return [None] * (lines + block.header.count("\n") + 1 if block.header else lines)


def _text(blocks: Sequence[Block]) -> str:
    return "\n".join(part for block in blocks for part in (block.header, block.text) if part)


def _caption(above: list[Block]) -> list[Block]:
    """Return what stands right above a table: it often says which year, unit or place it is of."""
    tables = [place for place, one in enumerate(above) if one.kind is BlockKind.TABLE]
    above = above[tables[-1] + 1 :] if tables else above
    if len(_text(above)) <= CAPTION_CHARACTERS:
        return above
    return above[-1:] if len(above[-1].text) <= CAPTION_CHARACTERS else []


def _spans(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Yield from where to where each piece reaches, with the spaces around it."""
    start = 0
    while len(text) - start > size:
        end = _best_cut(text, start + size // 2, start + size)
        yield start, end
        start = _word_start(text, max(end - overlap, start + 1), end)
    yield start, len(text)


def _best_cut(text: str, first: int, last: int) -> int:
    """Return where to cut between two places, the later the better."""
    for pattern in _CUTS:
        ends = [match.end() for match in pattern.finditer(text, first, last)]
        if ends:
            return ends[-1]
    return last


def _word_start(text: str, first: int, end: int) -> int:
    """Return the first place from `first` on where a word begins; `first` in unspaced scripts."""
    match = _WORD_START.search(text, first, end)
    return match.start() if match else first
