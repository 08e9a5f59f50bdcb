"""Read plain text, paragraph by paragraph."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from indexing.partition.encoding import text_encoding
from indexing.partition.tables import filled, is_number, table_block
from indexing.partition.text import clean_line, clean_text, without_terminal_codes
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page

PAGE_CHARACTERS = 100_000
"""So much text without pages is handed on at a time, so that no file has to fit into memory."""

LINE_CHARACTERS = 100_000

MIN_TABBED_ROWS = 3


def open_plain_text(path: Path) -> Document:
    """Open the text; blank lines part its paragraphs."""
    return Document(title="", page_count=0, pages=unnumbered_pages(_blocks(path)))


def open_text(path: Path) -> TextIO:
    """Open a text file in its own encoding; bytes that are no text are replaced."""
    return path.open(encoding=text_encoding(path) or "cp1252", errors="replace")


def text_block(text: str) -> Block | None:
    """Return the cleaned text as a block, None if nothing is left of it."""
    text = clean_text(without_terminal_codes(text))
    cleaned = "\n".join(filter(None, map(str.strip, text.split("\n"))))
    return Block(BlockKind.TEXT, cleaned) if cleaned else None


def unnumbered_pages(blocks: Iterable[Block]) -> Iterator[Page]:
    """Hand on blocks that stand on no page, not too many at a time."""
    gathered: list[Block] = []
    size = 0
    for block in blocks:
        gathered.append(block)
        size += len(block.text) + len(block.header)
        if size >= PAGE_CHARACTERS:
            yield Page(NO_PAGE, tuple(gathered))
            gathered, size = [], 0
    if gathered:
        yield Page(NO_PAGE, tuple(gathered))


def split_paragraphs(lines: Iterable[str]) -> Iterator[Block]:
    """Gather lines to the paragraphs that blank lines part, and the tables that tabs make."""
    paragraph: list[str] = []
    size, is_whole = 0, True
    for line in lines:
        is_full = size > PAGE_CHARACTERS
        if not line.strip() or is_full:
            yield from _paragraph_blocks(paragraph, is_whole=is_whole and not is_full)
            paragraph, size, is_whole = [], 0, not line.strip()
        paragraph.append(line)
        size += len(line)
    yield from _paragraph_blocks(paragraph, is_whole=is_whole)


def _paragraph_blocks(paragraph: list[str], *, is_whole: bool) -> Iterator[Block]:
    # The rows of a part would be without their header.
    rows = _tabbed_rows(paragraph) if is_whole else []
    yield from filter(None, [table_block(rows) if rows else text_block("".join(paragraph))])


def _tabbed_rows(lines: list[str]) -> list[list[str]]:
    """Return the rows of a table whose cells tabs part, as many in each; none where it is none."""
    said = [without_terminal_codes(line) for line in lines if line.strip()]
    if len(said) < MIN_TABBED_ROWS or len({line.count("\t") for line in said}) > 1:
        return []
    rows = [[clean_line(cell) for cell in line.split("\t")] for line in said]
    # Of two columns without figures, who speaks may be the first, and what is said the other.
    is_table = len(rows[0]) > 2 or any(is_number(row[-1]) for row in rows)
    # Of lines that tabs only indent, one cell is filled.
    return rows if is_table and all(filled(row) > 1 for row in rows) else []


def _blocks(path: Path) -> Iterator[Block]:
    with open_text(path) as file:
        # A file without line ends is one line, of any length.
        yield from split_paragraphs(iter(lambda: file.readline(LINE_CHARACTERS), ""))
