"""Number formats that part the digits: 000-00-0000, or (###) ###-#### for a telephone number.

What such a cell holds is no amount: it is known, and looked for, as it is shown.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from indexing.partition.sheets.format_codes import literal_text, sections, tokens

MAX_PATTERN_CHARACTERS = 32

COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
"""The signs of conditions."""

_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(\d{1,15})\](.*)", re.DOTALL)

_Place = str | None
"""A character that is shown as it is; None for a digit that may be missing, "" for one that may not
and is 0 then."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A pattern, and which numbers are written so."""

    places: tuple[_Place, ...]
    compare: Callable[[float, float], bool] | None = None  # None: those that no other fits
    limit: float = 0

    def fits(self, value: float) -> bool:
        return self.compare is None or self.compare(value, self.limit)


@dataclass(frozen=True, slots=True)
class DigitPattern:
    """How the digits of a whole number are parted; which way, its value may decide."""

    choices: tuple[_Choice, ...]

    def shown(self, value: float) -> str | None:
        """Write a number as it is shown; None if it is not a whole one, or no pattern is its."""
        choice = next((one for one in self.choices if one.fits(value)), None)
        if choice is None or not float(value).is_integer():
            return None
        return ("-" if value < 0 else "") + _filled(choice.places, str(abs(int(value))))


def parse_digit_pattern(code: str) -> DigitPattern | None:
    """Return the pattern that a format code is; None if it does not part digits in each case."""
    choices: list[_Choice] = []
    for section in sections(code)[:3]:
        condition = _CONDITION.fullmatch(section)
        places = _places(condition[3] if condition else section)
        if places is None:
            return None
        if condition:
            choices.append(_Choice(places, COMPARE[condition[1]], float(condition[2])))
        elif choices and choices[-1].compare is None:
            # Without conditions, the second section is for negative numbers.
            if places not in (choices[0].places, ("-", *choices[0].places)):
                return None
        else:
            choices.append(_Choice(places))
    return DigitPattern(tuple(choices)) if choices else None


def _places(section: str) -> tuple[_Place, ...] | None:
    places: list[_Place] = []
    for token in tokens(section):
        if token is None or token["bracket"] or token["literal"] == "%":
            return None
        if token["places"] is None:
            places += literal_text(token)
        elif set(token["places"]) <= set("0#"):
            places += ["" if place == "0" else None for place in token["places"]]
        else:
            return None  # a point, commas, or General
    return tuple(places) if _are_parted(places) else None


def _are_parted(places: list[_Place]) -> bool:
    """Tell whether something stands between the digits; mere gaps group those of an amount."""
    digits = [at for at, place in enumerate(places) if not place]
    if not digits or len(places) > MAX_PATTERN_CHARACTERS:
        return False
    between = places[digits[0] : digits[-1]]
    return any(place and not place.isspace() for place in between)


def _filled(places: tuple[_Place, ...], number: str) -> str:
    """Put the digits into their places, from the right; what is too much stands before them."""
    digits = list(number)
    text: list[str] = []
    first = next(at for at, place in enumerate(places) if not place)
    for at in range(len(places) - 1, -1, -1):
        place = places[at]
        if place:
            text.append(place)
        elif digits:
            text.append(digits.pop())
        elif place == "":
            text.append("0")
        if at == first:
            text += reversed(digits)
    return "".join(reversed(text)).strip()
