"""Write the numbers of a sheet as they are shown: 0.125 as 12.5%, or 5 as 5 kg.

Only what changes a number's meaning is taken from its format: unit, currency, scale, leading zeros,
and what parts the digits of a number that is a name. Digits are neither rounded nor grouped, so
that the value can be found and compared.

Format codes: ECMA-376 part 1, 18.8.30.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from indexing.partition.sheets.digit_patterns import DigitPattern, parse_digit_pattern
from indexing.partition.sheets.format_codes import Token, literal_text, sections, tokens
from indexing.partition.sheets.worded_numbers import NumberWords, parse_number_words

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

MAX_UNIT_CHARACTERS = 32
"""Longer texts or rows of zeros around a number are left out: each cell would repeat them."""

LARGEST_EXACT = 2**53
"""Beyond it, not all whole numbers can be held."""

SMALLEST_IN_FULL = 1e-10
"""Sheets show what is smaller, as nobody would write its zeros, as 1.5E-12."""

_CONDITION = re.compile(r"\[[<>=]{1,2}-?[\d.]+\]")
_SCALING = re.compile(r",+(?=\.|$)")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What stands around a number, and how its digits differ from those of the value."""

    before: str = ""
    after: str = ""
    scale: float = 1.0  # what is shown by what is stored
    whole_digits: int = 1  # at least so many before the point

    def shown(self, value: float) -> str:
        """Write a number as it is shown, with all its digits."""
        number = number_text(abs(value) * self.scale)
        whole, point, rest = number.partition(".")
        if whole.isdecimal():
            number = whole.zfill(self.whole_digits) + point + rest
        sign = "-" if value < 0 else ""
        # -$5, but USD -5.
        is_word = self.before.rstrip()[-1:].isalnum()
        front = f"{self.before}{sign}" if is_word else f"{sign}{self.before}"
        return f"{front}{number}{self.after}"


CellFormat = NumberFormat | DigitPattern | NumberWords


def parse_number_format(code: str) -> CellFormat | None:
    """Return what a format code shows beside the number, None where that is nothing.

    What only some of its sections show, such as arrows up and down, is left out. None, too, for
    what is no plain number, dates and fractions, and where sections differ in their scale.
    """
    if other := parse_digit_pattern(code) or parse_number_words(code):
        return other
    # Without a condition, the third section is for zero.
    parts = sections(code)[: 3 if _CONDITION.search(code) else 2]
    found = [_parse_section(part) for part in parts if not _is_text(part)]
    formats = [one for one in found if one is not None]
    common = _common(formats) if formats and len(formats) == len(found) else None
    return None if common == NumberFormat() else common


def number_text(value: float) -> str:
    """Write a number as a person would type it, without its format."""
    if float(value).is_integer() and abs(value) <= LARGEST_EXACT:
        return str(int(value))
    # Fifteen digits are what a sheet shows; a float has two more of noise.
    text = format(value, ".15g")
    if "e" not in text:
        return text
    return f"{Decimal(text):f}" if abs(value) >= SMALLEST_IN_FULL else text.upper()


def shown(value: float, cell_format: CellFormat | None) -> str:
    """Write a number as its format shows it."""
    text = None if cell_format is None else cell_format.shown(value)
    return number_text(value) if text is None else text


def _common(formats: Sequence[NumberFormat]) -> NumberFormat | None:
    """Return what all of them show, None where each shows another multiple of the number."""
    first = formats[0]
    if all(one == first for one in formats):
        return first
    is_percentage = all("%" in one.after for one in formats)
    if {one.scale for one in formats} != {100.0 if is_percentage else 1.0}:
        return None
    before = first.before if all(one.before == first.before for one in formats) else ""
    after = "%" if is_percentage else ""
    if all(one.after == first.after for one in formats):
        after = first.after
    return NumberFormat(before, after, first.scale, min(one.whole_digits for one in formats))


def _is_text(section: str) -> bool:
    """Tell whether a section shows a text in the number's place."""
    return all(
        token is not None and token["bracket"] is None and not token["places"]
        for token in _tokens(section)
    )


def _tokens(section: str) -> Iterator[Token | None]:
    """Yield what a section consists of but for its condition, which the number fulfils."""
    return (one for one in tokens(section) if one is None or not _CONDITION.fullmatch(one[0]))


def _parse_section(section: str) -> NumberFormat | None:
    before, places, after = "", "", ""
    scale = 1.0
    for token in _tokens(section):
        if token is None or token["bracket"] is not None:
            return None
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
    before, after = _before(before, places), after.rstrip()
    zeros = re.match(r"0*(?=\.|$)", places)
    whole_digits = max(1, len(zeros[0])) if zeros else 1
    if not places or len(before + after) + whole_digits > MAX_UNIT_CHARACTERS:
        return None
    thousands = sum(map(len, _SCALING.findall(places)))
    return NumberFormat(before, after, scale * 0.001**thousands, whole_digits)


def _before(text: str, places: str) -> str:
    """Return what stands before the digits, a word with a space behind it.

    As Q3 or FY2024 a name is shown; an amount is set off from its currency however it is shown, and
    a number from what is short for a word, such as No. 12, as it is shown.
    """
    is_name = text[-1:].isalnum() and set(places) <= set("0#")
    is_set_off = text.endswith(". ")
    text = text.strip()
    return f"{text} " if is_set_off or (text[-1:].isalnum() and not is_name) else text


def _text(token: Token) -> str:
    """Return what a token shows; signs, also brackets as such, are not of the unit."""
    text = literal_text(token)
    bare = text.strip("()+-")
    is_unit = token["currency"] or (token["quoted"] and bare.strip())
    return text if is_unit else bare
