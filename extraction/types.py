"""The values that travel through an extraction."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from indexing.types import Page, PageBox

Option = str | int | float | bool
"""One of the values that a select field may have; it is returned as it was given."""

Value = Option | list[Option]
"""A value as a tool run returns it: a list for `multi_select`, a number for the three kinds of
numbers, an ISO 8601 text for `date`, else a text.
"""


class FieldType(StrEnum):
    """What kind of value a field has, in the specification's words."""

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


SELECT_TYPES = frozenset({FieldType.SINGLE_SELECT, FieldType.MULTI_SELECT})


@dataclass(frozen=True, slots=True)
class RequestedField:
    """A field that somebody wants to know; its name and description are data, never code."""

    name: str
    description: str
    type: FieldType
    options: tuple[Option, ...] = ()  # of the select types, else empty


@dataclass(frozen=True, slots=True)
class SourcePages:
    """Those pages of a data source that an extraction may look at."""

    data_source_id: str
    file_name: str
    pages: Sequence[Page]


@dataclass(frozen=True, slots=True)
class Habit:
    """How a document writes what can be read in two ways; None where it does not show it."""

    day_first: bool | None = None  # 05/06/2024 is in June
    decimal_comma: bool | None = None  # 1.234 is above a thousand
    currency: str | None = None  # ISO 4217; what "$", "kr" and the like stand for


@dataclass(frozen=True, slots=True)
class Found:
    """A value as a text has it: between which characters, and what it is."""

    start: int
    end: int
    value: Option


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a value stands."""

    data_source_id: str
    file_name: str
    page_number: int  # 1-based, or NO_PAGE
    text: str  # the passage, word for word as it is on the page
    box: PageBox | None = None  # around the value, where the page has places


@dataclass(frozen=True, slots=True)
class ExtractedField:
    """What was found for a field; a value that the documents do not hold is None."""

    field: RequestedField
    value: Value | None
    confidence: float  # 0 to 1
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""  # why this value and no other, in a sentence
