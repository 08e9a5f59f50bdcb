"""What stands around a value and says what it is: its label, its column, its sentence."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

from extraction.built_in.layout import Passage, cells
from indexing.terms import terms

LABEL_WORDS = 8
"""Words right before a value that may be its label; in prose, what stands further off is not."""

FARTHEST = 1000
"""Characters before and behind a value in which its sentence is looked for.

A file may be a single line of a hundred thousand numbers, each of which would look at all others.
"""

LONGEST_LABEL = 60  # Characters of a line beside or above that may be a label.

_DEFINITION = re.compile(r"[^()]{0,100}?\((?:[^()\"“”]{0,40})[\"“]([^()\"“”]{2,40})[\"”][^()]*\)")
# Quayside Estates plc, the landlord, / (hereinafter the Landlord) / , as tenant,
_ROLE_WORDS = "hereinafter|hereafter|called|known|as|the|als|der|die|das|le|la|el|il|lo|de"
_APPOSITION = re.compile(
    rf"\s{{0,3}}[,(]\s{{0,3}}(?:(?:{_ROLE_WORDS})\s{{1,3}}){{1,5}}"
    r"([^\W\d_]{3,20}(?: [^\W\d_]{3,20})?)\s{0,3}[,.;:)]",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{2,}|[#№]|n°", re.IGNORECASE)
_CURRENCY = re.compile(r"\b(?:EUR|USD|GBP|CHF|INR|MYR|SGD|RM|RH|Rs|DH|kr)\b\.?|[€$£¥₹]")
_DIGITS = re.compile(r"\d[\d.,:/-]*")


@dataclass(frozen=True)
class Surroundings:
    """What stands around the characters from `start` to `end` of a passage."""

    passage: Passage
    start: int
    end: int

    @cached_property
    def label(self) -> str:
        """The words that say what the value is: before it, else left of it, else above it."""
        return self.before or self.beside

    @property
    def own_label(self) -> str:
        """The words before it or left of it; those above it may belong to something else."""
        return self.before or (self.beside if self.passage.left else "")

    @cached_property
    def before(self) -> str:
        """The words before it in its row or sentence; "" where none do."""
        return _last_words(self.passage.text[self.sentence_span[0] : self.start])

    @cached_property
    def beside(self) -> str:
        """A short line left of the passage, else above it."""
        for text in (self.passage.left, self.passage.above):
            if text and len(text) <= LONGEST_LABEL and _LETTERS.search(text):
                return _last_words(text) or text
        return ""

    @cached_property
    def after(self) -> str:
        """The words right behind it, up to the next figure or cell."""
        rest = self.passage.text[self.end : self.sentence_span[1]]
        rest = _DIGITS.split(rest.split("|", 1)[0], maxsplit=1)[0]
        return " ".join(rest.split()[:3])

    @cached_property
    def column(self) -> str:
        """The head of its column; "" where there is none."""
        if not self.passage.columns:
            return ""
        number = self.passage.text.count("|", 0, self.start)
        return self.passage.columns[number] if number < len(self.passage.columns) else ""

    @cached_property
    def sentence(self) -> str:
        """The sentence or row that it stands in."""
        start, end = self.sentence_span
        return self.passage.text[start:end].strip()

    @cached_property
    def label_terms(self) -> frozenset[str]:
        """The stems of the words of its label."""
        return _terms(self.label)

    @cached_property
    def sentence_terms(self) -> frozenset[str]:
        """The stems of the words of its sentence or row."""
        return _terms(self.sentence)

    @cached_property
    def sentence_span(self) -> tuple[int, int]:
        """Where its sentence begins and ends in the passage."""
        cuts = self.passage.cuts
        start = cuts[bisect_right(cuts, self.start) - 1]
        end = cuts[min(bisect_left(cuts, self.end), len(cuts) - 1)]
        return max(start, self.start - FARTHEST), min(end, self.end + FARTHEST)

    @cached_property
    def definition(self) -> str:
        """The short name or role that is given to it: (the "Tenant"); or: , the tenant,."""
        text = self.passage.text
        defined = _DEFINITION.match(text, self.end) or _APPOSITION.match(text, self.end)
        return defined[1] if defined else ""


@lru_cache(maxsize=10_000)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _last_words(text: str) -> str:
    """Return the last words that stand together, without figures between them."""
    for run in reversed(_runs(text)):
        plain = _CURRENCY.sub(" ", run)
        if _LETTERS.search(plain):
            return " ".join(plain.split()[-LABEL_WORDS:])
    return ""


def _runs(text: str) -> list[str]:
    """Return what stands between figures; in a table, between the borders of cells too."""
    if "|" in text:
        return [run for _, cell in cells(text) for run in _DIGITS.split(cell)]
    return _DIGITS.split(text)
