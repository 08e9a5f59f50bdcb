"""Tell whether the best candidate answers, or only resembles the question.

`WEIGHTS` come from logistic regression on answerable questions and those of two kinds that have no
answer: SQuAD 2.0's adversarial ones, and questions about something else (15 % of their weight).
`python -m benchmarks.answers --fit` fits them, and without `--fit` measures what they are worth on
articles that were left out. SQuAD's answerable questions rarely deny anything, its adversarial ones
often do, so `negation_missing` is worth more there than elsewhere.

* best_cosine: of the question and the candidate nearest to it
* foreign_word: how much nearer the best candidate comes when the question leaves out one of the
  words that do not stand near the candidate: a paraphrase is missed, an exchanged word is not
* numbers_missing: the question has a number that does not stand there
* opposites: terms of which the opposite stands near the candidate (first, last; paid, unpaid), or
  stands in the passages while the term itself does not
* negation_missing: the question denies something, the candidate does not
* wrong_type: the question asks for a date, number, person or place and there is none
"""

import math
import re

from agents.extractive.answer_types import NUMBER
from agents.extractive.candidates import Candidate
from agents.extractive.opposites import count_opposites, is_negated
from agents.extractive.question import Question

INTERCEPT = -3.3
WEIGHTS = {
    "best_cosine": 6.2,
    "foreign_word": -13.5,
    "numbers_missing": -2.4,
    "opposites": -1.8,
    "negation_missing": -3.0,
    "wrong_type": -0.7,
}

# A question of few words resembles no sentence much: it is enough that one has them all.
SHORT_QUESTION = 3
SHORT_CONFIDENCE = 0.4

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_DOUBTS = ("numbers_missing", "opposites", "negation_missing", "wrong_type")


def estimate_confidence(asked: Question, best: Candidate, signs: dict[str, float]) -> float:
    """Return how sure it is that the best candidate answers, 0 to 1."""
    logit = INTERCEPT + sum(weight * signs[name] for name, weight in WEIGHTS.items())
    sure = 1 / (1 + math.exp(-logit))
    is_short = 0 < len(asked.weights) <= SHORT_QUESTION
    has_all = best.near_terms.issuperset(asked.weights) and not any(signs[one] for one in _DOUBTS)
    return max(sure, SHORT_CONFIDENCE) if is_short and has_all else sure


def read_signs(
    asked: Question, best: Candidate, *, best_cosine: float, foreign_word: float
) -> dict[str, float]:
    """Return what tells an answer from a sentence that only resembles the question."""
    return {
        "best_cosine": best_cosine,
        "foreign_word": foreign_word,
        "numbers_missing": _numbers_missing(asked, best),
        "opposites": float(_opposites(asked, best)),
        "negation_missing": float(is_negated(asked.text) and not is_negated(best.unit.text)),
        "wrong_type": float(not asked.fits(best.surroundings)),
    }


def without_each_foreign_word(asked: Question, best: Candidate) -> list[str]:
    """Return the question without one word, for each of those that do not stand near `best`."""
    return [
        " ".join(f"{asked.text[: word.start()]} {asked.text[word.end() :]}".split())
        for word in _WORD.finditer(asked.text)
        if (own := asked.terms_of(word.group())) and best.near_terms.isdisjoint(own)
    ]


def _numbers_missing(asked: Question, best: Candidate) -> float:
    """Return 1 for a number of the question that stands nowhere, less if not near the candidate."""
    missing = (number for number in NUMBER.findall(asked.text) if number not in best.surroundings)
    return max((best.absence(number) for number in missing), default=0.0)


def _opposites(asked: Question, best: Candidate) -> int:
    everything = frozenset(asked.weights)
    nowhere = everything - best.all_terms
    near = count_opposites(everything, best.near_terms)
    return max(near, count_opposites(nowhere, best.all_terms))
