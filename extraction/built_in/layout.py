"""What stands on the pages: passages of running text and single lines, and what stands beside them.

Lines of wrapped prose are one passage, for a date or a name may go on in the next line. Every other
line is a passage of its own: the rows of a table and the lines of a receipt say one thing each.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from operator import attrgetter

from extraction.types import SourcePages
from indexing.evidence import Line, PageText, page_text
from indexing.types import Block, Page, PageBox

CELL_MARK = "|"

# A line of prose is wrapped where the next word had no place; short lines are lists and labels.
FULL_LINE_SHARE = 0.75
FULL_LINE_CHARACTERS = 45

NEAR_HEIGHTS = 2.5
"""A label stands above a value within so many heights of its line."""

SAME_ROW_SHARE = 0.5
"""Two lines stand in a row when they share so much of the height of the lower one."""

_ENDS_SENTENCE = re.compile(
    r"(?<!\b(?:Inc|Ltd|Mrs))(?<!\b(?:Corp))(?<!\b(?:Co|No|Mr|Dr|St))[.!?:;][\"'”’)\]]*$"
)
_ENDS_OPEN = re.compile(
    r"(?:,|\b(?:a|an|and|as|at|between|by|for|from|in|is|of|on|or|that|the|to|with))$",
    re.IGNORECASE,
)

# Between sentences; the dot of an abbreviation or an initial is none.
_BOUNDARY = re.compile(
    r"(?<=[.!?;])(?<!\b[A-Z]\.)(?<!\b(?:No|Mr|Ms|Dr|St|Nr|vs|Co)\.)(?<!\b(?:Inc|Ltd|Mrs|Art|Sec)\.)"
    r"(?<!\b(?:Corp|incl|excl)\.)\s+(?=[A-Z“\"(])"
)


@dataclass(frozen=True, eq=False)
class Passage:
    """A line, or the lines over which running text is wrapped, joined by spaces."""

    source: int  # its position among the sources
    page: PageText
    lines: Sequence[Line]
    position: int  # of its first line on the page
    columns: tuple[str, ...] = ()  # the cells of the header above, in a row of a table

    @property
    def start(self) -> int:
        """Where it begins in the text of its page."""
        return self.lines[0].start

    @cached_property
    def text(self) -> str:
        """Its words; each character stands where it does on the page, behind `start`."""
        return self.page.text[self.start : self.lines[-1].end].replace("\n", " ")

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """Where it begins, where each further sentence does, and where it ends."""
        inside = (cut.end() for cut in _BOUNDARY.finditer(self.text))
        return (0, *inside, len(self.text))

    @property
    def sentences(self) -> list[tuple[int, int]]:
        """Where its sentences begin and end."""
        return [span for span in pairwise(self.cuts) if span[0] < span[1]]

    @property
    def box(self) -> PageBox | None:
        """Where its first line stands."""
        return self.lines[0].box

    @cached_property
    def left(self) -> str:
        """What stands nearest to the left in the row of its first line, or ""."""
        if self.box is None:
            return ""
        left, top, _, bottom = self.box
        beside = [
            (box[2], line)
            for line in self.page.lines
            if (box := line.box) is not None
            and box[2] <= left + 0.01
            and line is not self.lines[0]
            and _shared(top, bottom, box[1], box[3])
            >= SAME_ROW_SHARE * min(bottom - top, box[3] - box[1])
        ]
        return _text(self.page, max(beside, key=lambda placed: placed[0], default=(0.0, None))[1])

    @cached_property
    def above(self) -> str:
        """The nearest line above that shares some of the width of its first line, or ""."""
        if self.box is None:
            return _text(self.page, self.page.lines[self.position - 1]) if self.position else ""
        left, top, right, bottom = self.box
        over = [
            (box[3], line)
            for line in self.page.lines
            if (box := line.box) is not None
            and box[1] < top
            and (top + bottom - box[1] - box[3]) / 2 <= NEAR_HEIGHTS * (bottom - top)
            and _shared(left, right, box[0], box[2]) > 0
        ]
        return _text(self.page, max(over, key=lambda placed: placed[0], default=(0.0, None))[1])


def read_passages(sources: Sequence[SourcePages]) -> list[Passage]:
    """Return the passages of all pages in reading order."""
    return [
        passage
        for position, source in enumerate(sources)
        for page in source.pages
        for passage in _page_passages(position, page)
    ]


def cells(text: str) -> list[tuple[int, str]]:
    """Return the cells of a row that are not empty, each with where it begins."""
    found = []
    start = 0
    for cell in text.split(CELL_MARK):
        if stripped := cell.strip():
            found.append((start + cell.index(stripped), stripped))
        start += len(cell) + 1
    return found


def _page_passages(source: int, page: Page) -> Iterator[Passage]:
    text = page_text(page)
    position = 0
    for number, lines in groupby(text.lines, attrgetter("block")):
        columns = _columns(page.blocks[number])
        for group in _joined(text, list(lines)):
            if _text(text, group[0]).strip():
                yield Passage(source, text, group, position, columns)
            position += len(group)


def _columns(block: Block) -> tuple[str, ...]:
    """Return the cells that head the columns: those of the header, or of a first row of words."""
    header = block.header or block.text.split("\n", 1)[0]
    is_header = CELL_MARK in header and (
        block.header or not any(character.isdigit() for character in header)
    )
    return tuple(cell.strip() for cell in header.split(CELL_MARK)) if is_header else ()


def _joined(page: PageText, lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines by themselves, and those together over which prose is wrapped."""
    widest = max((line.end - line.start for line in lines), default=0)
    gathered: list[Line] = []
    for line in lines:
        if gathered and not _goes_on(_text(page, gathered[-1]), _text(page, line), widest):
            yield gathered
            gathered = []
        gathered.append(line)
    if gathered:
        yield gathered


def _goes_on(line: str, following: str, widest: int) -> bool:
    if CELL_MARK in line or CELL_MARK in following:
        return False
    if len(line) < FULL_LINE_CHARACTERS:
        return False
    is_full = len(line) >= FULL_LINE_SHARE * widest and not _ENDS_SENTENCE.search(line)
    return is_full or following[:1].islower() or _ENDS_OPEN.search(line) is not None


def _text(page: PageText, line: Line | None) -> str:
    return page.text[line.start : line.end] if line else ""


def _shared(start: float, end: float, other_start: float, other_end: float) -> float:
    return min(end, other_end) - max(start, other_start)
