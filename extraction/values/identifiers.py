"""Find identifiers: numbers of invoices and accounts, tax numbers, codes."""

import re

from extraction.types import Found, Habit, RequestedField
from extraction.values.writing import without_overlaps

LONGEST_IDENTIFIER = 200
"""Characters; what is longer is a text."""

_WORD = re.compile(r"[#№]?\w(?:[\w#@]|[-./_:&+](?=\w))*")
# IBAN, tax numbers and the like are written in groups.
_GROUPS = (
    re.compile(r"\b[A-Z]{2}\d{2}(?:[ \u00a0][A-Z0-9]{4}){2,7}(?:[ \u00a0][A-Z0-9]{1,4})?\b"),
    re.compile(r"\b(?:[A-Z]{2,3}[ \u00a0])?\d{2,4}(?:[ \u00a0]\d{2,5}){2,6}\b(?![.,]\d)"),
    re.compile(r"\b[A-Z]{2,4}[ \u00a0]\d{4,}\b"),
)
_NO_IDENTIFIER = re.compile(
    r"\d{1,3}(?:[.,']\d{3})*[.,]\d{1,2}"  # an amount
    r"|\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}|\d{4}-\d\d-\d\d"  # a date
    r"|\d{1,2}(?::\d\d){1,2}"  # a time
)
_AROUND = " \t\r\n\u00a0.,;:!?\"'“”„«»()[]{}<>*"


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return what could be an identifier: words with a digit, and groups of them."""
    words = [match for match in _WORD.finditer(text) if _is_identifier(match.group())]
    groups = [match for pattern in _GROUPS for match in pattern.finditer(text)]
    return without_overlaps(Found(*match.span(), match.group()) for match in (*groups, *words))


def normalise(raw: object, field: RequestedField, habit: Habit) -> str | None:
    """Return the identifier as it is written, without what stands around it."""
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        return None
    written = " ".join(str(raw).split()).strip(_AROUND)
    return written if written.isprintable() and 0 < len(written) <= LONGEST_IDENTIFIER else None


def _is_identifier(word: str) -> bool:
    return any(map(str.isdecimal, word)) and not _NO_IDENTIFIER.fullmatch(word)
