"""Numbers of which both the value and the displayed text are known, but no format code.

As with codes (`number_formats.py`), unit, leading zeros and what parts the digits of a number that
is a name are taken over; digits are neither rounded nor grouped.
"""

import re
from decimal import ROUND_HALF_UP, Context, Decimal

from indexing.partition.number_formats import MAX_UNIT_CHARACTERS, NumberFormat, number_text

MOST_DECIMALS = 15
_DIGITS_ENOUGH = Context(prec=400)  # for the largest float, with its decimals

_GAP = r"[.,'’\s]"
_SIGNS = "()+-− "  # also brackets as such; they are not of the unit
_NUMBER = re.compile(rf"(\D*?)(?:[+-]\s?)?([.,]?\d(?:{_GAP}?\d)*)(\D*)")


def as_displayed(value: float, displayed: str) -> str:
    """Write a number with what is displayed around its digits.

    By its value alone where the text shows other digits than those: scaled, as a date, a fraction.
    """
    plain = number_text(value)
    if value in (0, 1) and displayed.isalpha():
        return displayed  # A formula's TRUE or FALSE is such a number.
    digits = re.sub(r"\D", "", displayed)
    if displayed == plain or len(displayed) > 2 * MAX_UNIT_CHARACTERS or not digits.isascii():
        return plain
    number = _NUMBER.fullmatch(displayed)
    if number is None:
        # Its digits are parted by more than what groups them.
        return displayed if _same(digits, plain) else plain
    if not any(_same(digits, _rounded(plain, count)) for count in range(MOST_DECIMALS + 1)):
        return plain
    before, after = (part.strip(_SIGNS) for part in (number[1], number[3]))
    is_name = number[1][-1:].isalnum() and number[2].isdecimal()  # as Q3 or FY2024
    if before and (number[1][-1].isspace() or (before[-1].isalnum() and not is_name)):
        before += " "
    if after and number[3][0].isspace():
        after = f" {after}"
    whole_digits = len(digits) if number[2].isdecimal() else 1
    return NumberFormat(before, after, whole_digits=whole_digits).shown(value)


def _same(digits: str, number: str) -> bool:
    """Tell whether a number has these digits, in whatever form and with zeros before them."""
    return digits.lstrip("0") == re.sub(r"\D", "", number).lstrip("0")


def _rounded(number: str, decimals: int) -> str:
    """Round as spreadsheets do: 3.25 to 3.3, which as a float would become 3.2."""
    exponent = Decimal(1).scaleb(-decimals)
    return f"{Decimal(number).quantize(exponent, ROUND_HALF_UP, _DIGITS_ENOUGH):f}"
