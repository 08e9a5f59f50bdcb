"""Find dates, and write them as ISO 8601, only as precise as the text is."""

import datetime
import re
from collections.abc import Iterator
from functools import cache

from extraction.types import Found, Habit, RequestedField
from extraction.values.month_names import month_names
from extraction.values.writing import NARROW_SPACE, folded, without_overlaps

DAY_FIRST = True
"""How 05/06/2024 is read where the document shows no habit: as most of the world writes it."""

_LAST_OF_2000S = 68
"""A year of two digits up to this one is in the 2000s, as in POSIX."""

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second"),
    *("twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh"),
    *("twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first"),
)
_DAYS_IN_WORDS = {word: day for day, word in enumerate(_ORDINALS, start=1)}

_ALONE = r"(?<![\d/.,-])"
_YEAR = r"(?P<year>(?:1[5-9]|20|21)\d\d)"
_SHORT_YEAR = r"(?P<short>\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
_SUFFIX = r"(?:[ ]?(?:st|nd|rd|th|er|ere|e|eme|re|\.|º|°|ª))?"
# A time may be joined to a year, where a picture was read.
_TIME = r"(?=t?\d\d:\d\d)"
_ENDS = r"(?![\d/]|[-.,]\d|(?<=\d)[a-z])"
_ENDS_OR_TIME = rf"(?:{_ENDS}|{_TIME})"
# Between the parts is one and the same mark, and behind the last one another: 1/5/24-31/5/24.
_ENDS_RUN = r"(?!\d|(?P=mark)\d)"
_RUN_ENDS = rf"(?:{_YEAR}(?:{_ENDS_RUN}|{_TIME})|{_SHORT_YEAR}{_ENDS_RUN}(?![a-z]))"

_YEAR_FIRST = re.compile(
    rf"(?<!\d){_YEAR}[ ]?(?P<mark>[-./])[ ]?(?P<month>[01]?\d)[ ]?(?P=mark)[ ]?"
    rf"{_DAY}(?:{_ENDS_RUN}|{_TIME})"
)
_NUMERIC = re.compile(
    r"(?<!\d)(?P<one>[0-3]?\d)[ ]?(?P<mark>[-./])[ ]?(?P<two>[0-3]?\d)[ ]?(?P=mark)[ ]?"
    rf"{_RUN_ENDS}"
)
_COMPACT = re.compile(
    rf"{_ALONE}{_YEAR}(?P<month>[01]\d)(?P<day>[0-3]\d)(?:{_ENDS}|{_TIME}|(?=/|t\d))"
)
_EAST_ASIAN = re.compile(
    rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<month>[01]?\d)\s?[月월](?:\s?{_DAY}\s?[日일号])?"
)
_ISO_MONTH = re.compile(rf"{_ALONE}{_YEAR}-(?P<month>0[1-9]|1[0-2])(?![-\d/.\w])")
_MONTH_AND_YEAR = re.compile(rf"{_ALONE}(?P<month>0?[1-9]|1[0-2])[ ]?/[ ]?{_YEAR}{_ENDS}")
_YEAR_ALONE = re.compile(
    rf"(?:\b(?:in|year|fiscal|fy|since|until|jahr|jahre|seit|annee|en|anno|nel|ano|jaar|rok)\s)"
    rf"(?P<date>{_YEAR})(?![-/.\w]*\d|\w|\s?[%$€£])"
)


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the dates of a text: days, and months or years where that is all it says."""
    return without_overlaps(_dates(_read(text), habit))


def normalise(raw: object, field: RequestedField, habit: Habit) -> str | None:
    """Return the date that was meant, where one alone was; a year alone is a date here."""
    if isinstance(raw, datetime.datetime):
        return raw.date().isoformat()
    if isinstance(raw, datetime.date):
        return raw.isoformat()
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        return None
    text = str(raw).strip()
    if re.fullmatch(_YEAR, folded(text)):
        return folded(text)
    values = {str(found.value) for found in find(text, field, habit)}
    return values.pop() if len(values) == 1 else None


def orders(text: str) -> Iterator[bool]:
    """Yield for each date that shows whether the day is before the month that it is, or is not."""
    text = _read(text)
    for match in _NUMERIC.finditer(text):
        one, two = int(match["one"]), int(match["two"])
        if one != two and max(one, two) > 12 >= min(one, two):
            yield one > two


def spelled_orders(text: str) -> Iterator[bool]:
    """Yield the same for dates with the name of a month; it is a hint only for those without."""
    text = _read(text)
    for day_first, pattern in ((True, _patterns()[0]), (False, _patterns()[1])):
        for match in pattern.finditer(text):
            if _iso(match, Habit()):
                yield day_first


def _read(text: str) -> str:
    return folded(text).replace(NARROW_SPACE, " ")


def _dates(text: str, habit: Habit) -> Iterator[Found]:
    numeric = (_YEAR_FIRST, _COMPACT, _NUMERIC, _EAST_ASIAN, _ISO_MONTH, _MONTH_AND_YEAR)
    for pattern in (*numeric, *_patterns(), _YEAR_ALONE):
        for match in pattern.finditer(text):
            if not _goes_on_before(match) and (value := _iso(match, habit)):
                whole = "date" if "date" in match.groupdict() else 0
                yield Found(match.start(whole), match.end(whole), value)


def _goes_on_before(match: re.Match[str]) -> bool:
    """Tell whether a match is the rest of a longer run, as in the number 1.2.3.2018."""
    before = match.string[max(0, match.start() - 2) : match.start()]
    return before[:1].isdigit() and before[1:] == match.groupdict().get("mark")


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of dates with the name of a month, that with the day first first."""
    month = "|".join(re.escape(name) for name in sorted(month_names(), key=len, reverse=True))
    words = "|".join(sorted(map(re.escape, _DAYS_IN_WORDS), key=len, reverse=True))
    name = rf"(?P<name>{month})(?![^\W\d_])\.?"
    # Any word may stand here, because to try each name at each word would take too long.
    any_name = r"(?<![^\W_])(?P<name>[^\W\d_]{3,12})\.?"
    of = r"(?:of|de|del|di|d'|den|ngay)?"
    year = rf"(?:{_YEAR}{_ENDS_OR_TIME}|'?{_SHORT_YEAR}{_ENDS})"
    before_year = r"(?:[ ]?,?[ ]?(?:of|de|del|nam)?\s{1,2}|[ ]?,[ ]?|[ ]?[-./][ ]?|[ ]?)"
    day_first = (
        rf"(?<![\d.,/])(?:{_DAY}{_SUFFIX}|(?<!\w)(?P<spelled>{words}))(?:[ ]?\(\d+\))?"
        rf"[\s,./-]{{0,3}}(?:day[ ]{{1,2}})?{of}[ ]?{name}{before_year}{year}"
    )
    month_first = (
        rf"{any_name}[ ]?[-/ ]?[ ]?{_DAY}{_SUFFIX}"
        rf"(?:[ ]?,[ ]?(?:of[ ])?|[ ]|[-/.]|[ ]-[ ]){_YEAR}{_ENDS_OR_TIME}"
    )
    hyphens = rf"{any_name}-{_DAY}-{_SHORT_YEAR}{_ENDS}"
    apostrophe = rf"{any_name}[ ]{_DAY},?[ ]'{_SHORT_YEAR}{_ENDS}"
    year_first = rf"(?<![\d.,/]){_YEAR}[.,]?[ -]?(?:de[ ])?{name}[ -]?{_DAY}{_SUFFIX}{_ENDS}"
    month_only = rf"{any_name}[ ]?,?(?:[ ](?:of|de|del))?[ -]'?{_YEAR}{_ENDS}"
    patterns = (day_first, month_first, hyphens, apostrophe, year_first, month_only)
    return tuple(re.compile(pattern) for pattern in patterns)


def _iso(match: re.Match[str], habit: Habit) -> str | None:
    """Return the date as ISO 8601, or None where the calendar has no such day."""
    parts = match.groupdict()
    year = int(parts.get("year") or 0) or _long_year(parts["short"])
    if parts.get("one"):
        return _ambiguous(year, int(parts["one"]), int(parts["two"]), habit)
    month = int(parts.get("month") or 0) or month_names().get(parts.get("name") or "", 0)
    day = int(parts.get("day") or 0) or _DAYS_IN_WORDS.get(parts.get("spelled") or "", 0)
    if parts.get("day") or day:
        return _day(year, month, day)
    if "month" in parts or "name" in parts:
        return f"{year}-{month:02}" if 1 <= month <= 12 else None
    return str(year)


def _ambiguous(year: int, one: int, two: int, habit: Habit) -> str | None:
    day_first = DAY_FIRST if habit.day_first is None else habit.day_first
    day, month = (one, two) if day_first else (two, one)
    return _day(year, month, day) or _day(year, day, month)


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:  # the calendar has no such day
        return None


def _long_year(short: str) -> int:
    return int(short) + (2000 if int(short) <= _LAST_OF_2000S else 1900)
