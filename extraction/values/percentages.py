"""Find percentages: 12.5 for "12.5 %"."""

import re
from collections.abc import Iterator
from decimal import Decimal

from extraction.types import Found, Habit, RequestedField
from extraction.values import numbers
from extraction.values.numbers import json_number, only_number
from extraction.values.quantities import number, quantities, with_sign
from extraction.values.writing import as_one_value, plain

_UNITS = re.compile(
    r"[ \u00a0]?(?:"
    r"(?P<percent>%|(?:per[ -]?cent|pct|prozent|v\. ?h\.|pour[ -]?cent|por[ -]?cien(?:to)?|"
    r"por ?cento|per ?cento|procent[a-z]?|proc\.|prosent|prosenttia|yuzde)(?![^\W\d_]))"
    r"|(?P<permille>‰|per ?mille?\b|promille\b)"
    r"|(?P<basis>(?:basis[ -]points?|basispunkte?n?|bps?)\b)"
    r")",
    re.IGNORECASE,
)
_SHARE = {"percent": Decimal(1), "permille": Decimal("0.1"), "basis": Decimal("0.01")}
_SAID_AGAIN = re.compile(r"[ \u00a0]?\((?:[\d.,]+)[ \u00a0]?%\)")


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the percentages of a text; per mille and basis points are parts of one."""
    return list(_percentages(plain(text), habit))


def normalise(raw: object, field: RequestedField, habit: Habit) -> int | float | None:
    """Return the percentage that was meant; a number alone is one already, and stays as it is."""
    if not isinstance(raw, str):
        return json_number(raw)
    values = {found.value for found in find(as_one_value(raw), field, habit)}
    return only_number(values) if values else numbers.normalise(raw, field, habit)


def _percentages(text: str, habit: Habit) -> Iterator[Found]:
    for quantity in quantities(text, habit):
        closing = text[quantity.end : quantity.end + 1] == ")"
        unit = _UNITS.match(text, quantity.end) or (
            _UNITS.match(text, quantity.end + 1) if closing else None
        )
        if unit and unit.lastgroup:
            end = unit.end() if unit.start() == quantity.end else quantity.end
            start, end, value = with_sign(text, quantity, quantity.start, end)
            yield Found(start, max(end, unit.end()), number(value * _SHARE[unit.lastgroup]))
