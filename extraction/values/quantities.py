"""Find the quantities of a text: in digits and words, with fractions, millions and signs."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from extraction.types import Habit
from extraction.values.currencies import is_short_mark
from extraction.values.number_words import FIRST_NUMBER_WORD, NUMBER_WORDS, read_number_words
from extraction.values.numerals import numeral_pattern, read_numeral

_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_MAGNITUDES: dict[str, int] = {
    **dict.fromkeys(("hundred",), 10**2),
    **dict.fromkeys(("k", "thousand", "tsd", "tausend", "duizend", "mila", "тыс"), 10**3),
    **dict.fromkeys(("lakh", "lakhs", "lac", "lacs"), 10**5),
    **dict.fromkeys(("million", "millions", "mn", "mio", "mln", "mill", "millionen"), 10**6),
    **dict.fromkeys(("miljoen", "millones", "millon", "milioni", "milione", "млн"), 10**6),
    **dict.fromkeys(("milhoes", "milhao", "milionow", "miljoner", "millioner"), 10**6),
    **dict.fromkeys(("crore", "crores"), 10**7),
    **dict.fromkeys(("billion", "billions", "bn", "bln", "mrd", "mld", "млрд"), 10**9),
    **dict.fromkeys(("milliarde", "milliarden", "milliard", "milliards", "miljard"), 10**9),
    **dict.fromkeys(("miliardi", "miliardo", "miliardow", "miljarder", "milliarder"), 10**9),
    **dict.fromkeys(("trillion", "trillions", "tn", "billionen", "billones"), 10**12),
    **{"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8},
}
_MAGNITUDE = "|".join(sorted(_MAGNITUDES, key=len, reverse=True))
# Of scripts that put spaces between words.
_LETTER = r"[A-Za-z_\u00c0-\u04ff]"
# 2018-12-25, 07-350-740 and 14:33 are no quantities.
_NONE = r"(?<![\d.,])(?:\d+(?:-\d+){2,}|\d+(?:/\d+){2,}|\d{1,2}(?::\d\d)+)(?!\d)"
_VULGAR = rf"(?:(?P<whole>\d{{1,3}})[ \u00a0-]?)?(?P<vulgar>[{_FRACTIONS}])"
_PROPER = "|".join(
    f"(?:{'|'.join(map(str, range(1, below)))})/{below}" for below in (2, 3, 4, 5, 6, 8, 10, 12, 16)
)
_FRACTION = rf"(?<![\d.,/])(?:(?P<units>\d{{1,3}})[ \u00a0])?(?P<proper>{_PROPER})(?![\d/.,])"
_SPELLED = rf"(?P<words>{NUMBER_WORDS})(?:\s?\((?P<again>\d[\d.,]*)\))?"
_BIG = rf"(?:(?P<magnitude>k|(?<=[ \u00a0\d])(?:{_MAGNITUDE}))(?!\d|{_LETTER})\.?)"
_BEGINS = re.compile(rf"[\d{_FRACTIONS}]|\.(?=\d)|{FIRST_NUMBER_WORD}")
_LETTERS_BEFORE = re.compile(rf"({_LETTER}+)(?:-?\d+)*-?$")
_LETTERS_AND_DIGITS = re.compile(rf"_|{_LETTER}+\d")
_CENTS = re.compile(r"[.,]\d\d$")
_MINUS_BEFORE = re.compile(r"(?<![\w)\]])-(?:[$€£¥₹][ ]?)?$")
_MINUS_BEHIND = re.compile(r"-(?![\w-])")
_DIGIT_BEHIND = re.compile(r"[ ]?\d")
# After these a number in parentheses says the same again.
_SAYS_AGAIN = re.compile(
    r"(?:ty|teen|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|"
    r"illion|dollars?|euros?|pounds?|cents?|rupees|ringgit|percent|per cent|only|/100)[\s,]*$",
    re.IGNORECASE,
)
_CELL_BEGINS = re.compile(r"(?:^|[\n\t|:;)%\d]|[ ]{2})[ \u00a0]*$")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in a text, its sign aside."""

    start: int
    end: int
    size: Decimal
    digits: str  # as written; "" where it is no plain numeral


def quantities(text: str, habit: Habit) -> Iterator[Quantity]:
    """Yield the quantities of a `plain` text, left to right."""
    pattern, position = _quantity_pattern(habit.decimal_comma), 0
    # The whole pattern is tried only where a quantity can begin, which is ten times as fast.
    for start in (begin.start() for begin in _BEGINS.finditer(text.lower())):
        match = pattern.match(text, start) if start >= position else None
        position = match.end() if match else position
        if match and (size := _size_of(match, habit)) is not None:
            size *= _MAGNITUDES[match["magnitude"].lower()] if match["magnitude"] else 1
            yield Quantity(*match.span(), size, match["numeral"] or "")


def with_sign(text: str, quantity: Quantity, start: int, end: int) -> tuple[int, int, Decimal]:
    """Return where a quantity stands with its sign, and its value.

    It stands between `start` and `end` with what belongs to it: a currency, a percent sign. A
    minus is in front of either, or behind an amount; parentheses are a minus in accounts.
    """
    if text[start : quantity.start].endswith("-"):
        return start, end, -quantity.size
    if minus := _MINUS_BEFORE.search(text, max(0, start - 4), start):
        return minus.start(), end, -quantity.size
    if _MINUS_BEHIND.match(text, end) and re.search(r"\D", quantity.digits):
        return start, end + 1, -quantity.size
    for left, right in ((quantity.start, quantity.end), (start, end)):
        if text[max(0, left - 1) : left] == "(" and text[right : right + 1] == ")":
            inside = left == start and right == end
            negative = not inside or _is_in_accounts(text, quantity, left, right)
            return (
                min(start, left - 1),
                max(end, right + 1),
                -quantity.size if negative else quantity.size,
            )
    return start, end, quantity.size


def number(value: Decimal) -> int | float:
    """Return the value as JSON has it: whole where it is whole."""
    return int(value) if value == value.to_integral_value() else float(value)


@cache
def _quantity_pattern(decimal_comma: bool | None) -> re.Pattern[str]:
    numeral = numeral_pattern(Habit(decimal_comma=decimal_comma))
    return re.compile(
        rf"(?P<none>{_NONE})|(?:{_VULGAR}|{_FRACTION}|(?P<numeral>{numeral})|{_SPELLED})"
        rf"(?:[ \u00a0]?{_BIG})?",
        re.IGNORECASE,
    )


def _is_part_of_a_word(match: re.Match[str]) -> bool:
    text, (start, end) = match.string, match.span()
    letters = _LETTERS_BEFORE.search(text, max(0, start - 16), start)
    if letters and not is_short_mark(letters[1]) and not _CENTS.search(match.group()):
        return True
    return bool(_LETTERS_AND_DIGITS.match(text, end))


def _size_of(match: re.Match[str], habit: Habit) -> Decimal | None:
    return None if match["none"] or _is_part_of_a_word(match) else _size(match, habit)


def _size(match: re.Match[str], habit: Habit) -> Decimal | None:
    if match["vulgar"]:
        return Decimal(match["whole"] or 0) + _decimal(unicodedata.numeric(match["vulgar"]))
    if match["proper"]:
        above, _, below = match["proper"].partition("/")
        return Decimal(match["units"] or 0) + _decimal(int(above) / int(below))
    if match["words"]:
        size = read_number_words(match["words"].lower())
        return read_numeral(match["again"], habit) if size is None and match["again"] else size
    return read_numeral(match["numeral"], habit)


def _decimal(fraction: float) -> Decimal:
    """Return the fraction to as many places as anyone writes: a third has no last one."""
    return Decimal(str(round(fraction, 6)))


def _is_in_accounts(text: str, quantity: Quantity, start: int, end: int) -> bool:
    """Tell whether parentheses around a quantity mean that it is negative.

    In a column of numbers they do. In a sentence they hold what was just said in words, a year,
    or a number of a list.
    """
    before = text[max(0, start - 24) : start - 1]
    if _SAYS_AGAIN.search(before):
        return False
    if (start, end) != (quantity.start, quantity.end):
        return bool(_CELL_BEGINS.search(before))
    if _DIGIT_BEHIND.match(text, end + 1) and len(quantity.digits) == 3:
        return False  # the area of a telephone number
    few = len(quantity.digits) < 3 or _YEAR.fullmatch(quantity.digits)
    return not few or (before.strip() == "" and end + 1 == len(text))
