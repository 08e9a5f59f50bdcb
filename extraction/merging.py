"""From several answers for one field, of other pages or documents, to one value and its reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from extraction.grounding import MOST_EVIDENCE, Grounding, GroundingKind, same
from extraction.types import FieldType, Option, RequestedField, Value

_KINDS = (
    GroundingKind.NONE,
    GroundingKind.FUZZY,
    GroundingKind.NORMALISED,
    GroundingKind.EXACT,
)
"""How the pages have a value, the better the later."""

_GOES_ON = {FieldType.DATE: "-", FieldType.TEXT: " ,"}
"""What stands between a shorter way to say something and what makes it more exact."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a model gives for a field, and where the pages have it."""

    value: Value
    grounding: Grounding
    log_probability: float | None = None  # None where it is not known

    @property
    def rank(self) -> tuple[int, float, float]:
        """How well the pages have it; higher is better."""
        grounding = self.grounding
        return (_KINDS.index(grounding.kind), grounding.score, grounding.nearness)


@dataclass(frozen=True, slots=True)
class Merged:
    """The value that is taken."""

    candidate: Candidate
    agreement: float  # 0 to 1: the share of the answers that say the same
    reason: str  # a sentence


def merge(field: RequestedField, candidates: Sequence[Candidate]) -> Merged:
    """Return the one value of a field for which there are several, at least one.

    Options of `multi_select` are united. Else answers that say the same, one perhaps more exactly
    ("2024-03-05" and "2024-03"), are counted as one; the pages decide, then the number of answers.
    """
    if len(candidates) == 1:
        return Merged(candidates[0], 1.0, "It is the only value that was found.")
    if field.type is FieldType.MULTI_SELECT:
        return _united(field, candidates)
    agreeing_with = {
        id(one): [other for other in candidates if _agree(field.type, one.value, other.value)]
        for one in candidates
    }
    best = max(candidates, key=lambda one: (one.rank[0], len(agreeing_with[id(one)]), one.rank))
    agreeing = agreeing_with[id(best)]
    most_specific = max(agreeing, key=lambda one: (len(str(one.value)), one.rank))
    agreement = len(agreeing) / len(candidates)
    if most_specific.rank[0] >= best.rank[0]:
        best = most_specific
    return Merged(best, agreement, _reason(best, agreeing, candidates))


def _united(field: RequestedField, candidates: Sequence[Candidate]) -> Merged:
    """Unite the options; the weakest grounding is that of the whole."""
    chosen = [_options(one.value) for one in candidates]
    value = [option for option in field.options if any(_has(one, option) for one in chosen)]
    weakest = min(candidates, key=lambda one: one.rank)
    evidence = dict.fromkeys(place for one in candidates for place in one.grounding.evidence)
    known = [one.log_probability for one in candidates if one.log_probability is not None]
    united = Candidate(
        value,
        replace(weakest.grounding, value=value, evidence=tuple(evidence)[:MOST_EVIDENCE]),
        min(known, default=None),
    )
    share = sum(len(one) for one in chosen) / (len(value) * len(chosen)) if value else 1.0
    return Merged(
        united, share, f"The options of {len(candidates)} parts of the documents were united."
    )


def _reason(best: Candidate, agreeing: Sequence[Candidate], all_: Sequence[Candidate]) -> str:
    parts = f"{len(all_)} parts of the documents that have a value"
    if len(agreeing) == len(all_):
        is_alike = all(same(one.value, best.value) for one in all_)
        return f"All {parts} agree{'' if is_alike else ', and this is the most exact'}."
    share = f"{len(agreeing)} of {parts} say this"
    rivals = [one for one in all_ if not any(one is agrees for agrees in agreeing)]
    if best.rank[0] > max(one.rank[0] for one in rivals):
        return f"{share}; the documents have it more literally than what the others say."
    if len(agreeing) > len(rivals):
        return f"{share}, more than anything else."
    return f"{share}; it stands nearer to the words of the field than what the others say."


def _agree(type_: FieldType, one: Value, other: Value) -> bool:
    """Tell whether two values are the same, or one is a shorter way to say the other."""
    if same(one, other):
        return True
    if type_ not in _GOES_ON or not isinstance(one, str) or not isinstance(other, str):
        return False
    short, long = sorted((_folded(one), _folded(other)), key=len)
    return long.startswith(short) and long[len(short)] in _GOES_ON[type_]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _options(value: Value) -> list[Option]:
    return value if isinstance(value, list) else [value]


def _has(options: Iterable[Option], option: Option) -> bool:
    return any(same(one, option) for one in options)
