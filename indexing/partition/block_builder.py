"""Make blocks of a document that is told in tags, as HTML and OpenDocument are."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product, zip_longest

from indexing.partition.mathml import FormulaBuilder
from indexing.partition.merged_cells import Area, write_out_merged
from indexing.partition.numerals import numeral
from indexing.partition.svg import DrawingBuilder
from indexing.partition.tables import filled, table_block, table_with_header
from indexing.partition.text import clean_line, clean_text
from indexing.partition.web_forms import shown_in
from indexing.types import Block, BlockKind

MAX_HEADING_CHARACTERS = 300
# A cell with more text than this is a column of a page, not a value.
MAX_CELL_CHARACTERS = 4000
MAX_SPAN = 1000
MAX_PLACES = 1_000_000
# What is closed in a table is handed to the table around it, level by level.
MAX_TABLES_IN_TABLES = 20

_DROPPED = re.compile(
    "head|script|style|template|noscript|iframe|object|audio|video|canvas|datalist|"
    # How a character is read stands above it; between its characters it would part the word.
    "rt|rtc|rp"
)
_DROPPED_CLASSES = {"katex-html"}
"""What programs draw of a formula, beside the formula itself."""
# Tags within a line of text; any other begins a block of its own.
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|br|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|"
    "nobr|q|rp|rt|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr|.*:.*"
)
_SECTIONS = ("thead", "tbody", "tfoot")
_HEADINGS = {f"h{level}" for level in range(1, 7)}
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

Attributes = Mapping[str, str]


@dataclass(slots=True)
class _NumberedList:
    kind: str
    next: int

    def next_number(self, item: Attributes) -> str:
        """Count the item in; return what stands before it."""
        number = _whole(item.get("value"), self.next)
        self.next = number + 1
        text = numeral(number, self.kind)
        return f"{text}." if text else ""


@dataclass(slots=True)
class _Cell:
    blocks: list[Block] = field(default_factory=list)
    columns: int = 1
    rows: int = 1
    is_heading: bool = False


@dataclass(slots=True)
class _Table:
    rows: list[list[_Cell]] = field(default_factory=list)
    foot: set[int] = field(default_factory=set)  # which of the rows are last, wherever they stand
    section: str = ""  # thead, tbody or tfoot
    around: list[Block] = field(default_factory=list)  # captions and what stands in no cell
    in_cell: bool = False
    is_layout: bool = False


class BlockBuilder:
    """Takes start tags, end tags and text, as a parser's target does, and keeps the blocks.

    Nothing in it recurses, so that depth costs nothing but memory.
    """

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._tables: list[_Table] = []
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

    def start(self, tag: str, attributes: Attributes) -> None:
        """Take a start tag of HTML."""
        if self._dropped_depth or _is_dropped(tag, attributes):
            self._dropped_depth += 1
        elif inner := self._formula or self._drawing:
            inner.start(tag, attributes)
        elif (name := tag.rpartition(":")[2]) == "math":
            self._formula = FormulaBuilder()
            self._alternative = attributes.get("alttext") or ""
        elif name == "svg":
            self._drawing = DrawingBuilder()
        elif _INLINE.fullmatch(tag):
            self._text.append(_said_by(tag, attributes))
        else:
            self._close_block()
            self._open(tag, attributes)

    def end(self, tag: str) -> None:
        """Take an end tag."""
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

    def _open(self, tag: str, attributes: Attributes) -> None:
        if tag in _HEADINGS:
            self._is_heading = True
        elif tag in _LISTS:
            self._lists.append(_numbered_list(tag, attributes))
        elif tag == "li" and self._lists and (numbered := self._lists[-1]):
            self._number = numbered.next_number(attributes)
        elif tag == "pre":
            self._preformatted_depth += 1
        elif tag == "table" and len(self._tables) == MAX_TABLES_IN_TABLES:
            self._tables_left_out += 1
        elif tag == "table":
            self._tables.append(_Table())
        elif self._tables:
            self._open_in_table(self._tables[-1], tag, attributes)

    def _open_in_table(self, table: _Table, tag: str, attributes: Attributes) -> None:
        if tag in _SECTIONS:
            table.section = tag
        elif tag == "tr":
            if table.section == "tfoot":
                table.foot.add(len(table.rows))
            table.rows.append([])
            table.in_cell = False
        elif tag in ("td", "th"):
            if not table.rows:
                table.rows.append([])
            spans = _span(attributes, "colspan"), _span(attributes, "rowspan")
            is_heading = tag == "th" or table.section == "thead"
            table.rows[-1].append(_Cell([], *spans, is_heading))
            table.in_cell = True

    def _end(self, tag: str) -> None:
        if tag == "table" and self._tables_left_out:
            self._tables_left_out -= 1
        elif tag == "table" and self._tables:
            self._close_table()
        elif tag in ("td", "th") and self._tables:
            self._tables[-1].in_cell = False
        elif tag in _SECTIONS and self._tables:
            self._tables[-1].section = ""
        elif tag == "pre":
            self._preformatted_depth -= 1
        elif tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._number = ""
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
        text = clean_text(_with_powers("".join(self._text)))
        self._text.clear()
        if self._preformatted_depth > 0:
            text = text.strip("\n").rstrip()
        else:
            text = "\n".join(filter(None, map(str.strip, text.split("\n"))))
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
        if not self._tables:
            return self._blocks
        table = self._tables[-1]
        return table.rows[-1][-1].blocks if table.in_cell else table.around

    def _close_table(self) -> None:
        table = self._tables.pop()
        blocks = _table_blocks(table)
        if self._tables:
            holds_table = any(block.kind is BlockKind.TABLE for block in blocks)
            self._tables[-1].is_layout = self._tables[-1].is_layout or holds_table
        self._sink().extend(blocks)


def _is_dropped(tag: str, attributes: Attributes) -> bool:
    if _DROPPED.fullmatch(tag):
        return True
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
    if tag != "ol" or "reversed" in attributes or (has_style and not kind):
        return None
    return _NumberedList(kind or "1", _whole(attributes.get("start"), 1))


def _whole(value: str | None, otherwise: int) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 6 else otherwise


def _table_blocks(table: _Table) -> list[Block]:
    """Return the table as a block, or what stands in its cells if it only lays out a page."""
    in_order = sorted(range(len(table.rows)), key=table.foot.__contains__)
    rows = [table.rows[n] for n in in_order if table.rows[n]]
    if table.is_layout or max(map(len, rows), default=0) < 2 or any(map(_is_column, rows)):
        return [*table.around, *(block for row in rows for cell in row for block in cell.blocks)]
    cells = _spread(rows)
    count = _count_heading_rows(rows)
    titles = _count_titles(cells[:count])
    names = [" ".join(filter(None, one)) for one in zip_longest(*cells[titles:count], fillvalue="")]
    if len(rows) > 1 and any(names):
        block: Block | None = table_with_header(names, [row for row in cells[count:] if any(row)])
    elif all(map(_is_labelled, rows)):
        block = table_with_header((), [row for row in cells if any(row)])
    else:
        block = table_block(cells)
    above = (Block(BlockKind.TEXT, "".join(row)) for row in cells[:titles] if any(row))
    return [*table.around, *above, *filter(None, [block])]


def _count_titles(headings: list[list[str]]) -> int:
    """Count the rows that name the table, not its columns: of one cell each, and others below."""
    several = (n for n, row in enumerate(headings) if filled(row) > 1)
    return next(several, 0)


def _count_heading_rows(rows: list[list[_Cell]]) -> int:
    """Count the rows that together name the columns; of a table of headings alone the first."""
    is_heading = [all(cell.is_heading for cell in row) for row in rows]
    return is_heading.index(False) if False in is_heading else 1


def _is_labelled(row: list[_Cell]) -> bool:
    """Tell whether the row is a value behind its label, or a single cell between such rows."""
    return len(row) == 1 or [cell.is_heading for cell in row] == [True, False]


def _is_column(row: list[_Cell]) -> bool:
    return any(
        sum(len(block.text) for block in cell.blocks) > MAX_CELL_CHARACTERS
        or (len(cell.blocks) > 2 and cell.blocks[0].kind is BlockKind.HEADING)
        for cell in row
    )


def _spread(rows: list[list[_Cell]]) -> list[list[str]]:
    """Return the texts of the cells, those of merged ones wherever they are needed."""
    spread: list[list[str]] = []
    merged: list[Area] = []
    taken: set[tuple[int, int]] = set()
    for at, row in enumerate(rows):
        texts: list[str] = []
        for cell in row:
            while (at, len(texts)) in taken:
                texts.append("")
            first, last = len(texts), len(texts) + cell.columns - 1
            if len(taken) < MAX_PLACES and cell.rows * cell.columns > 1:
                end = min(at + cell.rows, len(rows))
                taken.update(product(range(at + 1, end), range(first, last + 1)))
                merged.append(((at, first), (end - 1, last)))
            texts.append(clean_line(" ".join(block.text for block in cell.blocks)))
            texts.extend([""] * (cell.columns - 1))
        spread.append(texts)
    write_out_merged(spread, merged)
    return spread


def _span(attributes: Attributes, name: str) -> int:
    value = attributes.get(name) or ""
    return min(max(int(value), 1), MAX_SPAN) if value.isdecimal() and len(value) < 6 else 1
