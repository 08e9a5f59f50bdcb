"""A question as the features see it: its terms, how rare they are, and what it asks for."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agents.extractive.answer_types import MEASURE_ASKED, expected_answer
from indexing.terms import terms

# How to write the answer; nothing of it stands in a document.
_FORM_ASKED = re.compile(
    r"(?<=[?.])\s*(?:please\s+)?"
    r"(?:answer|round|write|express|give (?:me )?(?:an?|the|your))\b[^?]*$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, with the weight of each term: its idf over the candidates."""

    text: str
    language: str  # of the passages
    weights: dict[str, float]
    expected: re.Pattern[str] | None  # what an answer of the expected type looks like

    def coverage(self, found: Collection[str]) -> float:
        """Return the share of the question's weight that these terms carry, 0 to 1."""
        total = sum(self.weights.values())
        return sum(w for term, w in self.weights.items() if term in found) / total if total else 0.0

    def terms_of(self, text: str) -> frozenset[str]:
        """Return the terms of a text, read in the language of the passages."""
        return frozenset(terms(text, self.language))

    def fits(self, text: str) -> bool:
        """Tell whether a text holds something of the expected type that the question has not."""
        if self.expected is None:
            return True
        asked = self.text.lower()
        return any(match.lower() not in asked for match in self.expected.findall(text))


def read_question(text: str, candidates: Sequence[Collection[str]], language: str) -> Question:
    """Weigh the terms of a question over the candidates, of which each is given by its terms."""
    asked = _FORM_ASKED.sub("", text)
    count = len(candidates)
    having = Counter(term for candidate in candidates for term in candidate)
    weights = {
        term: math.log(1 + (count - having[term] + 0.5) / (having[term] + 0.5))
        for term in sorted(set(terms(MEASURE_ASKED.sub(" ", asked), language)))
    }
    return Question(asked, language, weights, expected_answer(asked))
