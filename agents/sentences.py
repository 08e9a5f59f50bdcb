"""Cut a passage into the units an answer can quote: sentences, list items, table rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

CELL_MARK = " | "

CAPTION_LINES = 4
LONGEST_HEADING = 80
LONGEST_HEADER_CELL = 100
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


_RULE = re.compile(r"\s*[|:+=_-][\s|:+=_-]{2,}")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_BULLET = re.compile(r"(?:[-*+•‣▪◦●○·–—]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(?=\S)")
_LABEL = re.compile(r"[^\W\d_][\w /().'-]{0,38}:(?:\s|$)")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'’”)\]」』）]*$")
_ENDS_OPEN = re.compile(
    r"(?:[,;(/&–-]|\b(?:a|an|and|are|as|at|by|for|from|in|is|of|on|or|than|that|the|to|with))$"
)
_SECTION_NUMBER = re.compile(r"^(?:[A-Za-z]+ )?[\dIVX]+(?:\.\d+)*[.):]?\s+")
_BOUNDARY = re.compile(
    r"(?<=[.!?…])[\"'’”)\]]*(\s+)(?=[\"'‘“(\[¿¡]*[^\Wa-z_])|(?<=[。！？])[」』”）]*(\s*)(?=\S)"
)
_LAST_WORD = re.compile(r"\S+$")
_INITIALS = re.compile(r"[(\"'“‘]*(?:[A-Z]\.|(?:[^\W\d_]\.){2,})$")
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
_YEAR = re.compile(r"(?:FY ?)?(?:1[5-9]|20)\d\d")


def units(passage: str) -> list[Unit]:
    """Return the units of a passage in its order."""
    found: list[Unit] = []
    lines = [line.strip() for line in passage.splitlines() if not _RULE.fullmatch(line)]
    above: list[str] = []
    for is_table, group in groupby(lines, _is_row):
        if is_table:
            found += _rows(list(group), " ".join(above[-CAPTION_LINES:]))
        else:
            above = list(group)
            found += _prose(above)
    return [unit for unit in found if _LETTER_OR_DIGIT.search(unit.text)]


def _is_row(line: str) -> bool:
    return CELL_MARK in f" {line} "  # The first or the last cell may be empty.


def _rows(lines: list[str], caption: str) -> Iterator[Unit]:
    """Yield the rows, each led by the lines above the table and its header row."""
    header = _cells(lines[0])
    if len(lines) == 1 or not _names_columns(header):
        yield from (Unit(line, UnitKind.ROW, caption) for line in lines)
        return
    for line in lines[1:]:
        yield Unit(_readable_row(header, line), UnitKind.ROW, f"{caption} {lines[0]}".strip())


def _cells(line: str) -> list[str]:
    if line.startswith("|") and line.endswith("|"):
        line = line[1:-1]  # Markdown draws the borders, too.
    return [cell.strip() for cell in line.split("|")]


def _names_columns(cells: Sequence[str]) -> bool:
    """Tell a header from a row: it holds no values, or only years."""
    return all(not _VALUE.search(cell) or _YEAR.fullmatch(cell) for cell in cells)


def _readable_row(header: list[str], line: str) -> str:
    """Name each cell by its column, "Item: Desk; Price: 12.50"; letter for letter otherwise."""
    cells = _cells(line)
    cells += [""] * (len(header) - len(cells))  # Empty ones at the end are not written out.
    if len(cells) != len(header) or max(map(len, header)) > LONGEST_HEADER_CELL:
        return f"{CELL_MARK.join(header)}\n{line}"
    named = zip(header, cells, strict=True)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)


def _prose(lines: Sequence[str]) -> Iterator[Unit]:
    heading = announcing = ""
    paragraphs = list(_paragraphs(lines))
    for paragraph, following in zip(paragraphs, [*paragraphs[1:], ""], strict=False):
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
    return stem.isdigit() and word.start() == 0
