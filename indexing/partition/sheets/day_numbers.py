"""Tell the moments and times that sheets hold as numbers, of days since a first one."""

import datetime
import re
from dataclasses import dataclass

from indexing.partition.sheets.format_codes import date_letters

FIRST_DAY, FIRST_DAY_OF_MAC = datetime.datetime(1899, 12, 30), datetime.datetime(1904, 1, 1)
_LAST_DAY = 2_957_003  # of the year 9999, from either
_MILLISECONDS_OF_A_DAY = 86_400_000

# By a name such as en-US: LibreOffice knows languages by their number alone (409).
_NAMED_LANGUAGE = re.compile(r"\[\$-(?![0-9A-F]+\])[^\]]+\]", re.IGNORECASE)

Moment = datetime.datetime | datetime.time | datetime.timedelta


@dataclass(frozen=True, slots=True)
class MomentFormat:
    """A format of moments or times, and the day from which they are counted."""

    code: str
    first_day: datetime.datetime

    def moment_of(self, value: float) -> Moment | float:
        """Return the moment that is shown for a number, or the number."""
        found = moment(value, self.code, self.first_day)
        return value if found is None else found


def in_named_language(code: str) -> bool:
    """Tell whether a format shows moments in a language that it names."""
    return bool(date_letters(code) and _NAMED_LANGUAGE.search(code))


def moment(value: float, code: str, first_day: datetime.datetime = FIRST_DAY) -> Moment | None:
    """Return the moment, time or span of time that a format shows, None where it shows a number."""
    letters = date_letters(code)
    if not letters or not 0 <= value < _LAST_DAY:
        return None
    span = datetime.timedelta(milliseconds=round(value * _MILLISECONDS_OF_A_DAY))
    if any(elapsed in code.lower() for elapsed in ("[h", "[m", "[s")):
        return span
    if value < 1 and letters <= {"h", "m", "s"}:
        return (FIRST_DAY + span).time()
    return first_day + span
