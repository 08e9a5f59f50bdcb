"""What a model said of the fields: made values, looked up on the pages, and weighed."""

from collections.abc import Iterable, Sequence

from extraction.confidence import NO_VALUE, Signals, confidence
from extraction.extractor import Answer
from extraction.fields import FIELD_KINDS
from extraction.grounding import Grounder, GroundingKind
from extraction.merging import Candidate, merge
from extraction.second_opinion import SecondOpinions
from extraction.types import ExtractedField, Habit, RequestedField, SourcePages

NOT_ON_THE_PAGES = "The model gave a value that is nowhere on the pages."


class Findings:
    """The answers of one extraction, gathered as they come; its work is for a thread."""

    def __init__(self, sources: Sequence[SourcePages], habits: Sequence[Habit]) -> None:
        self._habits = habits
        self._grounder = Grounder(sources, habits)
        self._opinions = SecondOpinions(sources, habits)
        self._candidates: dict[str, list[Candidate]] = {}  # by the name of the field
        self._dropped: set[str] = set()  # the fields that were given a value no page has

    def prepare(self, field: RequestedField) -> None:
        """Do what can be done for a field before anything is said of it."""
        self._grounder.prepare(field)
        self._opinions.candidates(field)

    def add(self, answers: Iterable[Answer]) -> None:
        """Take down what a model says; what is no value of its field's type is dropped."""
        for answer in answers:
            name = answer.field.name
            if candidate := self._candidate(answer):
                self._candidates.setdefault(name, []).append(candidate)
            else:
                self._dropped.add(name)

    def has(self, field: RequestedField) -> bool:
        """Tell whether a value was found that the pages have."""
        candidates = self._candidates.get(field.name, [])
        return any(one.grounding.kind is not GroundingKind.NONE for one in candidates)

    def result(self, field: RequestedField, why_nothing: str) -> ExtractedField:
        """Return the field with its value, or with None and the reason for that."""
        candidates = self._candidates.get(field.name)
        if not candidates:
            reason = NOT_ON_THE_PAGES if field.name in self._dropped else why_nothing
            return ExtractedField(field, None, NO_VALUE, reason=reason)
        merged = merge(field, candidates)
        best = merged.candidate
        signals = Signals(
            field.type,
            best.grounding,
            self._opinions.of(best.value, field),
            merged.agreement,
            best.log_probability,
        )
        return ExtractedField(
            field, best.value, confidence(signals), best.grounding.evidence, merged.reason
        )

    def _candidate(self, answer: Answer) -> Candidate | None:
        # Of several sources the one that the model names has the habit by which it read.
        habit = Habit() if answer.source is None else self._habits[answer.source]
        value = FIELD_KINDS[answer.field.type].normalise(answer.value, answer.field, habit)
        if value is None:
            return None
        grounding = self._grounder.ground(value, answer.field, answer.quote)
        if grounding.value is None:
            return None
        return Candidate(grounding.value, grounding, answer.log_probability)
