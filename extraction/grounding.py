"""Find out where a value stands in the documents, and how surely it is the value of its field.

A value is compared with the pages and never taken on the word of the model that gave it: numbers,
dates and the like by what they are ("60.30" has the number 60.3), texts by how they are written.
Where a value stands several times, the place nearest to the field's own words comes first.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from extraction.fields import FIELD_KINDS
from extraction.nearness import WordPlaces, nearness_to, stems, word_places
from extraction.types import (
    SELECT_TYPES,
    Evidence,
    FieldType,
    Habit,
    RequestedField,
    SourcePages,
    Value,
)
from indexing.evidence import Located, MatchKind, PageText, evidence_at, locate, page_text
from indexing.types import ReadBy

MOST_EVIDENCE = 3
"""How many places are reported for a value."""

FEWEST_WORDS = 0.6
"""The share of a text's words that a passage must have to be where it is from."""

LONGEST_NAME = 10
"""Words. A shorter text is a name, a place, a term: it is on the pages or invented. What a longer
one says may stand there in other words.
"""

LOOSE = 100
"""Characters that a passage with the words of a text may have besides twice its length."""

_LOCATED_TYPES = frozenset({FieldType.TEXT, FieldType.VERBATIM})
_WORD = re.compile(r"[^\W_]+")
# Agreements write "two years" where a form has "2 years".
_NUMBER_WORDS = {
    str(number): tuple(stems(word))
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1
    )
}
_RECOGNISED = frozenset({ReadBy.OCR, ReadBy.MIXED, ReadBy.VISION})


class GroundingKind(StrEnum):
    """How the pages have a value."""

    EXACT = "exact"
    NORMALISED = "normalised"
    FUZZY = "fuzzy"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the pages say about a value."""

    value: Value | None  # as it may be given out: a verbatim one as it stands there, or None
    kind: GroundingKind
    score: float = 0.0  # 0 to 1: how much of the value the pages have, as it is written
    evidence: tuple[Evidence, ...] = ()  # the nearest places first
    nearness: float = 0.0  # 0 to 1: how near the field's own words are
    is_recognised: bool = False  # the page is a picture whose text was recognised


class Grounder:
    """Looks up values on the pages of some sources, each with its habit, for many fields."""

    def __init__(self, sources: Sequence[SourcePages], habits: Sequence[Habit]) -> None:
        self._pages = [
            _Page(source, habit, page_text(page))
            for source, habit in zip(sources, habits, strict=True)
            for page in source.pages
        ]
        self._by_text = {id(page.text): page for page in self._pages}
        self._found: dict[tuple[FieldType, tuple[object, ...]], list[_Typed]] = {}

    def prepare(self, field: RequestedField) -> None:
        """Do beforehand, while the model still reads, what looking up values of a field takes."""
        self._typed(field)
        for page in self._pages:
            page.prepare()

    def ground(self, value: Value, field: RequestedField, quote: str = "") -> Grounding:
        """Return where a value stands, and how surely it is the one of its field.

        `quote` is the passage that the model says to have it from. Where it is on a page, and has
        the value, its place comes first; a select value that is nowhere written may rest on it.
        """
        if field.type in SELECT_TYPES:
            return self._ground_selected(value, field, quote)
        places = self._places(value, field)
        if not places:
            return Grounding(_ungrounded(value, field), GroundingKind.NONE)
        if field.type is FieldType.VERBATIM:
            value = places[0].text
        return self._grounding(value, field, places, quote)

    def _places(self, value: Value, field: RequestedField) -> list[Located]:
        """Return where a value stands, all in the same, best way."""
        text = str(value)
        places: list[Located] = []
        if field.type not in _LOCATED_TYPES:
            places = [one.place for one in self._typed(field) if same(one.value, value)]
        if not places and isinstance(value, str) and field.type is not FieldType.DATE:
            places = self._located(text)
            if field.type is FieldType.VERBATIM:
                places = [place for place in places if place.kind is not MatchKind.FUZZY]
        if not places and field.type is FieldType.TEXT:
            places = [place for page in self._pages if (place := page.gathered(text))]
        return places

    def _grounding(
        self, value: Value, field: RequestedField, places: Sequence[Located], quote: str
    ) -> Grounding:
        best = max(places, key=lambda place: (place.kind, place.score))
        near = self._nearness_to(field)
        ranked = sorted(places, key=near, reverse=True)
        return Grounding(
            value,
            GroundingKind[best.kind.name],
            best.score,
            self._evidence([*self._quoted(ranked, quote), *ranked]),
            near(ranked[0]),
            ranked[0].page_text.page.read_by in _RECOGNISED,
        )

    def _ground_selected(self, value: Value, field: RequestedField, quote: str) -> Grounding:
        """Ground options by their mentions; where none is written, by what the model quotes."""
        chosen = value if isinstance(value, list) else [value]
        near = self._nearness_to(field)
        mentions = [
            max(
                (one.place for one in self._typed(field) if same(one.value, option)),
                key=near,
                default=None,
            )
            for option in chosen
        ]
        places = [place for place in mentions if place]
        if not places and (quoted := self._located(quote)):
            evidence = self._evidence(quoted)
            return Grounding(value, GroundingKind.FUZZY, FEWEST_WORDS, evidence, near(quoted[0]))
        if not places:
            return Grounding(value, GroundingKind.NONE)
        is_whole = len(places) == len(chosen)
        return Grounding(
            value,
            GroundingKind.EXACT if is_whole else GroundingKind.FUZZY,
            len(places) / len(chosen),
            self._evidence(places),
            min(map(near, places)),
            any(place.page_text.page.read_by in _RECOGNISED for place in places),
        )

    def _typed(self, field: RequestedField) -> "list[_Typed]":
        """Return all values of the field's type on the pages; none where every text is one."""
        if field.type in _LOCATED_TYPES:
            return []
        key = (field.type, field.options)
        if key not in self._found:
            find = FIELD_KINDS[field.type].find
            self._found[key] = [
                _Typed(evidence_at(page.text, found.start, found.end), found.value)
                for page in self._pages
                for found in find(page.text.text, field, page.habit)
            ]
        return self._found[key]

    def _located(self, text: str) -> list[Located]:
        """Return the places of a text that are as good as the best one."""
        places = locate(text, [page.text for page in self._pages])
        return [place for place in places if place.kind is places[0].kind]

    def _quoted(self, places: Iterable[Located], quote: str) -> list[Located]:
        """Return those places that are within the passage that a model quotes."""
        quotes = self._located(quote)
        return [
            place
            for place in places
            if any(
                one.page_text is place.page_text
                and one.start <= place.start
                and place.end <= one.end
                for one in quotes
            )
        ]

    def _evidence(self, places: Iterable[Located]) -> tuple[Evidence, ...]:
        evidence: dict[Evidence, None] = {}
        for place in places:
            source = self._page_of(place).source
            evidence[
                Evidence(
                    source.data_source_id,
                    source.file_name,
                    place.page_number,
                    place.passage,
                    place.box,
                )
            ] = None
            if len(evidence) == MOST_EVIDENCE:
                break
        return tuple(evidence)

    def _nearness_to(self, field: RequestedField) -> Callable[[Located], float]:
        near = nearness_to(field, [page.words for page in self._pages])

        def near_place(place: Located) -> float:
            return near(self._page_of(place).words, place.start, place.end)

        return near_place

    def _page_of(self, place: Located) -> "_Page":
        return self._by_text[id(place.page_text)]


def same(one: object, other: object) -> bool:
    """Tell whether two values are one and the same."""
    return value_key(one) == value_key(other)


def value_key(value: object) -> object:
    """Return what a value is compared by: texts without case and spaces; True is not 1."""
    if isinstance(value, str):
        return "".join(value.casefold().split())
    return isinstance(value, bool), value


class _Page:
    """A page of a source, and where its words stand."""

    def __init__(self, source: SourcePages, habit: Habit, text: PageText) -> None:
        self.source = source
        self.habit = habit
        self.text = text

    def prepare(self) -> None:
        """Read the words and the folded text, which are kept."""
        if self.words and self.text.folded:
            self.text.span_of_folded(0, 1)

    @cached_property
    def words(self) -> WordPlaces:
        return word_places(self.text.text)

    def gathered(self, text: str) -> Located | None:
        """Return the passage that has most of a text's words, in whatever order, if it is enough.

        All its numbers have to be there.
        """
        wanted = set(stems(text))
        hits = sorted(
            (at, word)
            for word in wanted
            for way in (word, *_NUMBER_WORDS.get(word, ()))
            for at in self.words.get(way, ())
        )
        passage = _densest(hits, 2 * len(text) + LOOSE)
        there = {word for _, word in passage}
        if not there or len(there) < FEWEST_WORDS * len(wanted) or _numbers(wanted) - there:
            return None
        start, last = passage[0][0], passage[-1][0]
        last_word = _WORD.match(self.text.text, last)
        end = last_word.end() if last_word else last
        return Located(self.text, start, end, MatchKind.FUZZY, len(there) / len(wanted))


@dataclass(frozen=True, slots=True)
class _Typed:
    """A value of some type on a page."""

    place: Located
    value: Value


def _ungrounded(value: Value, field: RequestedField) -> Value | None:
    """Return a value that no page has, if it may be another way to say what they do."""
    is_long = field.type is FieldType.TEXT and len(_WORD.findall(str(value))) > LONGEST_NAME
    return value if is_long else None


def _densest(hits: Sequence[tuple[int, str]], width: int) -> Sequence[tuple[int, str]]:
    """Return those of a text's words, with their places, that have most different ones together.

    Args:
        hits: where a word stands, and which one, in the order of the text.
        width: the characters that they may lie apart.
    """
    counts: Counter[str] = Counter()
    first, best, most = 0, range(0), 0
    for last, (at, word) in enumerate(hits):
        counts[word] += 1
        while at - hits[first][0] > width:
            left = hits[first][1]
            counts[left] -= 1
            if not counts[left]:
                del counts[left]
            first += 1
        if len(counts) > most:
            best, most = range(first, last + 1), len(counts)
    return hits[best.start : best.stop]


def _numbers(words: Iterable[str]) -> set[str]:
    return {word for word in words if any(map(str.isdigit, word))}
