"""Numbers of which both the value and the displayed text are known, but no format code.

As with codes (`number_formats.py`), unit, percentage, leading zeros and what parts the digits of a
number that is a name are taken over; digits are neither rounded nor grouped.
"""

import re
from decimal import ROUND_HALF_UP, Context, Decimal

from indexing.partition.sheets.number_formats import MAX_UNIT_CHARACTERS, NumberFormat, number_text

GROUPED_DIGITS = 3
_DIGITS_ENOUGH = Context(prec=400)  # for the largest float, with its decimals

_GAP = r"[.,'’\s]"
_LIMIT = re.compile("[<>≤≥].*%")  # as in "< 0.1 %", which may show no value
_SIGNS = "()+-−▲▼△▽↑↓ "  # also brackets as such; they are not of the unit
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
    scale = _scale(plain, number[2], _scales(displayed))
    if scale is None:
        return plain
    before, after = (part.strip(_SIGNS) for part in (number[1], number[3]))
    is_name = number[1][-1:].isalnum() and number[2].isdecimal()  # as Q3 or FY2024
    if before and (number[1][-1].isspace() or (before[-1].isalnum() and not is_name)):
        before += " "
    if after and number[3][0].isspace():
        after = f" {after}"
    whole_digits = len(digits) if number[2].isdecimal() else 1
    return NumberFormat(before, after, scale, whole_digits).shown(value)


def _scales(displayed: str) -> tuple[int, ...]:
    """Return what the value may have been multiplied by; a percent sign may be a text as well."""
    if "%" not in displayed:
        return (1,)
    return (100,) if _LIMIT.search(displayed) else (100, 1)


def _scale(plain: str, displayed: str, scales: tuple[int, ...]) -> float | None:
    """Return what a value is displayed as a multiple of, None if these are not its digits."""
    digits = re.sub(r"\D", "", displayed)
    behind_sign = re.search(r"[.,]([^.,]*)$", displayed)
    decimals = len(re.sub(r"\D", "", behind_sign[1])) if behind_sign else 0
    # Three digits are decimals, or thousands that are set off.
    places = (decimals, 0) if decimals == GROUPED_DIGITS else (decimals,)
    for scale in scales:
        scaled = str(Decimal(plain) * scale)
        if any(_same(digits, _rounded(scaled, count)) for count in places):
            return float(scale)
    return None


def _same(digits: str, number: str) -> bool:
    """Tell whether a number has these digits, in whatever form and with zeros before them."""
    return digits.lstrip("0") == re.sub(r"\D", "", number).lstrip("0")


def _rounded(number: str, decimals: int) -> str:
    """Round as spreadsheets do: 3.25 to 3.3, which as a float would become 3.2."""
    exponent = Decimal(1).scaleb(-decimals)
    return f"{Decimal(number).quantize(exponent, ROUND_HALF_UP, _DIGITS_ENOUGH):f}"
