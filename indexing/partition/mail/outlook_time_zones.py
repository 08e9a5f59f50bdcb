"""Tell the local times of appointments by the zones that Outlook keeps with them ([MS-OXOCAL]).

It writes the rules of a zone out, because those of a computer change: how far it is from UTC, and
when its summer begins and ends.
"""

import datetime
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from indexing.partition.text import clean_line

_DEFINITION = struct.Struct("<BxHxxH")  # version, size of the head, letters of the name
_COUNT = struct.Struct("<H")
# Year; minutes that UTC is ahead, further ones in winter and in summer; when these begin.
_RULE = struct.Struct("<6xH14x3i16s16s")
_ONLY_RULE = struct.Struct("<3i2x16s2x16s")
_MOMENT = struct.Struct("<8H")

_VERSION = 2
_SIZE_COUNTS_FROM = 4
_MOST_MINUTES = 24 * 60
_MONTHS = 12
_WEEKDAYS = range(7)  # from Sunday
_WEEKS = range(1, 6)  # the fifth is the last one
# It stands before the names of places, and is that of winter in summer too.
_DISTANCE = re.compile(r"\((?:UTC|GMT)[^)]*\)\s*")
# Begins the names of those that users have made.
_NO_NAME = "tzone:"


@dataclass(frozen=True, slots=True)
class _Switch:
    """When winter or summer begins, in the time of the other: "last Sunday of March, 2:00"."""

    month: int
    weekday: int  # from Monday, 0
    week: int
    time: datetime.timedelta

    def in_year(self, year: int) -> datetime.datetime:
        """Return the moment as if it were of UTC."""
        first = datetime.datetime(year, self.month, 1, tzinfo=datetime.UTC)
        days = (self.weekday - first.weekday()) % 7
        weeks = [first + datetime.timedelta(days=days + 7 * n) for n in range(self.week)]
        return max(day for day in weeks if day.month == self.month) + self.time


@dataclass(frozen=True, slots=True)
class _Rule:
    """How far a zone is ahead of UTC from some year on."""

    year: int
    winter: datetime.timedelta
    summer: datetime.timedelta
    summer_begins: _Switch | None
    winter_begins: _Switch | None

    def ahead(self, moment: datetime.datetime) -> datetime.timedelta:
        """Return how far the zone is ahead at the moment, of UTC."""
        if self.summer_begins is None or self.winter_begins is None:
            return self.winter
        year = (moment + self.winter).year
        begin = self.summer_begins.in_year(year) - self.winter
        end = self.winter_begins.in_year(year) - self.summer
        is_summer = begin <= moment < end if begin < end else not end <= moment < begin
        return self.summer if is_summer else self.winter


@dataclass(frozen=True, slots=True)
class TimeZone:
    """A time zone, by its name and its rules in the order of their years."""

    name: str
    rules: tuple[_Rule, ...]

    def shown(self, moment: datetime.datetime) -> str:
        """Write a moment of UTC in the time of the zone.

        Raises:
            OverflowError: its year is none of ours.
        """
        rule = next((one for one in reversed(self.rules) if one.year <= moment.year), self.rules[0])
        ahead = rule.ahead(moment)
        minutes = round(ahead.total_seconds() / 60)
        distance = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
        from_utc = f"UTC{distance}" if minutes else "UTC"
        zone = f"{self.name} ({from_utc})" if self.name not in ("", from_utc) else from_utc
        return f"{moment + ahead:%Y-%m-%d %H:%M} {zone}"


UTC = TimeZone("", (_Rule(0, datetime.timedelta(), datetime.timedelta(), None, None),))


def zone_of_definition(definition: bytes) -> TimeZone | None:
    """Read a zone with the rules of several years (2.2.1.41); None if it is none."""
    if len(definition) < _DEFINITION.size:
        return None
    version, size, letters = _DEFINITION.unpack_from(definition)
    at = _DEFINITION.size + 2 * letters
    begin = at + _COUNT.size
    if version != _VERSION or size + _SIZE_COUNTS_FROM != begin or begin > len(definition):
        return None
    (count,) = _COUNT.unpack_from(definition, at)
    rules = definition[begin : begin + count * _RULE.size]
    if len(rules) < count * _RULE.size:
        return None
    name = definition[_DEFINITION.size : at].decode("utf-16-le", "replace")
    found = [_rule(*values) for values in _RULE.iter_unpack(rules)]
    return _zone("" if name.startswith(_NO_NAME) else name, found)


def zone_of_structure(structure: bytes, description: str) -> TimeZone | None:
    """Read a zone of one rule (2.2.1.39), which its places describe; None if it is none."""
    if len(structure) != _ONLY_RULE.size:
        return None
    return _zone(_DISTANCE.sub("", description), [_rule(0, *_ONLY_RULE.unpack(structure))])


def _zone(name: str, rules: Sequence[_Rule | None]) -> TimeZone | None:
    known = tuple(rule for rule in rules if rule is not None)
    if not known or len(known) < len(rules):
        return None
    return TimeZone(clean_line(name), tuple(sorted(known, key=lambda rule: rule.year)))


def _rule(*values: Any) -> _Rule | None:
    """Return the rule: its year, its three numbers of minutes, and the two moments."""
    year, behind, in_winter, in_summer, winter_begins, summer_begins = values
    if max(map(abs, (behind, behind + in_winter, behind + in_summer))) > _MOST_MINUTES:
        return None
    try:
        begins = _switch(summer_begins), _switch(winter_begins)
    except ValueError:
        return None
    winter, summer = (datetime.timedelta(minutes=-behind - one) for one in (in_winter, in_summer))
    return _Rule(year, winter, summer, *begins)


def _switch(moment: bytes) -> _Switch | None:
    """Read when a half of the year begins, None if it never does.

    Raises:
        ValueError: it is no such moment, or a date of one year.
    """
    year, month, weekday, week, hour, minute, *_ = _MOMENT.unpack(moment)
    if month == 0:
        return None
    time = datetime.time(hour, minute)
    if year or month > _MONTHS or weekday not in _WEEKDAYS or week not in _WEEKS:
        raise ValueError("it is no day of every year")
    since_midnight = datetime.timedelta(hours=time.hour, minutes=time.minute)
    return _Switch(month, (weekday - 1) % len(_WEEKDAYS), week, since_midnight)
