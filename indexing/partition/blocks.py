"""Split the plain text of a page into headings and paragraphs."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate
from operator import add, sub

from indexing.partition.text import clean_text
from indexing.types import Block, BlockKind, PageBox

MAX_HEADING_CHARACTERS = 90
MAX_HEADING_WORDS = 12
MIN_BODY_CHARACTERS = 35
# A line ending well before the others, with a full stop, closes its paragraph.
SHORT_LINE = 0.75

HYPHENS = ("\x02", "\ufffe")
"""PDFium puts one of these in place of a hyphen that breaks a word at the end of a line."""

_HYPHENATION = re.compile(rf"{HYPHENS[1]}\s*(\w*)")
_LAST_WORD = re.compile(r"(?<!\w)\w++\Z")
_HYPHENATED = re.compile(r"(?<!\w)(\w++)-(?=(\w++))")
_NUMBERED = re.compile(
    r"(\d{1,2}(\.\d{1,3}){0,4}[.)]?|[IVX]{1,5}\.|[A-Z]\.\d*|"
    r"(Chapter|Section|Article|Part|Appendix|Annex|Item|Note|Schedule|Exhibit) [\dA-Z]+\S*) \S"
)
_ABBREVIATED = {("кол", ending) for ending in ("во", "ва", "ву", "вом", "ве")}
"""The quantity that heads a column of most Russian invoices, which is often too narrow for it."""

_PAGE_NUMBER = re.compile(
    r"(page|seite|p[aá]gina|pagină|pag|stran[ay]?|strona|str|sid[ae]|sivu|oldal|sayfa|lappuse|"
    r"puslapis|lehekülg|bladzijde|halaman|trang|страница|сторінка|стр|σελίδα)\.? "
    r"\d+( ?\D{1,4} ?\d+)?",
    re.IGNORECASE,
)
_SMALL_WORDS = {
    "a",
    "an",
    "and",
    "as",
    "at",
    "by",
    "for",
    "from",
    "in",
    "of",
    "on",
    "or",
    "the",
    "to",
    "with",
}


def page_text(raw: str) -> str:
    """Clean what PDFium returns and put the words it found broken together again."""
    return clean_text(_rejoined(raw) if _has_hyphenation(raw) else raw)


def line_spans(raw: str) -> list[tuple[int, int]]:
    """Return where in `raw` each line of its `page_text` begins and ends, without spaces around."""
    # Fonts that do not name their letters return these for ligatures; `splitlines` would cut there.
    for separator in "\x1c\x1d\x1e":
        raw = raw.replace(separator, "\x1f")
    # With a letter behind it the last line has no line end, be it empty or not.
    lines = (raw + "x").splitlines(keepends=True)
    stops = list(accumulate(map(len, lines)))
    starts = map(sub, stops, map(len, map(str.lstrip, lines)))
    ends = map(add, [0, *stops], map(len, map(str.rstrip, lines)))
    spans = list(zip(starts, ends, strict=False))
    if _has_hyphenation(raw):
        spans = _with_broken_words(raw, spans)
    start, end = spans[-1]
    spans[-1] = start, min(end, len(raw.rstrip()))
    return spans


def _with_broken_words(raw: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the lines, to each that ends within a word the next one joined."""
    joined: list[tuple[int, int]] = []
    is_open = False
    for start, end in spans:
        if is_open:
            if end <= start:
                continue
            start, _ = joined.pop()
        joined.append((start, end))
        is_open = raw.endswith(HYPHENS, start, end)
    return joined


def split_blocks(text: str) -> tuple[Block, ...]:
    """Split the text of a page into headings and paragraphs; no word is lost or moved."""
    return blocks_of(text.split("\n"))


def blocks_of(
    lines: Iterable[str], boxes: Sequence[PageBox | None] = (), *, is_above_table: bool = False
) -> tuple[Block, ...]:
    """Return the headings and paragraphs that these lines are.

    `boxes` says where each line stands, if that is known. What stands right above a table may be
    its heading.
    """
    stripped = [line.strip() for line in lines]
    return tuple(
        Block(kind, "\n".join(stripped[start:end]), line_boxes=tuple(boxes[start:end]))
        for kind, start, end in _parts(stripped, is_above_table)
    )


def _has_hyphenation(raw: str) -> bool:
    return any(hyphen in raw for hyphen in HYPHENS)


def _parts(lines: Sequence[str], is_above_table: bool) -> Iterator[tuple[BlockKind, int, int]]:
    """Yield the headings and paragraphs with the number of their first line and of that behind."""
    full = max(map(len, lines), default=0)
    start = 0
    for number, (line, is_heading) in enumerate(
        zip(lines, _heading_lines(lines, is_above_table), strict=True)
    ):
        if is_heading or not line:
            if start < number:
                yield BlockKind.TEXT, start, number
            if is_heading:
                yield BlockKind.HEADING, number, number + 1
            start = number + 1
        elif line[-1] in ".!?:" and len(line) < SHORT_LINE * full:
            yield BlockKind.TEXT, start, number + 1
            start = number + 1
    if start < len(lines):
        yield BlockKind.TEXT, start, len(lines)


def _rejoined(raw: str) -> str:
    """Return the text with the words put together that are broken, which few lines have."""
    raw = raw.replace(*HYPHENS)  # One sign is found far faster than one of two.
    with_hyphens = "\n".join([line for line in raw.split("\n") if "-" in line])
    hyphenated = set(_HYPHENATED.findall(with_hyphens))
    parts = []
    done = 0
    for match in _HYPHENATION.finditer(raw):
        hyphen = match.start()
        # No word goes on from one line to the next but by a hyphen, and no part of it has two.
        first = max(done, raw.rfind("\n", done, hyphen) + 1)
        start = _LAST_WORD.search(raw, first, hyphen)
        keeps_hyphen = _keeps_hyphen(start[0] if start else "", match[1], hyphenated)
        parts += [raw[done:hyphen], "-" if keeps_hyphen else "", match[1]]
        done = match.end()
    return "".join([*parts, raw[done:]])


def _keeps_hyphen(start: str, end: str, hyphenated: Set[tuple[str, str]]) -> bool:
    # A hyphen that the word also has in the middle of a line, or before a capital or a number,
    # belongs to the word. So does one beside a single letter, where no word is broken.
    if not start or not end or not end[0].islower() or (start, end) in hyphenated:
        return True
    return min(len(start), len(end)) == 1 or (start.lower(), end) in _ABBREVIATED


def _heading_lines(lines: Sequence[str], is_above_table: bool) -> list[bool]:
    """Mark the headings, from the bottom up, because a heading needs text or a heading below."""
    headings = [False] * len(lines)
    below_is_body = is_above_table
    for n in range(len(lines) - 1, -1, -1):
        line = lines[n]
        if not line:
            continue
        above = lines[n - 1] if n else ""
        below = lines[n + 1] if n + 1 < len(lines) else ""
        headings[n] = (
            below_is_body and _reads_like_heading(line, above) and not _goes_on(line, below)
        )
        below_is_body = headings[n] or (len(line) >= MIN_BODY_CHARACTERS and line[0].isalnum())
    return headings


def _goes_on(line: str, below: str) -> bool:
    """Tell whether the line is the first of a paragraph, be it numbered, and no heading."""
    return below[:1].islower() or line.rsplit(" ", 1)[-1] in _SMALL_WORDS


def _reads_like_heading(line: str, above: str) -> bool:
    if len(line) > MAX_HEADING_CHARACTERS or line[-1] in ".,;:!?-":
        return False
    begins_well = line[0].isdigit() or line[0].isupper()
    if not begins_well or _PAGE_NUMBER.fullmatch(line):
        return False
    words = line.split()
    letters = sum(map(str.isalpha, line))
    # Fewer letters than this, and it is a row of figures.
    if len(words) > MAX_HEADING_WORDS or letters < 4 or letters < 0.6 * len(line):
        return False
    if line.isupper() or _NUMBERED.match(line):
        return True
    follows_an_end = not above or above[-1] in ".!?:)" or len(above) < MIN_BODY_CHARACTERS
    return follows_an_end and all(
        word[0].isupper() or not word[0].isalpha() or word in _SMALL_WORDS for word in words
    )
