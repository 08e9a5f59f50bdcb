"""Find where on its page a passage or value stands: its place, its sentence, and its box.

What is looked for may come from a model, so nothing about it is believed: a place is where the
page has it. There are three ways of having it. Exact is character for character. Normalised sets
aside what typesetting and typing change and reading does not: case, spaces, line ends, hyphenation,
the shapes of quotes and dashes, ligatures. Fuzzy is for recognised text, where some letters were
read wrongly; digits never differ, because another number is another value.

Only whole words are found: "Ann" does not stand in "Annual".
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from indexing.boxes import union
from indexing.types import BlockKind, Page, PageBox

FUZZY_FLOOR = 0.85
"""The likeness below which a passage is another one: one wrong character in some seven."""

SHORTEST_FUZZY = 6
"""Characters without spaces; what is shorter is like too many other words."""

LONGEST_FUZZY = 500
"""Characters; the comparison takes time by the square of them."""

LONGEST_NEEDLE = 5_000
"""Characters. What is longer is not looked for; no value is."""

LONGEST_PASSAGE = 400
"""Characters of a sentence around a place; a longer one is cut at words."""

FULL_LINE = 45
"""Characters. A line of at least this length, without a full stop, goes on in the next one."""

MOST_ON_A_PAGE = 20
"""Places on one page; a value that stands there more often is not told apart by them."""

# Left out of what is compared: a hyphen inside a word, wherever the line ends, invisible
# characters, and spaces, but for one between two digits: "1 2" is not 12.
_LEFT_OUT = re.compile(
    r"(?<=[^\W\d_])[-\u2010\u2011\xad]\s*(?=[^\W\d_])"
    r"|(?<!\d)\s+|\s+(?![\s\d])|[\xad\u200b-\u200d\u2060\ufeff]"
)
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\n\r\t\f\v\xa0\u2007\u202f", " "),
    }
)
# The letters that text recognition takes for digits, and digits for them.
LOOKALIKES = str.maketrans("ozlisbg", "0211589")

_SENTENCE_START = re.compile(r"(?<=\w\w[.!?])\s+(?=[^\W_a-z])|(?<=[。！？])|\n[ \t]*\n\s*")
_SPACE = re.compile(r"\s+")


class MatchKind(IntEnum):
    """How a page has what is looked for; the higher the better."""

    FUZZY = 1
    NORMALISED = 2
    EXACT = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page's text."""

    start: int
    end: int  # behind its last character, before the line end
    block: int  # the position of its block on the page
    box: PageBox | None


class PageText:
    """The text of a page, its lines joined by line ends, and where each of them is from."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines = tuple(_lines(page))
        self.text = "\n".join(
            line
            for block in page.blocks
            for part in (block.header, block.text)
            if part
            for line in part.split("\n")
        )

    def lines_of(self, start: int, end: int) -> Sequence[Line]:
        """Return the lines that a span touches."""
        first, last = self._line_number(start), self._line_number(max(end - 1, start))
        return self.lines[first : last + 1]

    def passage(self, start: int, end: int) -> str:
        """Return the sentence around a span as the page has it; in a table, the row."""
        first, last = self._run_around(start, end)
        cuts = [
            (cut.start(), cut.end()) for cut in _SENTENCE_START.finditer(self.text, first, last)
        ]
        first = max((after for _, after in cuts if after <= start), default=first)
        last = min((before for before, _ in cuts if before >= end), default=last)
        if start - first > LONGEST_PASSAGE:
            first = _next_word(self.text, start - LONGEST_PASSAGE, start)
        if last - end > LONGEST_PASSAGE:
            last = _word_end(self.text, end, end + LONGEST_PASSAGE)
        return self.text[first:last].strip()

    def box(self, start: int, end: int) -> PageBox | None:
        """Return the box around the lines that a span touches, None where they have no place."""
        return union(line.box for line in self.lines_of(start, end))

    @cached_property
    def folded(self) -> str:
        """The text without what a normalised comparison sets aside."""
        return _folded(self.text)

    @cached_property
    def _origins(self) -> list[int]:
        """Where in the text each character of the folded one is from."""
        return _origins(self.text)

    def spans_of(self, folded: str) -> Iterator[tuple[int, int]]:
        """Yield where the text has these folded characters as whole words."""
        position = self.folded.find(folded)
        while position >= 0:
            start, end = self.span_of_folded(position, position + len(folded))
            if _is_whole(self.text, start, end):
                yield start, end
            position = self.folded.find(folded, position + 1)

    def span_of_folded(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the text that a span of the folded one is from."""
        return self._origins[start], self._origins[end - 1] + 1

    def _line_number(self, position: int) -> int:
        return max(bisect_right(self._starts, position) - 1, 0)

    @cached_property
    def _starts(self) -> list[int]:
        return [line.start for line in self.lines]

    def _run_around(self, start: int, end: int) -> tuple[int, int]:
        """Return the lines around a span that go on in each other, as one span."""
        first, last = self._line_number(start), self._line_number(max(end - 1, start))
        while self._goes_on(first - 1) and start - self.lines[first].start < LONGEST_PASSAGE:
            first -= 1
        while self._goes_on(last) and self.lines[last].end - end < LONGEST_PASSAGE:
            last += 1
        return self.lines[first].start, self.lines[last].end

    def _goes_on(self, number: int) -> bool:
        """Tell whether a line is one of running text that the next one continues."""
        if not 0 <= number < len(self.lines) - 1:
            return False
        line = self.lines[number]
        is_table = self.page.blocks[line.block].kind is BlockKind.TABLE
        is_same_block = self.lines[number + 1].block == line.block
        return is_same_block and not is_table and line.end - line.start >= FULL_LINE


@dataclass(frozen=True, slots=True)
class Located:
    """A place on a page."""

    page_text: PageText
    start: int  # in the text of the page
    end: int
    kind: MatchKind
    score: float  # 1 but for a fuzzy match: the likeness, from the floor to 1

    @property
    def page_number(self) -> int:
        return self.page_text.page.number

    @property
    def text(self) -> str:
        """The place's own characters."""
        return self.page_text.text[self.start : self.end]

    @property
    def passage(self) -> str:
        """The sentence, line or row around it, word for word as on the page."""
        return self.page_text.passage(self.start, self.end)

    @property
    def box(self) -> PageBox | None:
        return self.page_text.box(self.start, self.end)


def page_text(page: Page) -> PageText:
    """Return the text of a page, to look many things up in it."""
    return PageText(page)


def evidence_at(page: PageText, start: int, end: int) -> Located:
    """Return the place of a span that was found in the text of a page."""
    return Located(page, start, end, MatchKind.EXACT, 1.0)


def locate(text: str, pages: Sequence[Page | PageText]) -> list[Located]:
    """Return where pages have a text, best first, then in their order; empty where none has it.

    Fuzzy places, one a page, are returned only where there is no other.
    """
    text = text.strip()
    needle = _folded(text[:LONGEST_NEEDLE])
    if not needle or len(text) > LONGEST_NEEDLE:
        return []
    read = [page if isinstance(page, PageText) else PageText(page) for page in pages]
    places = [place for page in read for place in _in_page(text, needle, page)]
    if not places and SHORTEST_FUZZY <= len(needle) <= LONGEST_FUZZY:
        places = [place for page in read if (place := _alike_in(needle, page))]
    return sorted(places, key=lambda place: (-place.kind, -place.score))


def _in_page(text: str, needle: str, page: PageText) -> Iterator[Located]:
    """Yield the exact and normalised places of a text on a page."""
    if needle not in page.folded:
        return
    for number, (start, end) in enumerate(page.spans_of(needle)):
        if number == MOST_ON_A_PAGE:
            return
        is_exact = page.text.startswith(text, start) and start + len(text) == end
        yield Located(page, start, end, MatchKind.EXACT if is_exact else MatchKind.NORMALISED, 1.0)


def _alike_in(needle: str, page: PageText) -> Located | None:
    """Return the place on a page that is most like a text, if it is enough so."""
    if len(page.folded) < len(needle) * FUZZY_FLOOR:
        return None
    found = fuzz.partial_ratio_alignment(needle, page.folded, score_cutoff=100 * FUZZY_FLOOR)
    if found is None or found.dest_end <= found.dest_start:
        return None
    start, end = _whole_words(page.text, *page.span_of_folded(found.dest_start, found.dest_end))
    there = _folded(page.text[start:end])
    score = fuzz.ratio(needle, there) / 100
    if score < FUZZY_FLOOR or _digits_differ(needle, there):
        return None
    return Located(page, start, end, MatchKind.FUZZY, score)


def _lines(page: Page) -> Iterator[Line]:
    start = 0
    for number, block in enumerate(page.blocks):
        lines = [line for part in (block.header, block.text) if part for line in part.split("\n")]
        boxes = block.line_boxes or (None,) * len(lines)
        for line, box in zip(lines, boxes, strict=False):
            yield Line(start, start + len(line), number, box)
            start += len(line) + 1


def _folded(text: str) -> str:
    return _fold(_LEFT_OUT.sub("", text))


def _fold(text: str) -> str:
    """Fold each character by itself: what a text gives is what its pieces give, joined."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_ALIKE))
    return text.translate(_ALIKE).casefold()


def _origins(text: str) -> list[int]:
    origins: list[int] = []
    start = 0
    for gap in _LEFT_OUT.finditer(text):
        _add_origins(origins, text, start, gap.start())
        start = gap.end()
    _add_origins(origins, text, start, len(text))
    return origins


def _add_origins(origins: list[int], text: str, start: int, end: int) -> None:
    if text[start:end].isascii():
        origins.extend(range(start, end))
        return
    for position in range(start, end):
        origins.extend([position] * len(_fold(text[position])))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Tell whether a span neither begins nor ends within a word or number."""
    return not (_is_within(text, start) or _is_within(text, end))


def _is_within(text: str, position: int) -> bool:
    """Tell whether the characters on both sides of a place are of one word or number."""
    before, behind = text[max(position - 2, 0) : position], text[position : position + 2]
    if not before or not behind:
        return False
    if before[-1].isalnum() and behind[0].isalnum():
        return True
    # The mark within a number is on either side of the place.
    left = len(before) == 2 and before[0].isdigit() and before[1] in ".," and behind[0].isdigit()
    right = before[-1].isdigit() and behind[0] in ".," and behind[1:].isdigit()
    return left or right


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span with the words whole that it begins and ends in."""
    while start and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end


def _digits_differ(needle: str, there: str) -> bool:
    """Tell whether a digit is another one, or missing, or too much; a lookalike letter is none."""
    edits = Levenshtein.editops(needle.translate(LOOKALIKES), there.translate(LOOKALIKES))
    return any(
        (edit.tag != "insert" and needle[edit.src_pos].isdigit())
        or (edit.tag != "delete" and there[edit.dest_pos].isdigit())
        for edit in edits
    )


def _next_word(text: str, first: int, last: int) -> int:
    """Return where the first word behind a place begins, at most `last`."""
    space = _SPACE.search(text, first, last)
    return space.end() if space else first


def _word_end(text: str, first: int, last: int) -> int:
    """Return where the last word before a place ends, at least `first`."""
    spaces = [space.start() for space in _SPACE.finditer(text, first, last)]
    return spaces[-1] if spaces else last
