"""Number formats that show words for numbers: yes for 1, and no for 0."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from indexing.partition.sheets.digit_patterns import COMPARE
from indexing.partition.sheets.format_codes import all_sections, literal_text, tokens

_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d{1,15}(?:\.\d{1,15})?)\](.*)", re.DOTALL)

MIN_WORDS = 2
"""A single one would stand for every number, and tell nothing of it."""

_BY_SIGN = {2: (">=", "<"), 3: (">", "<", "=")}
"""For which numbers, compared with 0, so many sections without conditions are."""


@dataclass(frozen=True, slots=True)
class _Word:
    """What is shown, nothing where it is empty, and for which numbers."""

    text: str
    compare: Callable[[float, float], bool] | None = None  # None: those that no other fits
    limit: float = 0

    def fits(self, value: float) -> bool:
        return self.compare is None or self.compare(value, self.limit)

    def tells(self, value: float) -> bool:
        """Tell whether the word is for this number alone, or for one that stands for a word."""
        return self.compare is operator.eq or (self.limit == 0 and value in (-1, 0, 1))


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The words that are shown for numbers."""

    words: tuple[_Word, ...]

    def shown(self, value: float) -> str | None:
        """Return the word for a number; None if there is none, or it would hide which it is."""
        word = next((one for one in self.words if one.fits(value)), None)
        return word.text or None if word and word.tells(value) else None


def parse_number_words(code: str) -> NumberWords | None:
    """Return the words that a format code consists of; None if it is none of several words."""
    sections = all_sections(code)[:3]
    conditions = [_CONDITION.fullmatch(one) for one in sections]
    parts = zip(sections, conditions, strict=True)
    texts = [_words(condition[3] if condition else one) for one, condition in parts]
    if None in texts or len({text for text in texts if text}) < MIN_WORDS:
        return None
    if not any(conditions):
        pairs = zip(texts, _BY_SIGN[len(texts)], strict=True)
        return NumberWords(tuple(_Word(text or "", COMPARE[sign]) for text, sign in pairs))
    return NumberWords(
        tuple(
            _Word(text or "", COMPARE[found[1]], float(found[2])) if found else _Word(text or "")
            for text, found in zip(texts, conditions, strict=True)
        )
    )


def _words(section: str) -> str | None:
    """Return the text of a section, None if it is none with letters; it may be empty."""
    text = ""
    for token in tokens(section):
        if token is None or token["places"] or token["bracket"] is not None:
            return None
        text += literal_text(token)
    text = text.strip()
    return text if not text or any(map(str.isalpha, text)) else None
