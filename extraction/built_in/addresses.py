"""Postal addresses, most often several lines below each other."""

import re
from collections.abc import Iterator, Sequence

from extraction.built_in.concepts import Concept, concepts
from extraction.built_in.layout import Passage
from extraction.built_in.mentions import Mention

MOST_LINES = 6
LONGEST_LINE = 90

LEAST_LOOKS = 1.0
"""Of all lines together; a line below the first counts half by being there."""

LETTERS_SHARE = 0.25
"""Of the characters of a line; one with fewer is a row of figures."""

_STREET = re.compile(
    r"\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|parkway|pkwy|place|square|"
    r"court|suite|ste|floor|unit|lot|building|block|plaza|centre|center|highway|hwy|way|p ?o box|"
    r"terrace|jalan|jln|jl|taman|tmn|bandar|kampung|lorong|persiaran|lebuh|seksyen|medan|"
    r"\w*stra(?:ss|ß)e|\w+str|\w*weg|\w*platz|\w*allee|\w*gasse|\w+ring|rue|cedex|quai|"
    r"\w*straat|\w*laan|\w*plein|\w*gracht|postbus|via|piazza|calle|avenida|rua|village|"
    r"nagar|autoroute|route)\b\.?",
    re.IGNORECASE,
)
_POSTCODE = re.compile(
    r"(?<![\d-])(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{4})?(?![\d/-])|\b[A-Z]{1,2}\d[\dA-Z]? \d[A-Z]{2}\b|"
    r"\b\d{4} [A-Z]{2}\b"
)
_HOUSE_NUMBER = re.compile(
    r"^(?:no\.? ?|lot ?)?\d+[\w/-]*[ ,]|[ ,]\d+[a-z]?(?:[-/]\d+[a-z]?)?$",
    re.IGNORECASE,
)
_OTHER = frozenset(
    {
        Concept.PHONE,
        Concept.FAX,
        Concept.EMAIL,
        Concept.WEBSITE,
        Concept.REGISTRATION,
        Concept.TAX,
        Concept.INVOICE,
        Concept.DATE,
        Concept.BANK,
        Concept.STAFF,
        Concept.QUANTITY,
        Concept.TOTAL,
        Concept.TABLE,
        Concept.ORDER,
    }
)
# Amounts, times, web addresses, and the names of companies with their registration.
_NO_ADDRESS = re.compile(r"\d[.,]\d\d\b(?!\d)|\d:\d\d|@|www\.|^\(|\(\w*\d{4,}\w*-\w\)|%|=|\*|<|>|:")
_NUMBERED = re.compile(r"\bNO\b", re.IGNORECASE)
_LABEL = re.compile(
    r"^[^:]{0,30}\b(?:address|anschrift|adresse|adres)\b[^:]{0,12}:\s*", re.IGNORECASE
)
# Running text says where somebody is: "having an address at 6408 Parkland Drive, Suite 104, ...".
_STREET_WORD = r"(?:Street|Road|Avenue|Lane|Drive|Boulevard|Parkway|Square|Way|St\.|Ave\.|Rd\.)"
_IN_PROSE = re.compile(
    r"\b(?:address|offices?|place of business|residing|located|headquarters)"
    r"(?: (?:is|of|located)){0,3} (?:at|in) "
    r"(?P<address>(?:the )?[\dA-Z][^;()“\"]{8,120}?(?:\b\d{5}(?:-\d{4})?\b|(?= \()))"
    rf"|\b(?:at|of) (?P<street>\d+\w?,? (?:[A-Z][\w'-]+ ){{1,4}}{_STREET_WORD}"
    r"(?:, (?:[A-Z]{2} )?\d{4,5}(?: [A-Z][\w-]+)?|, [A-Z][\w-]+(?: [A-Z][\w-]+)?){0,3})"
)


def addresses(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield runs of lines that look like one address, and addresses in running text."""
    number = 0
    while number < len(passages):
        yield from _in_prose(passages[number])
        run = _run(passages, number)
        if run and _looks(run) >= LEAST_LOOKS:
            yield _mention(run)
        number += max(len(run), 1)


def looks_like_address(text: str) -> float:
    """Return how much a line looks like a part of an address: 0 not at all, 1 very."""
    letters = sum(character.isalpha() for character in text)
    if not 4 <= len(text) <= LONGEST_LINE or "|" in text or _NO_ADDRESS.search(text):
        return 0.0
    if letters < LETTERS_SHARE * len(text.replace(" ", "")):
        return 0.0
    said = concepts(_NUMBERED.sub(" ", text)) & _OTHER
    if said:
        return 0.0
    signs = (_STREET.search(text), _POSTCODE.search(text), _HOUSE_NUMBER.search(text))
    return min(1.0, 0.5 * sum(sign is not None for sign in signs))


def names_a_place(text: str) -> bool:
    """Tell whether a line has a word for a street or a postcode."""
    is_like = looks_like_address(text) > 0  # which no long line is
    return is_like and bool(_STREET.search(text) or _POSTCODE.search(text))


def _run(passages: Sequence[Passage], first: int) -> list[Passage]:
    """Return the passages from `first` on that are one address; the first must look like one."""
    text = _without_label(passages[first])
    if len(passages[first].lines) > 3 or looks_like_address(text) < 0.5:
        return []
    run = [passages[first]]
    for passage in passages[first + 1 : first + MOST_LINES]:
        if not _continues(run[-1], passage):
            break
        run.append(passage)
    return run


def _looks(run: Sequence[Passage]) -> float:
    return looks_like_address(_without_label(run[0])) + sum(
        max(0.5, looks_like_address(passage.text)) for passage in run[1:]
    )


def _without_label(passage: Passage) -> str:
    label = _LABEL.match(passage.text)
    return passage.text[label.end() :] if label else passage.text


def _continues(above: Passage, passage: Passage) -> bool:
    if passage.page is not above.page or not _is_below(above, passage):
        return False
    if looks_like_address(passage.text) >= 0.5:
        return True
    text = passage.text.strip()
    goes_on = above.text.rstrip().endswith(",") or "," in text
    return (
        len(text) <= 40
        and not concepts(_NUMBERED.sub(" ", text))
        and ":" not in text
        and (goes_on or ((text.istitle() or text.isupper()) and len(text.split()) <= 5))
    )


def _is_below(above: Passage, passage: Passage) -> bool:
    """Tell whether a line stands right below another, not in another column or further down."""
    last = above.lines[-1].box
    if last is None or passage.box is None:
        return True
    height = max(last[3] - last[1], 0.004)
    is_near = -0.5 * height <= passage.box[1] - last[3] <= 1.2 * height
    return is_near and min(last[2], passage.box[2]) > max(last[0], passage.box[0])


def _mention(run: Sequence[Passage]) -> Mention:
    lines = [_without_label(run[0]), *(passage.text for passage in run[1:])]
    start = len(run[0].text) - len(lines[0])
    end = run[-1].lines[-1].end
    form = min(1.0, sum(map(looks_like_address, lines)) / 3)
    return Mention(run[0], start, len(run[0].text), _join(lines), form=form, until=end)


def _join(lines: Sequence[str]) -> str:
    """Write the lines in one, with a comma where a line ended without one."""
    text = ""
    for line in map(str.strip, lines):
        gap = "" if not text else " " if text.endswith((",", ".", ";")) else ", "
        text += gap + line
    return text


def _in_prose(passage: Passage) -> Iterator[Mention]:
    for match in _IN_PROSE.finditer(passage.text):
        start, end = match.span(match.lastgroup or "address")
        yield Mention(passage, start, end, passage.text[start:end].rstrip(" ,"), form=0.7)
