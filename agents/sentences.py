"""Cut a passage into the units an answer can quote: sentences, list items, table rows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import itemgetter

from agents.quantities import MONTHS
from agents.table_rows import Cell, LineKind, Row, line_kinds, row_of_figures, rows_of_cells

CAPTION_LINES = 4
LONGEST_HEADING = 80
NARROWEST_COLUMN = 35
WIDEST_COLUMN = 110


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    LEAD = "lead"  # a heading, or the line that announces a list; it answers nothing by itself


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a passage that can be read by itself."""

    text: str
    kind: UnitKind
    lead: str = ""  # the heading or the announcing line above it
    cells: tuple[Cell, ...] = ()  # of a row whose columns are known


_RULE = re.compile(r"\s*[|:+=_-][\s|:+=_-]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_BULLET = re.compile(r"(?:[-*+•‣▪◦●○·–—]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(?=\S)")
# A table has its heading and is announced as a list is.
_LIKE_AN_ITEM = "- a row"
_LABEL = re.compile(r"[^\W\d_][\w /().'-]{0,38}:(?:\s|$)")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'’”)\]」』）]*$")
_ENDS_OPEN = re.compile(
    r"(?:[,;(/&–-]|\b(?:a|an|and|are|as|at|by|for|from|in|is|of|on|or|than|that|the|to|with))$"
)
_SECTION_NUMBER = re.compile(r"^(?:[A-Za-z]+ )?[\dIVX]+(?:\.\d+)*[.):]?\s+")
_BOUNDARY = re.compile(
    r"(?<=[.!?…؟۔।])[\"'’”)\]]*(\s+)(?=[\"'‘“(\[¿¡]*[^\Wa-z_])|(?<=[。！？])[」』”）]*(\s*)(?=\S)"
)
_LAST_WORD = re.compile(r"\S+$")
_INITIALS = re.compile(r"[(\"'“‘]*(?:[A-Z]\.|(?:[^\W\d_]\.){2,})$")
# Both halves of "z. B." and the like, and the day before a month: "am 3. Mai".
_HALF_ABBREVIATION = re.compile(r"[(\"'“‘]*[a-z]\.$")
_OTHER_HALF = re.compile(r"[A-Z]\.")
_DAY = re.compile(r"\d{1,2}\.$")
_FIRST_WORD = re.compile(r"[^\W\d_]{3,}")
_STARTERS = re.compile(
    r"[\"'‘“(]*(?:The|This|That|These|Those|It|In|On|At|He|She|They|We|But|However|If|When|As)\b"
)
_ABBREVIATED = """
al approx art arts aug bros c ca capt cf ch cmdr co col corp dec dept dr e.g eg eq est etc excl ext
feb fig figs gen gov hon i.e ie inc incl jan jr jul jun lt ltd mar max messrs min mon mr mrs ms no
nos nov oct p para pp pres prof rep resp rev sec sen sep sept sgt sr st tel thu tue univ viz vol
vols vs wed apr avg fri sat sun abs bzw d.h ggf nr str u.a z.b
"""
_ABBREVIATED_AT_THE_END = "al approx co corp etc inc jr ltd sr"
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_ENDING_ABBREVIATIONS = frozenset(_ABBREVIATED_AT_THE_END.split())
_VALUE = re.compile(r"\d")


def units(passage: str) -> list[Unit]:
    """Return the units of a passage in its order."""
    found: list[Unit] = []
    lines = [line.strip() for line in passage.splitlines() if not _RULE.fullmatch(line)]
    groups = [
        (kind, [line for _, line in group])
        for kind, group in groupby(zip(line_kinds(lines), lines, strict=True), itemgetter(0))
    ]
    above: list[str] = []
    title: list[str] = []  # what stands above the header of figures
    header = ""
    for number, (kind, group) in enumerate(groups):
        match kind:
            case LineKind.TEXT:
                found += _prose(group, above_table=number + 1 < len(groups))
                above = group[-CAPTION_LINES:]
                if len(group) > CAPTION_LINES:  # More than a heading between rows: another table.
                    title, header = [], ""
            case LineKind.COLUMNS:
                found += (Unit(line, UnitKind.LEAD) for line in group)
                title, above, header = above, [], group[-1]
            case LineKind.CELLS:
                found += _row_units(rows_of_cells(group), above)
            case LineKind.FIGURES:
                rows = (row_of_figures(line, header) for line in group)
                found += _row_units(rows, [*title, *above])
    return [unit for unit in found if unit.kind is UnitKind.ROW or _LETTER.search(unit.text)]


def _row_units(rows: Iterable[Row], above: Sequence[str]) -> Iterator[Unit]:
    """Yield the rows, each led by the lines above the table and its header row."""
    for row in rows:
        lead = " ".join([*above, row.header]).strip()
        yield Unit(row.text, UnitKind.ROW, lead, row.cells)


def _prose(lines: Sequence[str], *, above_table: bool) -> Iterator[Unit]:
    heading = announcing = ""
    paragraphs = list(_paragraphs(lines))
    last = _LIKE_AN_ITEM if above_table else ""
    for paragraph, following in zip(paragraphs, [*paragraphs[1:], last], strict=False):
        if _BULLET.match(paragraph) and not _is_heading(paragraph, following):
            yield from _item_units(paragraph, announcing or heading)
            continue
        announcing = ""
        if _is_heading(paragraph, following):
            heading = paragraph
            yield Unit(paragraph, UnitKind.LEAD)
            continue
        for sentence in split_sentences(paragraph):
            announces = sentence.endswith(":") and bool(_BULLET.match(following))
            announcing = sentence if announces else ""
            yield Unit(sentence, UnitKind.LEAD if announces else UnitKind.SENTENCE, heading)


def _item_units(paragraph: str, lead: str) -> Iterator[Unit]:
    """Yield an item whole when it is short, else sentence by sentence."""
    if len(paragraph) <= 2 * WIDEST_COLUMN:
        yield Unit(paragraph, UnitKind.ITEM, lead)
    else:
        yield from (Unit(one, UnitKind.ITEM, lead) for one in split_sentences(paragraph))


def _is_heading(paragraph: str, following: str) -> bool:
    """Tell a heading: a short line that is no sentence and holds no value, with text below it."""
    title = _SECTION_NUMBER.sub("", paragraph)
    return (
        _is_text(following)
        and len(paragraph) <= LONGEST_HEADING
        and not _ENDS_SENTENCE.search(paragraph)
        and not paragraph.endswith((":", ";", ","))
        and not _LABEL.match(title)
        and not _VALUE.search(title)
        and (not _BULLET.match(paragraph) or _starts_section(paragraph, following))
    )


def _is_text(paragraph: str) -> bool:
    """Tell what can stand below a heading from one short line among others, as on a slide."""
    return (
        len(paragraph) > LONGEST_HEADING
        or paragraph.endswith(":")
        or any(pattern.match(paragraph) for pattern in (_BULLET, _LABEL))
        or _ENDS_SENTENCE.search(paragraph) is not None
    )


def _starts_section(paragraph: str, following: str) -> bool:
    """Tell "5. Rent" above its text from an item among others."""
    return paragraph[0].isdigit() and not _BULLET.match(following)


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Join the lines of which a sentence was wrapped; all other lines stand by themselves."""
    column = min(max(map(len, lines), default=0), WIDEST_COLUMN)
    gathered = ""
    for line in lines:
        if gathered and line and _goes_on(gathered, line, column):
            gathered = f"{gathered} {line}"
            continue
        if gathered:
            yield " ".join(gathered.split())
        gathered = line
    if gathered:
        yield " ".join(gathered.split())


def _goes_on(above: str, line: str, column: int) -> bool:
    """Tell whether a line continues what is above it."""
    if _BULLET.match(line) or _LABEL.match(line) or above.endswith(":"):
        return False
    if line[0].islower() or _ENDS_OPEN.search(above):
        return True
    # The line was full: its neighbour's first word had no place on it.
    last_line = len(above) if len(above) <= column else column
    was_full = last_line + len(line.split()[0]) >= 0.9 * column
    return was_full and column >= NARROWEST_COLUMN and not _ENDS_SENTENCE.search(above)


def split_sentences(paragraph: str) -> Iterator[str]:
    """Yield the sentences of running text."""
    start = 0
    for match in _BOUNDARY.finditer(paragraph):
        end = match.start(1) if match.group(1) is not None else match.start(2)
        if _is_abbreviated(paragraph[start:end], paragraph[match.end() :]):
            continue
        yield paragraph[start:end]
        start = match.end()
    if rest := paragraph[start:].strip():
        yield rest


def _is_abbreviated(before: str, after: str) -> bool:
    """Tell whether the dot in between belongs to an abbreviation, an initial or a number."""
    word = _LAST_WORD.search(before)
    if word is None or not before.endswith("."):
        return False
    stem = word.group().strip("(\"'“‘.").lower()
    starts_sentence = _STARTERS.match(after) is not None
    if stem in _ABBREVIATIONS:
        return not (stem in _ENDING_ABBREVIATIONS and starts_sentence)
    if _INITIALS.match(word.group()):
        return not starts_sentence
    if _HALF_ABBREVIATION.match(word.group()) and _OTHER_HALF.match(after):
        return True
    if _DAY.match(word.group()) and _names_month(after):
        return True
    return stem.isdigit() and word.start() == 0


def _names_month(text: str) -> bool:
    word = _FIRST_WORD.match(text)
    return word is not None and word.group().lower() in MONTHS
