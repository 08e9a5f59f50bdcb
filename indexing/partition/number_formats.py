"""Write the numbers of a sheet as they are shown: 0.125 as 12.5%, or 5 as 5 kg.

Only what changes a number's meaning is taken from its format: unit, currency, scale and leading
zeros. Digits are neither rounded nor grouped, so that the value can be found and compared.

Format codes: ECMA-376 part 1, 18.8.30 (number formats) and 18.8.31 (what a code consists of).
"""

import re
from dataclasses import dataclass

BUILT_IN = {
    5: '"$"#,##0',
    6: '"$"#,##0',
    7: '"$"#,##0.00',
    8: '"$"#,##0.00',
    9: "0%",
    10: "0.00%",
    42: '_("$"* #,##0_)',
    44: '_("$"* #,##0.00_)',
}
"""The codes that files name by number only and that show a unit."""

MAX_CODE_CHARACTERS = 255
"""What Excel takes; a longer one is not looked at."""

MAX_UNIT_CHARACTERS = 32
"""Longer texts or rows of zeros around a number are left out: each cell would repeat them."""

_TOKEN = re.compile(
    r"""
    "(?P<quoted>[^"]*)"             # a text
    | \\(?P<escaped>.)              # a character of it
    | [_*].                         # room as wide as a character, or filled with it
    | \[\$(?P<currency>[^\]-]*)[^\]]*\]
    | \[(?P<bracket>[^\]]*)\]       # a colour, a condition or an elapsed time
    | (?P<places>general|[0#?.,]+)
    | (?P<literal>[^\w@/\\"\[])     # all but the letters of dates, texts and fractions
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_COLOUR = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|color\s*\d+", re.IGNORECASE)
_SECTION = re.compile(r'(?:"[^"]*"|\\.|[^;"\\])+')
_SCALING = re.compile(r",+(?=\.|$)")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What stands around a number, and how its digits differ from those of the value."""

    before: str = ""
    after: str = ""
    scale: float = 1.0  # what is shown by what is stored
    whole_digits: int = 1  # at least so many before the point


def parse_number_format(code: str) -> NumberFormat | None:
    """Return what a format code shows beside the number, None where that is nothing.

    None, too, for what is no plain number: dates, fractions, conditions, and texts that differ
    between positive and negative numbers or part the digits.
    """
    if len(code) > MAX_CODE_CHARACTERS:
        return None
    sections = [_parse_section(section) for section in _SECTION.findall(code)[:2]]
    if not sections or any(section != sections[0] for section in sections):
        return None
    found = sections[0]
    return None if found in (None, NumberFormat()) else found


def number_text(value: float) -> str:
    """Write a number as a person would type it, without its format."""
    # Fifteen digits are what a sheet shows; a float has two more of noise.
    return str(int(value)) if float(value).is_integer() else format(value, ".15g")


def shown(value: float, number_format: NumberFormat) -> str:
    """Write a number as its format shows it, with all its digits."""
    number = number_text(abs(value) * number_format.scale)
    whole, point, rest = number.partition(".")
    if whole.isdecimal():
        number = whole.zfill(number_format.whole_digits) + point + rest
    sign = "-" if value < 0 else ""
    before = number_format.before
    # -$5, but USD -5.
    front = f"{before} {sign}" if before[-1:].isalnum() else f"{sign}{before}"
    return f"{front}{number}{number_format.after}"


def _parse_section(section: str) -> NumberFormat | None:
    before, places, after = "", "", ""
    scale = 1.0
    at = 0
    while at < len(section):
        token = _TOKEN.match(section, at)
        if token is None or _is_condition(token["bracket"]):
            return None
        at = token.end()
        if token["literal"] == "%":
            scale = 100.0
        if token["places"]:
            if after.strip():
                return None
            places, after = places + token["places"], ""
        elif places:
            after += _text(token)
        else:
            before += _text(token)
    before, after = before.strip(), after.rstrip()
    zeros = re.match(r"0*(?=\.|$)", places)
    whole_digits = max(1, len(zeros[0])) if zeros else 1
    if not places or len(before + after) + whole_digits > MAX_UNIT_CHARACTERS:
        return None
    thousands = sum(map(len, _SCALING.findall(places)))
    return NumberFormat(before, after, scale * 0.001**thousands, whole_digits)


def _is_condition(bracket: str | None) -> bool:
    return bracket is not None and _COLOUR.fullmatch(bracket) is None


def _text(token: re.Match[str]) -> str:
    """Return what a token shows; signs, also brackets as such, are not of the unit."""
    sign = (token["escaped"] or token["literal"] or "").strip("()+-")
    return token["quoted"] or token["currency"] or sign
