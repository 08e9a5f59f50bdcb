"""Read text whose lines and spaces stand as they are written: programs, tables set with spaces."""

from collections.abc import Iterator

from indexing.partition.text import clean_text
from indexing.partition.texts.plain_text import PAGE_CHARACTERS, table_parts
from indexing.types import Block, BlockKind

_BLANKS = " \t\N{NO-BREAK SPACE}"
_TAB_WIDTH, _MAX_INDENT = 4, 40


def preformatted(text: str) -> str:
    """Return the lines with their indentation, which in a program means something."""
    return "\n".join(map(_indented, text.splitlines())).strip("\n").rstrip()


def preformatted_blocks(text: str) -> list[Block]:
    """Return the tables that are set with spaces or lines, and the text around them.

    There are none where the text has no tables.
    """
    blocks: list[Block] = []
    around: list[str] = []
    for paragraph in _paragraphs(text.replace("\N{NO-BREAK SPACE}", " ")):
        is_short = sum(map(len, paragraph)) <= PAGE_CHARACTERS
        for part in (table_parts(paragraph) if is_short else None) or [paragraph]:
            if isinstance(part, Block):
                blocks += _text_blocks(around)
                blocks.append(part)
                around = []
            else:
                around += part
        around.append("")
    return [*blocks, *_text_blocks(around)] if blocks else []


def _paragraphs(text: str) -> Iterator[list[str]]:
    """Yield the lines between those that are blank."""
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            lines.append(line)
        elif lines:
            yield lines
            lines = []


def _text_blocks(lines: list[str]) -> list[Block]:
    text = preformatted("\n".join(lines))
    return [Block(BlockKind.TEXT, text)] if text else []


def _indented(line: str) -> str:
    words = line.lstrip(_BLANKS)
    width = len(line[: len(line) - len(words)].expandtabs(_TAB_WIDTH))
    return " " * min(width, _MAX_INDENT) + clean_text(words).rstrip()
