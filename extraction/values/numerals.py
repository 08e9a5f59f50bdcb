"""Read a number in digits, with the separators of any country."""

import re
from decimal import Decimal

from extraction.types import Habit
from extraction.values.writing import NARROW_SPACE

LONGEST_NUMERAL = 40
"""Characters; what is longer is no quantity."""

_DIGITS = r"\d+(?:[.,]\d+)*|(?<![\w.,)])\.\d+"
# 5.- and 5,-- are whole amounts.
_NO_CENTS = r"(?:[.,]-{1,2}(?![\w-]))?"
_PAID = r"(?:(?<=[$€£¥₹R])|(?<=[$€£¥₹R][ ])|(?<=\b(?:CHF|EUR|USD|ZAR|SEK|NOK)[ ]))"
_WESTERN = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*")
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}")


def numeral_pattern(habit: Habit) -> str:
    """Return the pattern of a number without its sign; texts are read as `plain` writes them.

    A plain space may stand between thousands, or between two columns of a table. It is taken for
    a part of the number unless the document writes a decimal point, and then behind a currency.
    """
    narrow = f"['{NARROW_SPACE}]"
    gap = narrow if habit.decimal_comma is False else f"['{NARROW_SPACE} ]"
    return (
        rf"(?:{_grouped(narrow)}(?:\.\d+)?(?![.,]?\d)|{_PAID}{_grouped(' ')}\.\d\d(?!\d)"
        rf"|{_grouped(gap)}(?:,\d+)?(?![.,]?\d)|{_DIGITS}){_NO_CENTS}"
    )


def read_numeral(written: str, habit: Habit) -> Decimal | None:
    """Return the number that the digits and separators stand for; None where they are no number.

    One separator with three digits behind it is ambiguous. The document's habit decides; without
    one it is read as in English: 1,234 is above a thousand, 1.234 a little above one.
    """
    if len(written) > LONGEST_NUMERAL:
        return None
    digits = re.sub(rf"[' {NARROW_SPACE}]", "", written.rstrip("-").rstrip(".,"))
    point, comma = digits.rfind("."), digits.rfind(",")
    if point < 0 and comma < 0:
        return Decimal(digits) if digits else None
    if point >= 0 and comma >= 0:
        return _with_both(digits, decimal="." if point > comma else ",")
    return _with_one(digits, "." if point >= 0 else ",", habit)


def _with_both(digits: str, decimal: str) -> Decimal | None:
    whole, _, fraction = digits.rpartition(decimal)
    return _joined(whole, fraction) if decimal not in whole and _is_grouped(whole) else None


def _with_one(digits: str, separator: str, habit: Habit) -> Decimal | None:
    if digits.count(separator) > 1:
        return _joined(digits, "") if _is_grouped(digits) else None
    whole, _, fraction = digits.partition(separator)
    groups = len(fraction) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0")
    if groups and (separator == ".") == bool(habit.decimal_comma):
        return _joined(digits, "")
    return _joined(whole, fraction)


def _is_grouped(whole: str) -> bool:
    return bool(_WESTERN.fullmatch(whole) or _INDIAN.fullmatch(whole))


def _joined(whole: str, fraction: str) -> Decimal:
    return Decimal(f"{re.sub('[.,]', '', whole) or '0'}.{fraction or '0'}")


def _grouped(gap: str) -> str:
    return rf"\d{{1,3}}(?>(?:{gap}\d{{3}}(?!\d))+)"
