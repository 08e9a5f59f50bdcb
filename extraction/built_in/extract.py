"""Extract fields without a model: by labels, layout, types and likeness."""

from collections.abc import Iterable, Iterator, Sequence

from extraction.built_in.ranking import Candidate, Embed, Reading
from extraction.built_in.scoring import confidence
from extraction.built_in.selects import choose
from extraction.habits import read_habit
from extraction.types import (
    SELECT_TYPES,
    ExtractedField,
    RequestedField,
    SourcePages,
)

LEAST_SCORE = 0.35
"""A value that is less likely than this is not given."""

FIELDS_AT_ONCE = 16
"""Fields whose sentences are embedded in one call, and that are finished together."""

NOTHING_FOUND = "The documents have no value of this kind."
TOO_UNSURE = "No value stands clearly with what the field asks for."
NEAREST = "It stands nearest to what the field asks for, by its label, its place and its kind."


def extract_built_in(
    fields: Sequence[RequestedField], sources: Sequence[SourcePages], embed: Embed
) -> Iterator[list[ExtractedField]]:
    """Yield the fields, some at a time, with their values; None where the sources do not hold it.

    Each source is read by its own habits, and the likeliest value of any of them is taken.
    """
    readings = [Reading([source], read_habit(source.pages), embed) for source in sources]
    for start in range(0, len(fields), FIELDS_AT_ONCE):
        some = fields[start : start + FIELDS_AT_ONCE]
        ranked = [reading.rank_all(some) for reading in readings]
        yield [
            _chosen(field, [candidate for of_source in ranked for candidate in of_source[number]])
            for number, field in enumerate(some)
        ]


def _chosen(field: RequestedField, found: Iterable[Candidate]) -> ExtractedField:
    candidates = sorted(found, key=lambda candidate: -candidate.score)
    if field.type in SELECT_TYPES:
        return choose(field, candidates)
    if not candidates:
        return ExtractedField(field, None, 0.0, reason=NOTHING_FOUND)
    best = candidates[0]
    if best.score < LEAST_SCORE:
        return ExtractedField(field, None, 0.0, reason=TOO_UNSURE)
    sure = confidence(best.kind, best.score)
    return ExtractedField(field, best.value, sure, (best.evidence,), NEAREST)
