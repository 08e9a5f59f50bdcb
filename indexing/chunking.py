"""Cut pages into passages that can be embedded whole and quoted with their page.

A passage never spans two pages. Where a text is cut, the passage that follows repeats a little of
the one before, so that every text shorter than that stands unbroken in at least one passage.
"""

import re
from collections.abc import Iterable, Iterator

from indexing.headers import PageHeads, joined
from indexing.types import Block, BlockKind, Page, Passage

MAX_CHARACTERS = 1000
"""Some 230 tokens of English: a passage fits the model's 256."""

OVERLAP_CHARACTERS = 150

MIN_CHARACTERS = 300
"""A heading begins a new passage only when the one before has at least this much."""

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
        if page.label:
            self._section = page.label
        label = f"{page.label}\n" if page.label else ""
        head = self._heads.head_of(page)
        for section, piece in self._pieces(page.blocks):
            content = label + piece
            place = joined((section, head), content)
            yield Passage(self._position, page.number, section, content, place)
            self._position += 1

    def _pieces(self, blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
        """Yield (section, content); text is gathered over blocks, a table stands by itself."""
        gathered: list[str] = []
        section = self._section
        for block in blocks:
            is_heading = block.kind is BlockKind.HEADING
            is_table = block.kind is BlockKind.TABLE
            caption = _caption(gathered) if is_table else ""
            is_all_caption = caption == "\n".join(gathered)
            has_enough = sum(map(len, gathered)) >= MIN_CHARACTERS
            if (is_table and not is_all_caption) or (is_heading and has_enough):
                yield from ((section, piece) for piece in split("\n".join(gathered)))
                gathered = []
            if is_heading:
                self._section = block.text
            if not gathered:
                section = self._section
            if is_table:
                header = "\n".join(part for part in (caption, block.header) if part)
                yield from ((section, piece) for piece in split_table(header, block.text))
                gathered = []
            else:
                gathered.append(block.text)
        yield from ((section, piece) for piece in split("\n".join(gathered)))


def split(
    text: str, size: int = MAX_CHARACTERS, overlap: int = OVERLAP_CHARACTERS
) -> Iterator[str]:
    """Cut a text into pieces of at most `size` characters, at the best places there are."""
    start = 0
    while len(text) - start > size:
        end = _best_cut(text, start + size // 2, start + size)
        if piece := text[start:end].strip():
            yield piece
        start = _word_start(text, max(end - overlap, start + 1), end)
    if piece := text[start:].strip():
        yield piece


def split_table(header: str, rows: str, size: int = MAX_CHARACTERS) -> Iterator[str]:
    """Cut a table between its rows; each piece begins with the header row."""
    prefix = f"{header}\n" if header else ""
    if len(prefix) > size // 2:
        # A header this wide leaves no room for rows, so it is read as a row itself.
        prefix, rows = "", f"{header}\n{rows}"
    room = size - len(prefix)
    group: list[str] = []
    for row in rows.split("\n"):
        if group and sum(map(len, group)) + len(group) + len(row) > room:
            yield prefix + "\n".join(group)
            group = []
        if len(row) > room:
            yield from (prefix + piece for piece in split(row, room, 0))
        elif row.strip():
            group.append(row)
    if group or (prefix and not rows.strip()):
        yield (prefix + "\n".join(group)).strip("\n")


def _caption(above: list[str]) -> str:
    """Return what stands right above a table: it often says which year, unit or place it is of."""
    whole = "\n".join(above)
    if len(whole) <= CAPTION_CHARACTERS:
        return whole
    return above[-1] if len(above[-1]) <= CAPTION_CHARACTERS else ""


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
