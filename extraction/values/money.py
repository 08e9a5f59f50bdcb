"""Find amounts of money, whatever their currency."""

import re
from collections.abc import Iterator
from dataclasses import replace

from extraction.types import Found, Habit, RequestedField
from extraction.values import numbers
from extraction.values.currencies import Mark, marks_of
from extraction.values.numbers import json_number, only_number
from extraction.values.quantities import Quantity, number, quantities, with_sign
from extraction.values.writing import as_one_value, plain

_CENTS = re.compile(r".*\d[.,]\d\d")
_OTHER_UNIT = re.compile(r"[ \u00a0]?(?:%|‰|(?:kg|g|lbs?|km|cm|mm|kwh)\b)", re.IGNORECASE)
_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")
_MAGNITUDE = re.compile(r"[mMbB](?!\w)")
_MAGNITUDES = {"m": 10**6, "b": 10**9}
_BEHIND_A_MARK = re.compile(r"\.?[ \u00a0]?[-(]?")
_BEFORE_A_MARK = re.compile(r"[.,]?\)?[ \u00a0]?")
_MOST_BETWEEN = 3  # characters between a number and its mark


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the amounts of a text: numbers beside a currency, and those with two decimals.

    The latter because the total of a receipt often stands there without a currency.
    """
    return list(_amounts(plain(text), habit))


def normalise(raw: object, field: RequestedField, habit: Habit) -> int | float | None:
    """Return the amount that was meant, where one alone was."""
    if not isinstance(raw, str):
        return json_number(raw)
    values = {found.value for found in find(as_one_value(raw), field, habit)}
    return only_number(values) if values else numbers.normalise(raw, field, habit)


def _amounts(text: str, habit: Habit) -> Iterator[Found]:
    marks = list(marks_of(text))
    before, behind = {mark.end: mark for mark in marks}, {mark.start: mark for mark in marks}
    for quantity in quantities(text, habit):
        first, last = _mark_before(text, quantity, before), _mark_behind(text, quantity, behind)
        if first:
            del before[first.end]
            last = None
        elif last:
            before.pop(last.end, None)
        elif not _looks_like_money(text, quantity):
            continue
        quantity = _in_money(text, quantity, habit) if first or last else quantity
        start = first.start if first else quantity.start
        end = last.end if last else quantity.end
        start, end, value = with_sign(text, quantity, start, end)
        yield Found(start, end, number(value))


def _mark_before(text: str, quantity: Quantity, marks: dict[int, Mark]) -> Mark | None:
    for end in range(quantity.start, quantity.start - _MOST_BETWEEN - 1, -1):
        if end in marks and _BEHIND_A_MARK.fullmatch(text, end, quantity.start):
            return marks[end]
    return None


def _mark_behind(text: str, quantity: Quantity, marks: dict[int, Mark]) -> Mark | None:
    for start in range(quantity.end, quantity.end + _MOST_BETWEEN + 1):
        if start in marks and _BEFORE_A_MARK.fullmatch(text, quantity.end, start):
            # In "5 $6" the dollars belong to the six.
            return None if text[marks[start].end : marks[start].end + 1].isdigit() else marks[start]
    return None


def _looks_like_money(text: str, quantity: Quantity) -> bool:
    return bool(_CENTS.fullmatch(quantity.digits)) and not _OTHER_UNIT.match(text, quantity.end)


def _in_money(text: str, quantity: Quantity, habit: Habit) -> Quantity:
    """Return the quantity as it is read beside a currency.

    Amounts have two decimal places, so 1.234 is above a thousand unless the document says
    otherwise; and a letter stands for millions.
    """
    if habit.decimal_comma is None and _THOUSANDS.fullmatch(quantity.digits):
        quantity = replace(quantity, size=quantity.size * 1000)
    if letter := _MAGNITUDE.match(text, quantity.end):
        size = quantity.size * _MAGNITUDES[letter.group().lower()]
        quantity = replace(quantity, end=letter.end(), size=size)
    return quantity
