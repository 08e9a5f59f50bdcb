"""The eleven types of fields, and annotations for those that Python's own types do not tell apart.

A marker makes clear what a text or number is: `Annotated[Decimal, FieldType.CURRENCY]`. The names
below are the usual ones, ready made.
"""

from enum import StrEnum
from typing import Annotated


class FieldType(StrEnum):
    """What kind of value a field has, in the words of the service."""

    TEXT = "text"
    ID_ALPHANUMERIC = "id_alphanumeric"
    VERBATIM = "verbatim"
    NUMBER = "number"
    PERCENTAGE = "percentage"
    CURRENCY = "currency"
    CURRENCY_SYMBOL = "currency_symbol"
    DATE = "date"
    SINGLE_SELECT = "single_select"
    MULTI_SELECT = "multi_select"
    URL = "url"


IdAlphanumeric = Annotated[str, FieldType.ID_ALPHANUMERIC]
"""A number or code such as `INV-2024/001`."""

Verbatim = Annotated[str, FieldType.VERBATIM]
"""A passage, letter for letter."""

Percentage = Annotated[float, FieldType.PERCENTAGE]
"""12.5 for "12.5 %"."""

Currency = Annotated[float, FieldType.CURRENCY]
"""An amount of money."""

CurrencySymbol = Annotated[str, FieldType.CURRENCY_SYMBOL]
"""A currency, as its code of ISO 4217."""
