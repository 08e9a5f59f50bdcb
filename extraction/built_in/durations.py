"""Lengths of time, such as the term of an agreement."""

import re
from collections.abc import Iterator, Sequence

from extraction.built_in.layout import Passage
from extraction.built_in.mentions import Mention

_NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
            *("eighteen", "nineteen", "twenty"),
        ),
        start=1,
    )
} | {"twenty-four": 24, "thirty": 30, "thirty-six": 36, "sixty": 60, "ninety": 90}
_COUNT = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_DURATION = re.compile(
    rf"(?:\b(?P<word>{_COUNT})\b|\b(?P<figure>\d{{1,3}}))?"
    rf"[ -]{{0,3}}(?:\((?P<bracket>\d{{1,3}})\))?"
    r"[ -]{0,3}"
    r"(?:(?:full|calendar|business|consecutive|volle[nr]?) )?"
    r"(?P<unit>years?|months?|weeks?|days?|jahren?|jahre?|monate?n?|wochen?|tagen?|ans?|mois|"
    r"semaines?|jours|jaar|jaren|maand(?:en)?)\b",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "tenth": 10}
_ANNIVERSARY = re.compile(rf"\b(?P<ordinal>{'|'.join(_ORDINALS)}) anniversary\b", re.IGNORECASE)
_ENGLISH_UNIT = re.compile(r"(year|month|week|day)s?", re.IGNORECASE)


def durations(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield lengths of time: "two (2) years" is "2 years"."""
    for passage in passages:
        for match in _DURATION.finditer(passage.text):
            count = (
                match["bracket"] or match["figure"] or _NUMBERS.get((match["word"] or "").lower())
            )
            if count:
                start = match.end() - len(match[0].lstrip(" -"))
                value = f"{int(count)} {_unit(match['unit'], int(count))}"
                yield Mention(passage, start, match.end("unit"), value)
        for match in _ANNIVERSARY.finditer(passage.text):
            count = _ORDINALS[match["ordinal"].lower()]
            yield Mention(passage, *match.span(), f"{count} {_unit('year', count)}")


def _unit(unit: str, count: int) -> str:
    """Write an English unit in the number its count asks for, any other as it is."""
    english = _ENGLISH_UNIT.fullmatch(unit)
    if not english:
        return unit
    return english[1].lower() + ("s" if count != 1 else "")
