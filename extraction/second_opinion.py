"""Ask the built-in extractor what it thinks of a value that a model gave."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from rapidfuzz import fuzz, utils

from extraction.built_in.ranking import Candidate, Reading
from extraction.grounding import same
from extraction.types import Habit, RequestedField, SourcePages, Value
from indexing.embedding import Vectors
from indexing.evidence import LOOKALIKES

ALIKE = 85
"""Of 100: how like two texts are that name the same thing."""

SHORTEST_ALIKE = 8
"""Characters; what is shorter is like a part of too many others."""

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the built-in extractor thinks of a value of the model's."""

    score: float = 0.0  # of the value, 0 where it is none of its candidates
    other_score: float = 0.0  # of its best other candidate


class SecondOpinions:
    """The built-in extractor, having read the same pages; it embeds nothing, which takes long."""

    def __init__(self, sources: Sequence[SourcePages], habits: Sequence[Habit]) -> None:
        self._sources = sources
        self._habits = habits
        self._ranked: dict[RequestedField, list[Candidate]] = {}

    def of(self, value: Value, field: RequestedField) -> Opinion:
        """Return the scores of a value and of the best other one."""
        return opinion_of(value, self.candidates(field))

    def candidates(self, field: RequestedField) -> list[Candidate]:
        """Return the values that it would give, of all sources; they are looked for once."""
        if field not in self._ranked:
            self._ranked[field] = [one for reading in self._readings for one in reading.rank(field)]
        return self._ranked[field]

    @cached_property
    def _readings(self) -> list[Reading]:
        return [
            Reading([source], habit, _no_vectors)
            for source, habit in zip(self._sources, self._habits, strict=True)
        ]


def opinion_of(value: Value, ranked: Sequence[Candidate]) -> Opinion:
    """Return the scores of a value and of the best other one among candidates."""
    agreeing = [one.score for one in ranked if agree(value, one.value)]
    others = [one.score for one in ranked if not agree(value, one.value)]
    return Opinion(max(agreeing, default=0.0), max(others, default=0.0))


def agree(value: Value, other: Value) -> bool:
    """Tell whether two values are one; a text may be a part of another, or a little unlike it."""
    if same(value, other):
        return True
    if not (isinstance(value, str) and isinstance(other, str)):
        return False
    one, two = _plain(value), _plain(other)
    shorter, longer = sorted((one, two), key=len)
    if shorter and f" {shorter} " in f" {longer} ":
        return True
    if _DIGIT.search(shorter) or len(shorter) < SHORTEST_ALIKE:
        recognised = one.translate(LOOKALIKES), two.translate(LOOKALIKES)
        return _are_alike(one, two) or _are_alike(*recognised)
    return fuzz.partial_ratio(shorter, longer) >= ALIKE


def _are_alike(one: str, two: str) -> bool:
    return _DIGIT.findall(one) == _DIGIT.findall(two) and fuzz.ratio(one, two) >= ALIKE


def _plain(text: str) -> str:
    return " ".join(utils.default_process(text).split())


def _no_vectors(texts: Sequence[str]) -> Vectors:
    return np.zeros((len(texts), 1), dtype=np.float32)
