"""Choose among the options of a field."""

from collections.abc import Sequence

from extraction.built_in.ranking import Candidate
from extraction.built_in.scoring import confidence
from extraction.types import ExtractedField, FieldType, RequestedField

LEAST_SCORE = 0.25
"""An option that is less likely than this is not chosen."""

NO_OPTION = "The documents speak of none of the options."
SPOKEN_OF = "The documents speak of it."


def choose(field: RequestedField, candidates: Sequence[Candidate]) -> ExtractedField:
    """Return the likeliest option, or all likely ones where several may be chosen."""
    if field.type is FieldType.MULTI_SELECT:
        return _all_likely(field, candidates)
    if not candidates or candidates[0].score < LEAST_SCORE:
        return ExtractedField(field, None, 0.0, reason=NO_OPTION)
    best = candidates[0]
    sure = confidence(best.kind, best.score)
    return ExtractedField(field, best.value, sure, (best.evidence,), SPOKEN_OF)


def _all_likely(field: RequestedField, candidates: Sequence[Candidate]) -> ExtractedField:
    """Return the options that are likelier to apply than not; they do not rule each other out."""
    none = 1 - sum(candidate.score for candidate in candidates)
    likely = {
        repr(candidate.value): (candidate, candidate.score / (candidate.score + none))
        for candidate in reversed(candidates)
        if candidate.score >= none * LEAST_SCORE
    }
    chosen = [likely[repr(option)] for option in field.options if repr(option) in likely]
    if not chosen:
        return ExtractedField(field, None, 0.0, reason=NO_OPTION)
    sure = min(confidence(candidate.kind, score) for candidate, score in chosen)
    named = {repr(candidate.value) for candidate, _ in chosen}
    values = [option for option in field.options if repr(option) in named]
    return ExtractedField(
        field, values, sure, tuple(candidate.evidence for candidate, _ in chosen), SPOKEN_OF
    )
