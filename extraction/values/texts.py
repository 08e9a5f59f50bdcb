"""Texts in the document's words: free ones, and those kept character for character."""

import re
import unicodedata

from extraction.types import Found, Habit, RequestedField

LONGEST_TEXT = 5_000
"""Characters of a text; what goes on is cut off between words."""

_LINE = re.compile(r"\S(?:[^\n]*\S)?")
# What models write where they mean that there is nothing.
_NOTHING = frozenset(
    {"null", "none", "n/a", "not found", "not specified", "not available", "not mentioned"}
    | {"not stated", "not provided", "not applicable", "-", "--", "—", "?"}
)


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the lines of a text."""
    return [Found(*match.span(), match.group()) for match in _LINE.finditer(text)]


def normalise(raw: object, field: RequestedField, habit: Habit) -> str | None:
    """Return the text on one line; None where the words say that there is none."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    text = " ".join("".join(map(_readable, str(raw))).split())
    if len(text) > LONGEST_TEXT:
        text = text[: LONGEST_TEXT + 1].rpartition(" ")[0] or text[:LONGEST_TEXT]
    return text if text and text.lower() not in _NOTHING else None


def normalise_verbatim(raw: object, field: RequestedField, habit: Habit) -> str | None:
    """Return the passage untouched; whether it stands so in a document is for grounding to see."""
    return raw if isinstance(raw, str) and raw.strip() and _is_storable(raw) else None


def _readable(character: str) -> str:
    """Return the character; a space for one that controls, nothing for half of a pair."""
    if character.isprintable():
        return character
    return "" if unicodedata.category(character) == "Cs" else " "


def _is_storable(text: str) -> bool:
    """Tell whether a database takes the text: no NUL, no half of a pair."""
    return "\0" not in text and not re.search("[\ud800-\udfff]", text)
