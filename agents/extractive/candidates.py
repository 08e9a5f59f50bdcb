"""The sentences, items and rows that might answer, each with what stands around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.extractive.question import Question
from agents.sentences import Unit, UnitKind, units
from indexing.terms import terms

# A term that stands in the passages, but not near the sentence, is missing only so much.
ELSEWHERE = 0.5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit that might answer."""

    unit: Unit
    passage: int  # index into the passages given
    position: int  # among the units of its passage
    before: str  # the sentence before it
    own_terms: frozenset[str]
    near_terms: frozenset[str]  # with its heading and the sentence before
    all_terms: frozenset[str]  # of all passages

    def absence(self, term: str) -> float:
        """Return 0 for a term near the unit, 1 for one that stands in no passage."""
        if term in self.near_terms:
            return 0.0
        return ELSEWHERE if term in self.all_terms else 1.0

    @property
    def in_context(self) -> str:
        """What is embedded: a row names its columns itself, all else is read below its lead."""
        lead = "" if self.unit.kind is UnitKind.ROW else self.unit.lead
        return f"{lead} {self.unit.text}" if lead else self.unit.text

    @property
    def surroundings(self) -> str:
        """The unit below its lead and behind the sentence before it."""
        return f"{self.unit.lead} {self.before} {self.unit.text}"


def find_candidates(passages: Sequence[str], language: str) -> list[Candidate]:
    """Return the units of all passages, in their order; what is said twice counts once."""
    everything = frozenset(term for passage in passages for term in terms(passage, language))
    found: list[Candidate] = []
    seen: set[str] = set()
    for number, passage in enumerate(passages):
        before = ""
        for position, unit in enumerate(units(passage)):
            # Passages overlap, and what is said twice need not be weighed twice.
            if unit.kind is not UnitKind.LEAD and unit.text not in seen:
                own = frozenset(terms(unit.text, language))
                near = own.union(terms(unit.lead, language), terms(before, language))
                found.append(Candidate(unit, number, position, before, own, near, everything))
                seen.add(unit.text)
            before = unit.text if unit.kind is UnitKind.SENTENCE else ""
    return found


def most_promising(asked: Question, candidates: Sequence[Candidate], limit: int) -> list[Candidate]:
    """Keep what shares most with the question, the passage's rank deciding between equals."""

    def promise(candidate: Candidate) -> float:
        own, near = asked.coverage(candidate.own_terms), asked.coverage(candidate.near_terms)
        return own + 0.5 * near + 0.3 / (1 + candidate.passage)

    best = sorted(candidates, key=promise, reverse=True)[:limit]
    return sorted(best, key=lambda one: (one.passage, one.position))
