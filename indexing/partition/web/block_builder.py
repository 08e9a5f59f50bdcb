"""Make blocks of a document that is told in tags, as HTML and OpenDocument are."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from indexing.partition.numerals import numeral
from indexing.partition.text import clean_line, clean_text
from indexing.partition.web.drawn_parts import part_of_table
from indexing.partition.web.forms import shown_in
from indexing.partition.web.mathml import FormulaBuilder
from indexing.partition.web.preformatted import preformatted, preformatted_blocks
from indexing.partition.web.svg import DrawingBuilder, no_mark
from indexing.partition.web.tagged_tables import Table, table_blocks
from indexing.partition.word.forms import CHECKED
from indexing.types import Block, BlockKind

MAX_HEADING_CHARACTERS = 300
# What is closed in a table is handed to the table around it, level by level.
MAX_TABLES_IN_TABLES = 20

_DROPPED = re.compile(
    "head|script|style|template|noscript|iframe|object|audio|video|canvas|datalist|"
    # How a character is read stands above it; between its characters it would part the word.
    "rt|rtc|rp"
)
_SHOWN_TEMPLATE = {"shadowrootmode", "shadowroot"}
_DROPPED_CLASSES = {"katex-html"}
"""What programs draw of a formula, beside the formula itself."""
# Tags within a line of text; any other begins a block of its own.
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|br|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|"
    "nobr|q|rp|rt|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr|.*:.*"
)
_HEADINGS = {f"h{level}" for level in range(1, 7)}
_PARTS_OF_TABLES = ("table", "thead", "tbody", "tfoot", "tr", "td", "th")
_LISTS = ("ol", "ul", "menu", "dir")
# Before an item whose number is in its text.
_TYPED_NUMBER = re.compile(r"\(?(\d+|[A-Za-z]|[ivxIVX]+)[.)]")
_SPACES = re.compile(r"[ \t\r\n\f]+")

# What stands before a part of a line that a style sheet draws as the part of a table.
_BETWEEN = dict.fromkeys(("cell", "gridcell", "columnheader", "rowheader"), " ") | {"row": "\n"}

# Control characters, which are not text, mark where raised and lowered text begins and ends.
_AT_START = {"br": "\n", "sup": "\x0e", "sub": "\x10"}
_AT_END = {"sup": "\x0f"}
_MIXED_NUMBER = re.compile("(?<=\\d)\x0e(?=\\d{1,3}\x0f\\s?[/\u2044]\\s?\x10)")
_POWER = re.compile("(?<=\\d)\x0e(?=[-+\u2212\u2013]?\\d)")

PAGE_END = Block(BlockKind.TEXT, "\f")
"""Stands among the blocks where a page ends."""

Attributes = Mapping[str, str]


@dataclass(slots=True)
class _NumberedList:
    kind: str
    next: int
    step: int = 1

    def next_number(self, item: Attributes) -> str:
        """Count the item in; return what stands before it."""
        number = _whole(item.get("value"), self.next)
        self.next = number + self.step
        text = numeral(number, self.kind)
        return f"{text}." if text else ""


class BlockBuilder:
    """Takes start tags, end tags and text, as a parser's target does, and keeps the blocks.

    Nothing in it recurses, so that depth costs nothing but memory.
    """

    def __init__(self, mark: Callable[[str], str] = no_mark) -> None:
        """`mark` returns what stands for the picture at an address, "" for one that is not read."""
        self._mark = mark
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._tables_left_out = 0  # within the innermost of them, too deep
        self._text: list[str] = []
        self._dropped_depth = 0
        self._preformatted_depth = 0
        self._is_heading = False
        self._formula: FormulaBuilder | None = None
        self._alternative = ""  # what is said in place of the formula
        self._drawing: DrawingBuilder | None = None
        self._lists: list[_NumberedList | None] = []
        self._number = ""  # of the item whose text is still to come
        self._depth = 0
        self._drawn: list[tuple[int, str]] = []  # how deep they stand, and as what

    def start(self, tag: str, attributes: Attributes) -> None:
        """Take a start tag of HTML."""
        self._depth += 1
        if attributes and (part := self._part_of_table(tag, attributes)):
            self._drawn.append((self._depth, part))
            tag = part
        if self._dropped_depth or _is_dropped(tag, attributes):
            self._dropped_depth += 1
        elif inner := self._formula or self._drawing:
            inner.start(tag, attributes)
        elif (name := tag.rpartition(":")[2]) == "math":
            self._formula = FormulaBuilder()
            self._alternative = attributes.get("alttext") or ""
        elif name == "svg":
            self._drawing = DrawingBuilder(self._mark)
        elif _INLINE.fullmatch(tag):
            self._text.append(_said_by(tag, attributes))
            if tag == "img" and (address := attributes.get("src")):
                self._text.append(self._mark(address))
        else:
            self._close_block()
            self._open(tag, attributes)

    def end(self, tag: str) -> None:
        """Take an end tag."""
        if self._drawn and self._drawn[-1][0] == self._depth:
            _, tag = self._drawn.pop()
        self._depth -= 1
        if self._dropped_depth:
            self._dropped_depth -= 1
        elif (inner := self._formula or self._drawing) and inner.depth:
            inner.end()
        elif self._formula:
            self._close_formula()
        elif self._drawing:
            self._close_drawing()
        elif tag in _AT_END:
            self._text.append(_AT_END[tag])
        elif not _INLINE.fullmatch(tag):
            self._close_block()
            self._end(tag)

    def data(self, text: str) -> None:
        """Take text; outside of `pre`, line ends in it are spaces."""
        if self._dropped_depth:
            return
        if inner := self._formula or self._drawing:
            inner.data(text)
        else:
            self._text.append(text if self._preformatted_depth > 0 else _SPACES.sub(" ", text))

    def end_block(self) -> None:
        """End a block here, whatever goes on behind it."""
        self._close_block()

    def end_page(self) -> None:
        """End a page here: behind a block, or between two rows of a table, which goes on."""
        self._close_block()
        if self._tables:
            self._tables[0].page_ends.append(len(self._tables[0].rows))
        else:
            self._blocks.append(PAGE_END)

    def close(self) -> None:
        """End all that is open."""
        self._close_formula()
        self._close_drawing()
        self._close_block()
        while self._tables:
            self._close_table()

    def take(self) -> list[Block]:
        """Return the blocks that are finished, and forget them."""
        blocks, self._blocks = self._blocks, []
        return blocks

    def _part_of_table(self, tag: str, attributes: Attributes) -> str:
        """Return the tag as which another is drawn: a table, or a part of one that is drawn."""
        part = "" if tag in _PARTS_OF_TABLES else part_of_table(attributes)
        is_within = bool(self._tables) and self._tables[-1].is_drawn
        return part if part == "table" or is_within else ""

    def _open(self, tag: str, attributes: Attributes) -> None:
        if tag in _HEADINGS:
            self._is_heading = True
        elif tag in _LISTS:
            self._lists.append(_numbered_list(tag, attributes))
        elif tag == "li" and self._lists and (numbered := self._lists[-1]):
            self._number = numbered.next_number(attributes)
        elif tag == "option" and "selected" in attributes:
            self._text.append(f"{CHECKED} ")
        elif tag == "pre":
            self._preformatted_depth += 1
        elif tag == "table":
            self._open_table()
        elif self._tables:
            self._tables[-1].open(tag, attributes)

    def _open_table(self) -> None:
        if len(self._tables) == MAX_TABLES_IN_TABLES:
            self._tables_left_out += 1
        else:
            is_drawn = bool(self._drawn) and self._drawn[-1][0] == self._depth
            self._tables.append(Table(is_drawn=is_drawn))

    def _end(self, tag: str) -> None:
        if tag == "table" and self._tables_left_out:
            self._tables_left_out -= 1
        elif tag == "table" and self._tables:
            self._close_table()
        elif tag == "pre":
            self._preformatted_depth -= 1
        elif tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._number = ""
        elif self._tables:
            self._tables[-1].end(tag)
        self._is_heading = self._is_heading and tag not in _HEADINGS

    def _close_formula(self) -> None:
        if self._formula:
            self._text.append(self._formula.text() or self._alternative)
            self._formula = None

    def _close_drawing(self) -> None:
        """Let what is shown be a block of its own; a sign within a line has no text."""
        shown = self._drawing.text() if self._drawing else ""
        self._drawing = None
        if shown:
            self._close_block()
            self._sink().append(Block(BlockKind.TEXT, clean_text(shown)))

    def _close_block(self) -> None:
        text = _with_powers("".join(self._text))
        self._text.clear()
        if self._preformatted_depth > 0:
            if not self._tables and len(parts := preformatted_blocks(text)) > 0:
                self._blocks += parts
                return
            text = preformatted(text)
        else:
            text = "\n".join(filter(None, map(str.strip, clean_text(text).split("\n"))))
        if not text.strip():
            return
        if self._number and not _TYPED_NUMBER.match(text):
            text = f"{self._number} {text}"
        self._number = ""
        if self._is_heading and len(text) <= MAX_HEADING_CHARACTERS:
            self._sink().append(Block(BlockKind.HEADING, clean_line(text)))
        else:
            self._sink().append(Block(BlockKind.TEXT, text))

    def _sink(self) -> list[Block]:
        return self._tables[-1].sink() if self._tables else self._blocks

    def _close_table(self) -> None:
        table = self._tables.pop()
        first, *others = table_blocks(table)
        blocks = [*first, *(block for part in others for block in (PAGE_END, *part))]
        if self._tables:
            self._tables[-1].take_inner(blocks)
        else:
            self._blocks.extend(blocks)


def _is_dropped(tag: str, attributes: Attributes) -> bool:
    if _DROPPED.fullmatch(tag):
        # What a part of the page is made of, which is shown, is written as one too.
        return tag != "template" or _SHOWN_TEMPLATE.isdisjoint(attributes)
    # Docx and odt have none of the signs of notes either.
    if attributes.get("epub:type") == "noteref" or attributes.get("role") == "doc-noteref":
        return True
    names = attributes.get("class") or ""
    return bool(names) and not _DROPPED_CLASSES.isdisjoint(names.split())


def _said_by(tag: str, attributes: Attributes) -> str:
    """Return what a tag within a line says by itself."""
    if tag == "img":
        return f" {attributes.get('alt') or ''} "
    if tag == "input":
        return f" {shown_in(attributes)} "
    return _AT_START.get(tag) or _BETWEEN.get(attributes.get("role") or "", "")


def _with_powers(text: str) -> str:
    """Write 10 to the sixth with a sign, without which it would be 106; and five and a half."""
    if "\x0e" not in text:
        return text
    return _POWER.sub("^", _MIXED_NUMBER.sub(" ", text))


def _numbered_list(tag: str, attributes: Attributes) -> _NumberedList | None:
    """Return how the items are numbered, None where they are not or a style sheet says how."""
    kind = attributes.get("type") or ""
    has_style = "class" in attributes or "list-style" in (attributes.get("style") or "")
    start, counts_down = attributes.get("start"), "reversed" in attributes
    if tag != "ol" or (counts_down and not start) or (has_style and not kind):
        return None
    return _NumberedList(kind or "1", _whole(start, 1), -1 if counts_down else 1)


def _whole(value: str | None, otherwise: int) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 6 else otherwise
