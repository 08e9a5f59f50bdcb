"""Words of a PDF page, and the cells and rows that they make, however the columns are told."""

import functools
import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import nan
from operator import itemgetter
from typing import NamedTuple

from indexing.partition.blocks import page_text
from indexing.partition.pdf.tables.like_rows import has_label_like, is_like
from indexing.partition.tables import FIGURE_MARKS, is_header, is_number
from indexing.partition.text import clean_line
from indexing.partition.unspaced_lines import on_one_line

CELL_GAP = 0.7  # of the height of the words
FIGURES_GAP = 0.3  # the same, between two figures
WORD_GAP = 0.4  # the same, between two words of a label
CLOSE = 1.35  # the same, from one line of a cell to the next
UNIT_GAP = 3.0  # the same, between a figure and its `%` or `)`
MIN_NUMBERS = 3  # that name columns
MIN_COUNTED = 5  # the same, above others of their kind
REMEMBERED_TEXTS = 2000

_CURRENCIES = {"$", "€", "£", "¥"}
_NIL = re.compile(r"[$€£¥]? ?[—–-] ?%?")
_CURRENCY = re.compile(r"[(+–—-]?(?:[A-Z]{0,3}[$€£¥]|\()")
_CURRENCY_ENDS = "$€£¥("
_UNIT = re.compile(r"[)%]+")
_LEADERS = re.compile("[.·…]+")
_LEADER_MARKS = ".·…"
_COLONS = ":\uff1a"
_RULE_MARKS = "-=_─━═"
_TYPED_RULE = re.compile(rf" *+[{_RULE_MARKS}]{{8,}}+|(?: *+[{_RULE_MARKS}]{{4,}}+){{2,}}+")
_FIGURE = re.compile(
    r"[$€£¥(+–—-]{0,3}"
    rf"(?:\d{{1,3}}(?:\s\d{{3}})+(?:[.,]\d+)?|\d[\d{FIGURE_MARKS}]*\d|\d)?[)%*]{{0,3}}"
)
_PART_OF_DATE = re.compile(r"(?:\d{1,2}, ?)?(?:19|20)\d\d(?: ?\(\w{1,2}\))*|\d{1,2},")
_TIME = re.compile(r"\d{1,2}:\d\d")
_NOTE = re.compile(r"\(\d{1,2}\)")


class Word(NamedTuple):
    """A word, or several that stand together, and its place in points from the upper left.

    A page has hundreds, so it is the kind of value that is made the fastest.
    """

    text: str
    line: int  # of the text of the page
    left: float
    top: float
    right: float
    bottom: float
    height: float
    middle: float  # of top and bottom


class SpacedWord(NamedTuple):
    """A word, joined with no other, and whether the file has a space before it."""

    word: Word
    is_spaced: bool


line_of: Callable[[Word], int] = itemgetter(Word._fields.index("line"))
left_of: Callable[[Word], float] = itemgetter(Word._fields.index("left"))
height_of: Callable[[Word], float] = itemgetter(Word._fields.index("height"))
middle_of: Callable[[Word], float] = itemgetter(Word._fields.index("middle"))

Cell = list[Word]
"""The words of a cell in reading order; leader dots are not among them."""

Row = list[Cell]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, all rows with a cell for each column, empty or not."""

    header: Row  # empty if it has none
    rows: list[Row]
    names: list[str]  # the texts of the header
    texts: list[list[str]]  # the texts of the rows

    def without_names_on(self, lines: Container[int]) -> "Table":
        """Return the table without what its header has of these lines of the page's text."""
        header = [[word for word in cell if word.line not in lines] for cell in self.header]
        if header == self.header:
            return self
        return table_of(header if any(header) else [], self.rows)


def table_of(header: Row, rows: list[Row]) -> Table:
    """Return the table with the texts of its cells as they are."""
    names, *texts = map(texts_of, (header, *rows))
    return Table(header, rows, names, texts)


def rows_of(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Group what stands side by side, from the left to the right."""
    row: list[Word] = []
    first_top = first_bottom = first_height = nan
    for word in sorted(words, key=middle_of):
        # As `_is_beside` tells, but the first word is what all of a row are beside.
        top, bottom, height = word.top, word.bottom, word.height
        shared = (bottom if bottom < first_bottom else first_bottom) - (
            top if top > first_top else first_top
        )
        if shared > (height if height < first_height else first_height) / 2:
            row.append(word)
            continue
        if row:
            row.sort(key=left_of)
            yield row
        row = [word]
        first_top, first_bottom, first_height = top, bottom, height
    if row:
        row.sort(key=left_of)
        yield row


def words_of(rows: Iterable[Row]) -> Iterator[Word]:
    """Return the words of all cells."""
    return itertools.chain.from_iterable(itertools.chain.from_iterable(rows))


def _is_beside(one: Word, other: Word) -> bool:
    """Tell whether both stand on one line, be it as a small mark above the others."""
    # As conditions, for calls of `min` and `max` would take most of the time.
    top, bottom, height = one.top, one.bottom, one.height
    other_top, other_bottom, other_height = other.top, other.bottom, other.height
    shared = (bottom if bottom < other_bottom else other_bottom) - (
        top if top > other_top else other_top
    )
    return shared > (height if height < other_height else other_height) / 2


def cells_of(words: Sequence[Word], least_gap: float = CELL_GAP) -> Row:
    """Part the words of a row at wide gaps; a sign belongs to its figure, wherever it stands.

    The least gap is given in heights of the words.
    """
    row: Row = []
    cell: Cell = []
    for word in words:
        if word.text[0] in _LEADER_MARKS and is_leader(word):
            cell = []
        elif cell and is_one_cell(cell, word, least_gap):
            if cell[-1].text in _CURRENCIES and _is_of_label(row, word):
                row[-2:] = [row[-2] + row[-1], [word]]
                cell = row[-1]
            else:
                cell.append(word)
        else:
            cell = [word]
            row.append(cell)
    return row


def _is_of_label(row: Row, word: Word) -> bool:
    """Tell whether a sign of currency, the last cell, ends a label, as that of all figures.

    It stands as near to the label as words do, and far from the word behind it.
    """
    *labels, [sign, *_] = row
    near = WORD_GAP * sign.height
    is_beside = bool(labels) and -near < sign.left - labels[-1][-1].right < near
    return is_beside and word.left - sign.right > UNIT_GAP * sign.height


def is_one_cell(cell: Cell, other: Word, least_gap: float) -> bool:
    """Tell whether a word belongs to the cell on its left."""
    one = cell[-1]
    before, text = one.text, other.text
    height, other_height = one.height, other.height
    gap = (other.left - one.right) / (height if height > other_height else other_height)
    is_far = gap >= UNIT_GAP and gap >= least_gap
    may_be_currency = before[-1] in _CURRENCY_ENDS
    if is_far and not may_be_currency:
        return False
    if text in _CURRENCIES:
        return gap < FIGURES_GAP and _FIGURE.fullmatch(before) is not None
    if gap < FIGURES_GAP:
        return True
    if may_be_currency and _CURRENCY.fullmatch(before) and _FIGURE.fullmatch(text):
        # It may be the sign of the figure before it.
        return len(cell) == 1 or not _FIGURE.fullmatch(cell[-2].text)
    if is_far:
        return False
    if _UNIT.fullmatch(text) and _FIGURE.fullmatch(before):
        return gap < UNIT_GAP
    begins_with = _FIGURE.match(text)  # may be nothing
    are_figures = _FIGURE.fullmatch(before) and begins_with and begins_with[0]
    is_apart = are_figures and not _ends_with_sign_of_next(cell)
    return gap < (FIGURES_GAP if is_apart else least_gap)


def _ends_with_sign_of_next(cell: Cell) -> bool:
    """Tell whether the cell ends with the `%` of the figure behind it, as Turkish has it."""
    is_alone = len(cell) == 1 or not _FIGURE.fullmatch(cell[-2].text)
    return cell[-1].text == "%" and is_alone


def plain_text(cell: Cell) -> str:
    """Return the words as they are."""
    return cell[0].text if len(cell) == 1 else " ".join([word.text for word in cell])


def cell_text(cell: Cell) -> str:
    """Return the words on one line, those that were broken put together again."""
    if not cell:
        return ""
    text = cell[0].text if len(cell) == 1 else _joined(cell)
    # What is printable has no line ends, broken words or odd spaces in it.
    if text.isprintable() and "  " not in text:
        return text
    line = on_one_line(text).replace("\xa0", " ")
    # In ASCII there are no joined letters either.
    if line.isascii() and line.isprintable() and "  " not in line:
        return line
    return clean_line(on_one_line(page_text(text)))


def _joined(cell: Cell) -> str:
    """Return the words with spaces and line ends between them."""
    text = cell[0].text
    for before, word in itertools.pairwise(cell):
        if _is_beside(before, word):
            text += f" {word.text}"
        else:
            # A date that was broken behind a hyphen is one, and so are two names at their stroke.
            is_one = is_broken(before, word) or _is_broken_at_stroke(before, word)
            text += word.text if is_one else f"\n{word.text}"
    return text


def texts_of(row: Row) -> list[str]:
    """Return the text of each cell."""
    return [cell_text(cell) if cell else "" for cell in row]


def is_broken(before: Word, word: Word) -> bool:
    """Tell whether both are one figure, a date or a number of an article, broken at a hyphen."""
    return before.text[-1] == "-" and before.text[-2:-1].isdecimal() and word.text[0].isdecimal()


def _is_broken_at_stroke(before: Word, word: Word) -> bool:
    """Tell whether both are parts of a name with a stroke right between them: `km/h`."""
    return before.text[-1] == "/" and before.text[-2:-1].isalpha() and word.text[0].isalpha()


def is_broken_value(before: Word, word: Word) -> bool:
    """Tell whether both are one date or number, broken at a hyphen, and not two amounts.

    Those that are owed may have the sign behind them.
    """
    return (
        is_broken(before, word)
        and word.text[-1] != "-"
        and not ("," in before.text or "." in before.text)
    )


def together(rows: Sequence[Row]) -> Row:
    """Return several rows as one; none as an empty one."""
    return [list(itertools.chain.from_iterable(cells)) for cells in zip(*rows, strict=True)]


def is_leader(word: Word) -> bool:
    """Tell whether the word is dots that lead from a label to its figure."""
    return word.text[0] in _LEADER_MARKS and _LEADERS.fullmatch(word.text) is not None


def is_label(cell: Cell) -> bool:
    """Tell whether the cell ends with a colon, as a label of what is beside it does."""
    return cell[-1].text[-1] in _COLONS


def is_typed_rule(text: str) -> bool:
    """Tell whether a line is one of dashes, as print-outs have below names and above sums."""
    return text[-1] in _RULE_MARKS and _TYPED_RULE.fullmatch(text) is not None


def is_row_of_dashes(row: Row) -> bool:
    """Tell whether the words of a row are such a line."""
    return row[-1][-1].text[-1] in _RULE_MARKS and is_typed_rule(" ".join(map(plain_text, row)))


def is_value(cell: Cell) -> bool:
    """Tell whether the cell holds a figure, and not the part of a date."""
    if not cell:
        return False
    if len(cell) == 1:
        return is_figure(cell[0])
    return not cell[0].text[0].isalpha() and _is_figure(plain_text(cell))


def is_figure(word: Word) -> bool:
    """Tell whether the word is the value of a cell by itself."""
    text = word.text
    # Most that are none begin with a letter, which is told the fastest.
    return not text[0].isalpha() and _is_figure(text)


@functools.lru_cache(maxsize=REMEMBERED_TEXTS)
def _is_figure(text: str) -> bool:
    if is_number(text):
        return not _PART_OF_DATE.fullmatch(text)
    return _NIL.fullmatch(text) is not None


def has_figures(row: Row) -> bool:
    """Tell whether cells behind the first hold figures that are no marks of notes."""
    return len(row) > 1 and not all(map(_is_note, filter(is_value, row[1:])))


def _is_note(cell: Cell) -> bool:
    return cell[0].text[0] == "(" and _NOTE.fullmatch(plain_text(cell)) is not None


def header_of(rows: Sequence[Row]) -> int:
    """Return how many of the first rows name the columns."""
    first = next((n for n, row in enumerate(rows) if has_figures(row)), None)
    if first is None:
        texts = [cell_text(cell) for cell in rows[0]]
        return int(len(rows) > 1 and is_header(texts, len(texts)))
    if _are_names(rows[first], rows[first + 1 :]) or _count_on(rows[first], rows[first + 1 :]):
        return first + 1
    first = _first_like(rows, first)
    # A label alone, below the names of the columns, says what the rows below it are about.
    while first and not any(rows[first - 1][1:]):
        first -= 1
    return first


def _first_like(rows: Sequence[Row], first: int) -> int:
    """Return which row is the first, given that with the first figures."""
    if not first or not rows[0][0]:
        return first
    texts = [list(map(plain_text, row)) for row in rows]
    # The names may be on the page before.
    if any(map(str.isalpha, texts[0][0])) and has_label_like(texts[0], texts[1:]):
        return 0
    if first < 2 or not all(rows[0]):
        return first
    if is_like(texts[0], texts[1:]):
        return first
    return next((n for n in range(1, first) if is_like(texts[n], texts[n + 1 :])), first)


def _are_names(row: Row, below: Sequence[Row]) -> bool:
    """Tell whether whole numbers name the columns, as those of buses do above their times.

    They go up, by as much each or above words and times, and no other whole number is below them.
    """
    label, *names = map(plain_text, row)
    if len(names) < MIN_NUMBERS or not label or not all(map(str.isdecimal, names)):
        return False
    steps = {int(other) - int(one) for one, other in itertools.pairwise(names)}
    texts = [plain_text(cell) for one in below for cell in one[1:] if cell]
    others = sum(not is_number(text) or _TIME.fullmatch(text) is not None for text in texts)
    return (
        min(steps) > 0
        and not any(map(str.isdecimal, texts))
        and (others > len(texts) / 2 or (len(steps) == 1 and bool(texts)))
    )


def _count_on(row: Row, below: Sequence[Row]) -> bool:
    """Tell whether whole numbers that go on by one, as those of days, and words name the columns.

    No row below does the same, as all rows of a calendar do.
    """
    texts = list(filter(None, map(plain_text, row)))
    numbers = _counted(texts)
    words = [text for text in texts if not text.isdecimal()]
    return (
        len(numbers) >= max(MIN_COUNTED, len(texts) / 2)
        and bool(words)
        and not any(map(is_number, words))
        and not any(_counted(list(filter(None, map(plain_text, one)))) for one in below)
    )


def _counted(texts: Sequence[str]) -> list[int]:
    """Return the whole numbers among the texts of a row if each is one more than that before."""
    numbers = [int(text) for text in texts if text.isdecimal()]
    goes_on = all(other == one + 1 for one, other in itertools.pairwise(numbers))
    return numbers if len(numbers) >= MIN_NUMBERS and goes_on else []


def is_form(rows: Sequence[Row]) -> bool:
    """Tell whether rows are those of a form, or a list of names and what they stand for."""
    ends = [[cell[-1].text[-1] for cell in row if cell] for row in rows]
    several = [row for row in ends if len(row) > 1]
    named = sum([":" in row for row in several])
    return 2 * named > len(several)
