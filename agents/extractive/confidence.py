"""Tell whether the best candidate answers, or only resembles the question.

`WEIGHTS` come from logistic regression on answerable questions and those of two kinds that have no
answer: SQuAD 2.0's adversarial ones, and questions about something else (15 % of their weight).
`python -m benchmarks.answers --fit` fits them, and without `--fit` measures what they are worth on
articles that were left out. SQuAD's answerable questions rarely deny anything, its adversarial ones
often do, so `negation_missing` is worth more there than elsewhere.

* best_cosine: of the question and the candidate nearest to it
* length: of the best candidate, a logarithm of words: the longer, the less of it is what was asked
* foreign_word: how much nearer the best candidate comes when the question leaves out one of the
  words that do not stand near the candidate: a paraphrase is missed, an exchanged word is not
* numbers_missing: the question has a number that does not stand there
* opposites: terms of which the opposite stands near the candidate (first, last; paid, unpaid), in
  place of the term
* opposites_elsewhere: there is none of these, but the opposite of a term that stands in no passage
* negation_missing: the question denies something, the candidate does not deny the same
* negation_added: the candidate denies something of the question that the question does not
* wrong_type: the question asks for a date, number, person or place and there is none
"""

import math
import re

from agents.extractive.answer_types import NUMBER
from agents.extractive.candidates import Candidate
from agents.extractive.opposites import count_opposites, denials
from agents.extractive.question import Question

INTERCEPT = -4.5
WEIGHTS = {
    "best_cosine": 6.4,
    "length": 0.3,
    "foreign_word": -13.3,
    "numbers_missing": -2.6,
    "opposites": -2.7,
    "opposites_elsewhere": -0.9,
    "negation_missing": -3.4,
    "negation_added": -1.1,
    "wrong_type": -0.7,
}

# How many terms behind a word that denies something are what it denies: in a question, in a
# sentence, where the denied word may come late, and right behind it.
ASKED_REACH, SAID_REACH, NEXT = 2, 6, 1

# A question of few words resembles no sentence much: it is enough that one has them all.
SHORT_QUESTION = 3
SHORT_CONFIDENCE = 0.4

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_DOUBTS = WEIGHTS.keys() - {"best_cosine", "length", "foreign_word"}


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
    opposites = count_opposites(asked.weights.keys(), best.near_terms)
    return {
        "best_cosine": best_cosine,
        "length": math.log1p(len(best.unit.text.split())),
        "foreign_word": foreign_word,
        "numbers_missing": _numbers_missing(asked, best),
        "opposites": float(opposites),
        "opposites_elsewhere": float(not opposites and _has_opposite_elsewhere(asked, best)),
        "negation_missing": float(_negation_missing(asked, best)),
        "negation_added": float(_negation_added(asked, best)),
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


def _has_opposite_elsewhere(asked: Question, best: Candidate) -> bool:
    return count_opposites(asked.weights.keys() - best.all_terms, best.all_terms) > 0


def _negation_missing(asked: Question, best: Candidate) -> bool:
    said = frozenset[str]().union(*denials(best.unit.text, asked.language, SAID_REACH))
    asked_for = denials(asked.text, asked.language, ASKED_REACH)
    return any(denied and denied.isdisjoint(said) for denied in asked_for)


def _negation_added(asked: Question, best: Candidate) -> bool:
    denied = frozenset[str]().union(*denials(asked.text, asked.language, SAID_REACH))
    said = frozenset[str]().union(*denials(best.unit.text, asked.language, NEXT))
    # A question takes for true what it asks about; keywords, or a request to sum up, do not.
    is_question = asked.text.rstrip().endswith("?")
    return is_question and not said.isdisjoint(asked.weights.keys() - denied)
