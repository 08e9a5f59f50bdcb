"""What there is to know about each type of field: one table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from extraction.types import FieldType, Found, Habit, RequestedField, Value
from extraction.values import (
    currencies,
    dates,
    identifiers,
    money,
    numbers,
    percentages,
    selects,
    texts,
    urls,
)

Find = Callable[[str, RequestedField, Habit], list[Found]]
"""Return all values of the type in a text, left to right; no two overlap.

Of a `multi_select` each value is one option.
"""

Normalise = Callable[[object, RequestedField, Habit], Value | None]
"""Return the final value of what a model or a person said; None where it is not of the type."""


@dataclass(frozen=True, slots=True)
class FieldKind:
    """What a value of one type is to a model, and how it is read."""

    python_type: type  # of an answer; the options of a select field have types of their own
    hint: str  # for a model: what the answer has to look like
    find: Find
    normalise: Normalise


FIELD_KINDS: Mapping[FieldType, FieldKind] = MappingProxyType(
    {
        FieldType.TEXT: FieldKind(
            str, "a short text in the document's own words", texts.find, texts.normalise
        ),
        FieldType.ID_ALPHANUMERIC: FieldKind(
            str,
            "an identifier, each letter, digit and sign as it is written",
            identifiers.find,
            identifiers.normalise,
        ),
        FieldType.VERBATIM: FieldKind(
            str,
            "the exact passage, copied character for character",
            texts.find,
            texts.normalise_verbatim,
        ),
        FieldType.NUMBER: FieldKind(
            float,
            "a plain number: a point before decimals, no thousands separators, no unit",
            numbers.find,
            numbers.normalise,
        ),
        FieldType.PERCENTAGE: FieldKind(
            float,
            "a percentage as a plain number: 12.5 for 12.5 %, never 0.125",
            percentages.find,
            percentages.normalise,
        ),
        FieldType.CURRENCY: FieldKind(
            float,
            "an amount of money as a plain number: 2500000 for US$ 2.5 million",
            money.find,
            money.normalise,
        ),
        FieldType.CURRENCY_SYMBOL: FieldKind(
            str,
            "the code of a currency by ISO 4217, such as EUR",
            currencies.find,
            currencies.normalise,
        ),
        FieldType.DATE: FieldKind(
            str,
            "a date by ISO 8601, only as precise as the document: 2024-03-05, 2024-03 or 2024",
            dates.find,
            dates.normalise,
        ),
        FieldType.SINGLE_SELECT: FieldKind(
            str, "one of the options, exactly as given", selects.find, selects.normalise_one
        ),
        FieldType.MULTI_SELECT: FieldKind(
            list,
            "those of the options that apply, exactly as given",
            selects.find,
            selects.normalise_many,
        ),
        FieldType.URL: FieldKind(
            str, "the address of a web page, as it is written", urls.find, urls.normalise
        ),
    }
)
