"""Find numbers, and turn what was said into one."""

import math
from collections.abc import Collection
from decimal import Decimal

from extraction.types import Found, Habit, RequestedField
from extraction.values.quantities import number, quantities, with_sign
from extraction.values.writing import as_one_value, plain


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the numbers of a text: in digits, in English words, as fractions, in millions."""
    text = plain(text)
    signed = (with_sign(text, one, one.start, one.end) for one in quantities(text, habit))
    return [Found(start, end, number(value)) for start, end, value in signed]


def normalise(raw: object, field: RequestedField, habit: Habit) -> int | float | None:
    """Return the number that was meant, where one alone was."""
    if isinstance(raw, str):
        values = {found.value for found in find(as_one_value(raw), field, habit)}
        return only_number(values)
    return json_number(raw)


def json_number(raw: object) -> int | float | None:
    """Return a number that came as one, if it is finite; neither true nor false is a number."""
    if isinstance(raw, bool) or not isinstance(raw, int | float | Decimal):
        return None
    if not math.isfinite(raw):
        return None
    return number(Decimal(str(raw)))


def only_number(values: Collection[object]) -> int | float | None:
    """Return the one number of a set; None where there are several, or none."""
    return json_number(*values) if len(values) == 1 else None
