"""Chunks that say nothing new: copies of a text in another file, or another version of it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from indexing.types import Chunk

LIKENESS = 0.9
"""Share of the words of two texts, of all that either has, from which on one repeats the other."""

_NUMBER = re.compile(r"\d+")


class _Words:
    """The different words of a text. Its numbers count apart: years tell tables apart."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Most texts differ in these already, and are never asked for more.
        self.digits = "".join(digit for digit in "0123456789" if digit in text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self._text))

    @cached_property
    def all(self) -> frozenset[str]:
        return frozenset(self._text.lower().split())

    def repeats(self, other: "_Words") -> bool:
        """Tell whether the two have the same numbers and nearly the same words (Jaccard)."""
        if self.numbers != other.numbers:
            return False
        fewer, more = sorted((len(self.all), len(other.all)))
        if fewer < LIKENESS * more:
            return False  # Were all of them shared, they would be too few; and counting takes long.
        shared = len(self.all & other.all)
        return shared >= LIKENESS * (fewer + more - shared)


def distinct_first(ranked: Sequence[Chunk], count: int) -> list[Chunk]:
    """Return the first chunks of a ranking; one that repeats a better one gives way to others.

    It is still there where there are no others, for a search returns as many as there are.
    """
    repeated: list[Chunk] = []
    first = list(_distinct(ranked, count, repeated))
    return [*first, *repeated][:count]


def _distinct(ranked: Sequence[Chunk], count: int, repeated: list[Chunk]) -> Iterator[Chunk]:
    taken: defaultdict[str, list[_Words]] = defaultdict(list)  # by their digits
    for chunk in ranked:
        if count == 0:
            return
        words = _Words(chunk.content)
        if any(words.repeats(other) for other in taken[words.digits]):
            repeated.append(chunk)
        else:
            taken[words.digits].append(words)
            count -= 1
            yield chunk
