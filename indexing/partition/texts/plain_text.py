"""Read plain text, paragraph by paragraph."""

import io
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from indexing.partition.text import clean_text, without_terminal_codes
from indexing.partition.texts.drawn_tables import drawn_tables
from indexing.partition.texts.encoding import text_encoding
from indexing.partition.texts.spaced_tables import spaced_table
from indexing.partition.texts.text_tables import text_table
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page

PAGE_CHARACTERS = 100_000
"""So much text without pages is handed on at a time, so that no file has to fit into memory."""

LINE_CHARACTERS = 100_000

NEW_PAGE = "\f"
"""Stands where a printer is to begin the next page."""


def open_plain_text(path: Path) -> Document:
    """Open the text; blank lines part its paragraphs."""
    return Document(title="", page_count=0, pages=unnumbered_pages(_blocks(path)))


def open_text(path: Path) -> TextIO:
    """Open a text file in its own encoding; bytes that are no text are replaced."""
    encoding = text_encoding(path) or "cp1252"
    if encoding == "cp1258":
        # Vietnamese, whose marks of tones are characters of their own.
        return io.StringIO(unicodedata.normalize("NFC", path.read_text(encoding, "replace")))
    return path.open(encoding=encoding, errors="replace")


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
    """Gather lines to the paragraphs that blank lines or new pages part, which may be tables."""
    paragraph: list[str] = []
    size, is_whole = 0, True
    for line in lines:
        is_blank, is_full = not line.strip(), size > PAGE_CHARACTERS
        is_end = is_blank or line.startswith(NEW_PAGE)
        if is_end or is_full:
            yield from _paragraph_blocks(paragraph, is_whole=is_whole and not is_full)
            paragraph, size, is_whole = [], 0, is_end
        if not is_blank:
            paragraph.append(line)
            size += len(line)
    yield from _paragraph_blocks(paragraph, is_whole=is_whole)


def table_parts(lines: Sequence[str]) -> Sequence[Sequence[str] | Block] | None:
    """Return the table that a paragraph is, or those in it and the lines around them, in order.

    None where there are none.
    """
    table = text_table(lines)
    return [table] if table else drawn_tables(lines) or spaced_table(lines)


def _paragraph_blocks(paragraph: list[str], *, is_whole: bool) -> Iterator[Block]:
    if not paragraph:
        return
    # The rows of a part would be without their header.
    lines = list(map(without_terminal_codes, paragraph)) if is_whole else []
    for part in table_parts(lines) or [paragraph]:
        yield from filter(None, [part if isinstance(part, Block) else text_block("".join(part))])


def _blocks(path: Path) -> Iterator[Block]:
    with open_text(path) as file:
        # A file without line ends is one line, of any length.
        yield from split_paragraphs(iter(lambda: file.readline(LINE_CHARACTERS), ""))
