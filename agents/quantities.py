"""The numbers and dates of a text, as they compare however they are written."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import permutations

_MONTH_NAMES = """
january januar janvier enero gennaio januari janeiro jan
february februar février febrero febbraio februari fevereiro feb
march märz mars marzo maart março mar
april avril abril aprile apr
may mai mayo maggio mei maio
june juni juin junio giugno junho jun
july juli juillet julio luglio julho jul
august août agosto augustus aug
september septembre septiembre settembre setembro sep sept
october oktober octobre octubre ottobre outubro oct okt
november novembre noviembre novembro nov
december dezember décembre diciembre dicembre dezembro dec dez
"""
MONTHS = {
    name: month
    for month, names in enumerate(_MONTH_NAMES.split("\n")[1:-1], start=1)
    for name in names.split()
}
"""Names of months, in small letters, with their numbers."""

_MONTH = r"(?P<name>[^\W\d_]{3,10})"
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?<!\d)(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日"),
    # Whether day or month comes first is not to be seen, so both are.
    re.compile(r"(?<![\d.])(?P<d>\d{1,2})(?P<mark>[./-])(?P<m>\d{1,2})(?P=mark)(?P<y>\d{4})(?!\d)"),
    re.compile(
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?\s(?:of\s|de\s)?{_MONTH}\b\.?,?"
        r"\s(?:de\s)?(?P<y>\d{4})(?!\d)"
    ),
    re.compile(rf"\b{_MONTH}\.?\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})(?!\d)"),
)

_YEAR = re.compile(r"\d{4}")
_GAP = "[ \u00a0\u2009\u202f'’]"
_NUMBER = re.compile(
    rf"(?<!\d)(?<!\d[.,])(?:(?P<gapped>\d{{1,3}}(?:{_GAP}\d{{3}})+(?:[.,]\d+)?)(?!\d)"
    r"|(?P<plain>\d+(?:[.,]\d+)*))(?:[ \u00a0]?(?P<scale>[^\W\d_]+))?"
)
_COMMAS_GROUP = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POINTS_GROUP = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_GAPS = re.compile(_GAP)
_POWERS = {
    **dict.fromkeys(("k", "thousand", "tausend"), 3),
    **dict.fromkeys(("m", "mn", "mio", "million", "millions", "millionen", "millones"), 6),
    **dict.fromkeys(("b", "bn", "mrd", "billion", "billions", "milliarden", "milliards"), 9),
}
_NUMBER_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
"""
_BY_WORD = {word: str(value) for value, word in enumerate(_NUMBER_WORDS.split())}
_WORD = re.compile(r"[a-z]+")
_SCALED = "*"  # behind a number that the text has with a power of ten in words


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or date of a text."""

    written: str
    values: frozenset[str]  # what it can be read as; a text that has one of them has it
    is_date: bool = False


def quantities(text: str) -> list[Quantity]:
    """Return the numbers and dates that a statement makes; numbers in words are left out."""
    text = _in_plain_digits(text)
    dates = list(_dates(text))
    for one in dates:
        text = text.replace(one.written, " ")  # The numbers of a date are none of their own.
    return [*dates, *_numbers(text)]


def values(text: str) -> frozenset[str]:
    """Return everything that the numbers and dates of a source can be read as."""
    text = _in_plain_digits(text)
    found: set[str] = set()
    for one in _dates(text):
        found |= one.values
    for match in _NUMBER.finditer(text):
        readings = _readings(match)
        power = _power(match)
        found |= {reading + _SCALED for reading in readings} if power else readings
        found |= {_times(reading, power) for reading in readings}
        if match["gapped"]:  # Or these are several numbers, side by side in a table.
            found |= {_canonical(part) for part in _GAPS.split(match["gapped"])}
    in_words = _BY_WORD.keys() & set(_WORD.findall(text.lower()))
    return frozenset(found).union(_BY_WORD[word] for word in in_words)


def _numbers(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        readings, power = _readings(match), _power(match)
        # A table in millions has the bare number; one in billions has it marked otherwise.
        full = {_times(reading, power) for reading in readings} if power else set()
        same = set() if power else {reading + _SCALED for reading in readings}
        yield Quantity(match["gapped"] or match["plain"], frozenset(readings | full | same))


def _dates(text: str) -> Iterator[Quantity]:
    if not _YEAR.search(text):
        return
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if days := frozenset(_days(match.groupdict())):
                yield Quantity(match[0], days, is_date=True)


def _days(parts: dict[str, str | None]) -> Iterator[str]:
    """Yield the days that a date can mean, in ISO form."""
    year, day = int(parts["y"] or 0), int(parts["d"] or 0)
    name, number = parts.get("name"), parts.get("m")
    month = MONTHS.get(name.lower(), 0) if name else int(number or 0)
    orders = permutations((day, month)) if parts.get("mark") else ((day, month),)
    for one_day, one_month in orders:
        try:
            yield date(year, one_month, one_day).isoformat()
        except ValueError:  # There is no such day: it is some other number.
            continue


def _readings(match: re.Match[str]) -> set[str]:
    """Return what a number can mean: the mark in 1.234 may be of thousands or of decimals."""
    number = _GAPS.sub("", match["gapped"] or match["plain"])
    found = set()
    if _COMMAS_GROUP.fullmatch(number):
        found.add(_canonical(number.replace(",", "")))
    if _POINTS_GROUP.fullmatch(number):
        found.add(_canonical(number.replace(".", "").replace(",", ".")))
    if _DECIMAL.fullmatch(number):
        found.add(_canonical(number.replace(",", ".")))
    return found or {_canonical(number)}


def _power(match: re.Match[str]) -> int:
    return _POWERS.get((match["scale"] or "").lower(), 0)


def _times(number: str, power: int) -> str:
    whole, _, fraction = number.partition(".")
    digits = fraction.ljust(power, "0")
    return _canonical(f"{whole}{digits[:power]}.{digits[power:]}")


def _canonical(number: str) -> str:
    """Write a number without the zeros that say nothing; versions and the like stay."""
    if number.count(".") + number.count(",") > 1:
        return number
    whole, _, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole.lstrip('0') or '0'}{'.' if fraction else ''}{fraction}"


def _in_plain_digits(text: str) -> str:
    """Write the digits of all scripts as ours, each in its place."""
    if text.isascii():
        return text
    return re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), text)
