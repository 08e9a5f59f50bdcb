"""Tell whether passages say what a statement says: its numbers, its names, and its words.

No model is asked, so that a statement can be checked while the answer streams. Its numbers and
dates have to be in the passages digit for digit, its names word for word, and of its other words a
good part, which are weighed by how few of the passages have them. So what is checked is where a
statement comes from, and that no number or name was changed on the way; not whether it follows.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from agents.content_words import capitalised, content_words, ends_in_stop_word, language_of, words
from agents.quantities import Quantity, quantities, values
from indexing.types import NO_PAGE, Chunk

SUPPORTED_SHARE = 0.6
"""The share of a statement's words, by weight, that a passage which supports it has."""

PARTIAL_SHARE = 0.35
"""The share below which a passage is about something else."""

BETTER = 0.15
"""By how much more another passage must have than the one that was cited, to be cited instead."""

MISSING_NAMED = 5
"""How many missing words a reason names."""

SAMPLE = 300
"""How many characters of a passage tell its language."""

_BULLET = re.compile(r"\A\s*(?:[-*+•>]\s+|\(?\d{1,3}[.)]\s+)+")
_TWO_NAMES = re.compile(r"[\W_]*([^\W\d_a-z][\w'’-]*) [^\W\d_a-z]")
_FIRST_WORD = re.compile(r"[\W_]*([^\W\d_a-z][\w'’-]*)")
_CAPITALS = re.compile(r"[A-Z]{2,6}")
_NAME_RUN = re.compile(r"[A-Z][\w.'’]*(?:[ -](?:(?:of|and|the|for|de) )?[A-Z][\w.'’]*)+")
_SHORTEST_BARE_NAME = 4
_LONGEST_NAME_ENDING = 3
# What answers a question, and is in no passage.
_ANSWERING = words("yes no ja nein oui non si sí sim não da nee")


LONGEST_STATEMENT = 5_000
"""Characters; what a statement says behind them is not compared. No sentence is as long."""


class Verdict(StrEnum):
    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


@dataclass(frozen=True, slots=True)
class Support:
    """What passages have of a statement."""

    verdict: Verdict
    share: float  # of the statement's words, by weight
    reason: str


@dataclass(frozen=True, slots=True)
class _Statement:
    text: str
    quantities: Sequence[Quantity]
    names: Sequence["_Name"]
    words: frozenset[str]

    @property
    def says_something(self) -> bool:
        return bool(self.words or self.quantities)

    @property
    def says_much(self) -> bool:
        """More than a single word, which many passages may have."""
        return len(self.words) > 1 or bool(self.quantities)


@dataclass(frozen=True, slots=True)
class _Name:
    written: str
    parts: frozenset[str]


class Evidence:
    """The passages a model was given, numbered from 1 as the model knows them."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._passages = [_Passage(chunk) for chunk in chunks]
        self._statements: dict[str, _Statement] = {}

    def support(self, text: str, numbers: Iterable[int]) -> Support:
        """Compare a statement with passages taken together."""
        return self._support(self._statement(text), [self._passages[n - 1] for n in numbers])

    def passages_for(self, text: str, cited: Iterable[int]) -> list[int]:
        """Return the passages to cite for a statement: of those cited, or the one that has it.

        A number that is no passage's counts as none. A passage that was not cited is returned only
        if it supports the statement, and better than those that were. Where a statement has nothing
        to compare, those that were cited stay.
        """
        statement = self._statement(text)
        known = [number for number in dict.fromkeys(cited) if 1 <= number <= len(self._passages)]
        if not statement.says_something or not (known or statement.says_much):
            return known
        each = {number: self._support(statement, [self._passages[number - 1]]) for number in known}
        kept = [number for number in known if each[number].verdict is Verdict.SUPPORTED]
        if kept and max(each[number].share for number in kept) >= 1 - BETTER:
            return kept
        kept = kept or self._together(statement, known, each)
        kept = kept or [number for number in known if each[number].verdict is Verdict.PARTIAL]
        best, support = self.best_passage(text)
        enough = max((each[number].share for number in kept), default=-1.0) + BETTER
        is_better = support.verdict is Verdict.SUPPORTED and support.share > enough
        return [best] if is_better else kept

    def best_passage(self, text: str) -> tuple[int, Support]:
        """Return the passage that has most of a statement, and what it has; 0 without passages."""
        statement = self._statement(text)
        best, best_support = 0, Support(Verdict.UNSUPPORTED, 0.0, "there are no passages")
        for number, passage in enumerate(self._passages, start=1):
            support = self._support(statement, [passage])
            if not best or _rank(support) > _rank(best_support):
                best, best_support = number, support
        return best, best_support

    def place(self, number: int) -> str:
        """Return where a passage stands, for people."""
        chunk = self._passages[number - 1].chunk
        on_page = "" if chunk.page_number == NO_PAGE else f", page {chunk.page_number}"
        return f"{chunk.filename}{on_page}"

    def leads_on(self, text: str) -> bool:
        """Tell whether a text says nothing yet, as "According to" in front of a key."""
        statement = self._statement(text)
        return not statement.says_much and ends_in_stop_word(text, self._language)

    def _together(
        self, statement: _Statement, known: Sequence[int], each: dict[int, Support]
    ) -> list[int]:
        """Return the passages that only together support a statement, each for its part."""
        chosen: list[int] = []
        support = None
        for number in sorted(known, key=lambda number: -each[number].share):
            more = self._support(statement, [self._passages[n - 1] for n in [*chosen, number]])
            if support is None or _rank(more) > _rank(support):
                chosen, support = [*chosen, number], more
        is_enough = support is not None and support.verdict is Verdict.SUPPORTED
        return [number for number in known if number in chosen] if is_enough else []

    def _statement(self, text: str) -> _Statement:
        text = text[:LONGEST_STATEMENT]
        if text not in self._statements:
            self._statements[text] = self._analysed(text)
        return self._statements[text]

    def _analysed(self, text: str) -> _Statement:
        text = _BULLET.sub("", text, count=1)
        found = quantities(text)
        # The month of a date is no word of its own: the date is there as a whole, or is not.
        for one in found:
            text = text.replace(one.written, " ") if one.is_date else text
        language = language_of(text) or self._language
        written = [*capitalised(text), *self._first_name(text)]
        return _Statement(
            text,
            found,
            [
                _Name(name, words(name))
                for name in dict.fromkeys(written)
                if content_words(name, language)
            ],
            content_words(text, language) - _ANSWERING,
        )

    def _first_name(self, text: str) -> list[str]:
        """Return the first word, whose capital may be that of the sentence, if it is a name."""
        if match := _TWO_NAMES.match(text):
            return [match[1]]
        match = _FIRST_WORD.match(text)
        return [match[1]] if match and words(match[1]) <= self._names else []

    def _support(self, statement: _Statement, passages: Sequence["_Passage"]) -> Support:
        if not statement.says_something:
            return Support(Verdict.PARTIAL, 1.0, "it has nothing that can be compared")
        share = self._share(statement, passages)
        is_foreign = share < PARTIAL_SHARE and _differ(statement.text, passages)
        if share < PARTIAL_SHARE and not is_foreign:
            return Support(Verdict.UNSUPPORTED, share, "the passage is about something else")
        lacking = [
            quantity.written
            for quantity in statement.quantities
            if not any(quantity.values & passage.values for passage in passages)
        ]
        if lacking:
            return Support(Verdict.UNSUPPORTED, share, _missing("number", lacking))
        if is_foreign:
            reason = "it is in another language than the passage; only numbers were compared"
            return Support(Verdict.PARTIAL, PARTIAL_SHARE, reason)
        foreign = [name for name in statement.names if not _any_has(passages, name)]
        invented = [name.written for name in foreign if not self._is_elsewhere(name, passages)]
        if invented:
            return Support(Verdict.UNSUPPORTED, share, _missing("name", invented))
        if share < SUPPORTED_SHARE or foreign:
            return Support(Verdict.PARTIAL, share, self._lacking_words(statement, passages))
        return Support(Verdict.SUPPORTED, share, "")

    def _share(self, statement: _Statement, passages: Sequence["_Passage"]) -> float:
        whole = sum(map(self._weight, statement.words))
        there = (word for word in statement.words if any(word in one.words for one in passages))
        return sum(map(self._weight, there)) / whole if whole else 1.0

    def _weight(self, word: str) -> float:
        return math.log(1 + len(self._passages) / (self._having[word] + 0.5))

    def _lacking_words(self, statement: _Statement, passages: Sequence["_Passage"]) -> str:
        written = re.findall(r"[^\W\d_][\w'’-]*", statement.text)
        lacking = [
            word
            for word in written
            if (words(word) & statement.words) - frozenset().union(*(p.words for p in passages))
        ]
        return _missing("word", list(dict.fromkeys(lacking)))

    def _is_elsewhere(self, name: _Name, passages: Sequence["_Passage"]) -> bool:
        """Tell whether a name may be left out here: the document is about it, or it is a noun."""
        if any(passage.capitalises_nouns for passage in passages):
            return True
        sources = {passage.chunk.data_source_id for passage in passages}
        beside = [one for one in self._passages if one.chunk.data_source_id in sources]
        return 2 * sum(one.has_name(name) for one in beside) > len(beside)

    @cached_property
    def _having(self) -> Counter[str]:
        """In how many passages each word is."""
        return Counter(word for passage in self._passages for word in passage.words)

    @cached_property
    def _language(self) -> str:
        return language_of(" ".join(one.chunk.content[:SAMPLE] for one in self._passages))

    @cached_property
    def _names(self) -> frozenset[str]:
        return words(
            " ".join(name for one in self._passages for name in capitalised(one.chunk.content))
        )


class _Passage:
    """A chunk with what it is compared by; file name and section are known to belong to it."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk

    @cached_property
    def _text(self) -> str:
        file_name = re.sub(r"[_.-]+", " ", self.chunk.filename)
        return f"{file_name}\n{self.chunk.section}\n{self.chunk.content}"

    @cached_property
    def words(self) -> frozenset[str]:
        return words(self._text)

    @cached_property
    def values(self) -> frozenset[str]:
        return values(self._text)

    @cached_property
    def language(self) -> str:
        return language_of(self.chunk.content[:SAMPLE])

    @property
    def capitalises_nouns(self) -> bool:
        return self.language == "german"

    @cached_property
    def _initials(self) -> str:
        runs = (re.findall(r"\b[A-Z]", run) for run in _NAME_RUN.findall(self._text))
        return " ".join("".join(letters) for letters in runs)

    def has_name(self, name: _Name) -> bool:
        """Tell whether a name is here: each part of it, another form of it, or its initials."""
        if all(part in self.words or self._has_form(part) for part in name.parts):
            return True
        plain = name.written.replace(".", "")
        return bool(_CAPITALS.fullmatch(plain)) and plain in self._initials

    def _has_form(self, part: str) -> bool:
        """Tell whether one is the other with an ending: America, American."""
        if len(part) < _SHORTEST_BARE_NAME:
            return False
        return any(
            abs(len(word) - len(part)) <= _LONGEST_NAME_ENDING
            and len(word) >= _SHORTEST_BARE_NAME
            and (word.startswith(part) or part.startswith(word))
            for word in self.words
        )


def _any_has(passages: Iterable[_Passage], name: _Name) -> bool:
    return any(passage.has_name(name) for passage in passages)


def _rank(support: Support) -> tuple[int, float]:
    """Order by how well a statement is supported."""
    order = (Verdict.UNSUPPORTED, Verdict.PARTIAL, Verdict.SUPPORTED)
    return order.index(support.verdict), support.share


def _differ(text: str, passages: Sequence[_Passage]) -> bool:
    """Tell whether a statement and the passages are in different languages."""
    language = language_of(text)
    return bool(language) and all(one.language not in ("", language) for one in passages)


def _missing(kind: str, lacking: Sequence[str]) -> str:
    these = ", ".join(lacking[:MISSING_NAMED])
    return f"not in the passage: the {kind}{'s' if len(lacking) > 1 else ''} {these}"
