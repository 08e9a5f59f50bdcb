"""Tell how a csv file was written: what parts its cells, and how quotes stand in them."""

import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from indexing.partition.merged_cells import Row
from indexing.partition.texts.plain_text import open_text

DELIMITERS = ",;\t|^~"

MAX_LINE_CHARACTERS = 1 << 17
MAX_LINES_IN_A_CELL = 500
SAMPLE_LINES = 1_000
SAMPLE_CHARACTERS = 1 << 20

MOST_LINES_OF_A_ROW = 4
"""Of so many lines, titles and remarks among them, one at least is a row."""

_BEHIND = "behind"
"""Is a row of its own behind the others, unless a cell before it never ends."""

_NAMED = re.compile(rf'"?sep=([{re.escape(DELIMITERS)}])"?\s*')
_OTHERS = re.compile(r"[;\t|]")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")

# A backslash before a quote within a cell; where a path ends a cell, its last backslash stands
# there as well, and something that parts behind it.
_ESCAPED_WITHIN = re.compile(rf'\\"[^"\s{re.escape(DELIMITERS)}]')
_ESCAPED = re.compile(r'(?<!\\)\\"')

# A cell in single quotes, as databases write texts; one within it is doubled.
_PARTS = re.escape(DELIMITERS)
_IN_SINGLE_QUOTES = re.compile(rf"(?:^|(?<=[{_PARTS}])) *'(?>(?:[^']|'')*)' *(?=[{_PARTS}\r\n]|$)")


class Dialect(NamedTuple):
    """What the cells of a file are parted by, and whether quotes, and escapes of them, count."""

    delimiter: str
    has_quotes: bool = True
    has_escapes: bool = False
    quote: str = '"'

    def rows_of(self, lines: Iterable[str]) -> Iterator[Row]:
        """Yield the rows; the lines of a cell are told by its quotes.

        Raises:
            csv.Error: a cell has more than 131,072 characters.
        """
        if self.has_escapes:
            lines = (_ESCAPED.sub('""', line) for line in lines)
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            quotechar=self.quote,
            quoting=csv.QUOTE_MINIMAL if self.has_quotes else csv.QUOTE_NONE,
            skipinitialspace=True,
        )


def dialect_of(path: Path) -> Dialect:
    """Return how the file was written, told by its beginning; quotes are looked at to the end."""
    with open_text(path) as file:
        named = _NAMED.fullmatch(file.readline(MAX_LINE_CHARACTERS).lstrip("\ufeff"))
        file.seek(0)
        sample = list(_sample(lines_of(file)))
    has_escapes = any(map(_ESCAPED_WITHIN.search, sample))
    dialect = Dialect(",", has_escapes=has_escapes, quote=_quote(sample))
    dialect = dialect._replace(delimiter=named[1] if named else _delimiter(sample, dialect))
    with open_text(path) as file:
        return dialect._replace(has_quotes=_quotes_end(lines_of(file), dialect))


def lines_of(file: TextIO) -> Iterator[str]:
    """Yield the lines, without the first if it only tells Excel what parts the cells."""
    lines = iter(lambda: file.readline(MAX_LINE_CHARACTERS), "")
    # Where files were put together, a mark of their encoding may stand behind the first one.
    lines = (line if number else line.lstrip("\ufeff") for number, line in enumerate(lines))
    lines = (line for number, line in enumerate(lines) if number or not _NAMED.fullmatch(line))
    return (line.replace("\0", "") for line in lines)


def _sample(lines: Iterable[str]) -> Iterator[str]:
    characters = 0
    for line in itertools.islice(lines, SAMPLE_LINES):
        if characters > SAMPLE_CHARACTERS:
            return
        characters += len(line)
        yield line


def _quote(sample: list[str]) -> str:
    """Return what stands around texts: single quotes where most lines have such a text, all whole.

    An apostrophe within a text is not doubled where they do not count.
    """
    if any('"' in line for line in sample):
        return '"'
    quoted = sum(_IN_SINGLE_QUOTES.search(line) is not None for line in sample)
    has_apostrophes = any("'" in _IN_SINGLE_QUOTES.sub("", line) for line in sample)
    return '"' if has_apostrophes or 2 * quoted <= len(sample) else "'"


def _delimiter(sample: list[str], dialect: Dialect) -> str:
    """Return the delimiter by which the most of the rows have as many cells as each other."""
    best, best_score = ",", (0.0, 0)
    for delimiter in DELIMITERS:
        rows = _rows(sample, dialect._replace(delimiter=delimiter))
        widths = Counter(map(len, rows))
        del widths[1]
        width, times = max(widths.items(), key=lambda one: one[1], default=(1, 0))
        score = (times / max(len(rows), 1), width)
        if MOST_LINES_OF_A_ROW * times >= len(rows) and score > best_score:
            best, best_score = delimiter, score
    return best


def _rows(sample: list[str], dialect: Dialect) -> list[Row]:
    """Return the first rows that hold something, as the delimiter parts them."""
    # Within numbers that others part, a comma is a decimal sign.
    if dialect.delimiter == ",":
        sample = [_DECIMAL_COMMA.sub("", one) if _OTHERS.search(one) else one for one in sample]
    try:
        rows = [row for row in dialect.rows_of(sample) if any(row)]
    except csv.Error:
        rows = []
    if not rows or any(map(_is_too_long, rows)):
        rows = [row for row in dialect._replace(has_quotes=False).rows_of(sample) if any(row)]
    return rows


def _quotes_end(lines: Iterable[str], dialect: Dialect) -> bool:
    """Tell whether quotes part cells; one that never ends would swallow all that follows."""
    row: Row = []
    try:
        for row in dialect.rows_of(itertools.chain(lines, [_BEHIND])):
            if _is_too_long(row):
                return False
    except csv.Error:
        return False
    # At the end of the file a cell ends as well, though its second quote is missing.
    return row == [_BEHIND] or "\n" not in row[-1].removesuffix(_BEHIND).rstrip("\n")


def _is_too_long(row: Row) -> bool:
    return any(cell.count("\n") > MAX_LINES_IN_A_CELL for cell in row)
