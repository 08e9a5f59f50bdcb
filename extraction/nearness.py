"""Tell how near to a field's own words a place on a page is: "Total" stands beside the total."""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from extraction.types import RequestedField
from indexing.terms import terms

DISTANCE = 80
"""Characters at which a word is only a third (1/e) as near as right beside a value."""

BEHIND = 0.7
"""How near a word behind a value is, beside one in front of it: labels stand in front."""

IN_DESCRIPTION = 0.5
"""What a word of the description weighs, beside one of the name."""

WordPlaces = Mapping[str, Sequence[int]]
"""Where in a text each word begins, by its stem."""

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def word_places(text: str) -> WordPlaces:
    """Return where the words of a text stand, without those that every text has."""
    places: dict[str, list[int]] = {}
    for match in _WORD.finditer(text):
        for stem in _stems(match[0]):
            places.setdefault(stem, []).append(match.start())
    return places


def stems(text: str) -> Iterator[str]:
    """Yield the stem of each word."""
    for word in _WORD.findall(text):
        yield from _stems(word)


def nearness_to(
    field: RequestedField, pages: Sequence[WordPlaces]
) -> Callable[[WordPlaces, int, int], float]:
    """Return a function that says how near to the field's words a span of one of the pages is.

    It returns 1 where all of those words that the pages have stand right beside the span, and 0
    where none is near. The more places a word stands at, the less it tells.
    """
    counts = {word: sum(len(page.get(word, ())) for page in pages) for word in _field_words(field)}
    weights = {
        word: weight / (1 + math.log(counts[word]))
        for word, weight in _field_words(field).items()
        if counts[word]
    }
    whole = sum(weights.values()) or 1.0

    def near(page: WordPlaces, start: int, end: int) -> float:
        closeness = (
            weight * _closeness(page[word], start, end)
            for word, weight in weights.items()
            if word in page
        )
        return sum(closeness) / whole

    return near


def _field_words(field: RequestedField) -> dict[str, float]:
    """Return the stems of a field's name and description, with what each of them weighs."""
    described = dict.fromkeys(stems(field.description), IN_DESCRIPTION)
    return described | dict.fromkeys(stems(_CAMEL.sub(" ", field.name)), 1.0)


def _closeness(places: Sequence[int], start: int, end: int) -> float:
    """Return how near the nearest of some words outside of a span is, 1 right beside it."""
    first, last = bisect_left(places, start), bisect_left(places, end)
    before = start - places[first - 1] if first else math.inf
    behind = places[last] - end if last < len(places) else math.inf
    return max(math.exp(-before / DISTANCE), BEHIND * math.exp(-behind / DISTANCE))


@lru_cache(maxsize=20_000)
def _stems(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms(word)))
