"""Order the candidates by how likely each of them answers.

`WEIGHTS` come from conditional logistic regression, so a weight times a difference between two
candidates is the logarithm of how much more likely the one is. They were fitted on SQuAD questions
of seven Wikipedia articles with the best five passages of the collection.

* cosine: of the question and the candidate below its heading
* coverage: share of the question's terms in the candidate, weighted by idf over the candidates
* coverage_around: what its heading and the sentence before add to that
* phrases: share of the question's pairs of neighbouring terms
* wrong_type: the question asks for a date, number, person or place and the candidate has none
* passage_cosine: of the question and the mean of the candidates of the same passage
* passage_rank: 1 for the best passage, 1/2 for the second, and so on
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from agents.extractive.candidates import Candidate
from agents.extractive.question import Question
from indexing.embedding import Vectors
from indexing.terms import terms

Floats = NDArray[np.float64]

WEIGHTS = {
    "cosine": 6.3,
    "coverage": 6.9,
    "coverage_around": 4.1,
    "phrases": 1.6,
    "wrong_type": -2.1,
    "passage_cosine": 4.4,
    "passage_rank": 1.7,
}

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")


def rank_features(
    asked: Question, candidates: Sequence[Candidate], question: Vectors, vectors: Vectors
) -> dict[str, Floats]:
    """Return what speaks for each candidate; `question` is its vector, `vectors` are theirs."""
    own = np.array([asked.coverage(candidate.own_terms) for candidate in candidates])
    near = np.array([asked.coverage(candidate.near_terms) for candidate in candidates])
    phrases = _phrases(asked.text, asked.language)
    shared = [len(phrases & _phrases(one.unit.text, asked.language)) for one in candidates]
    return {
        "cosine": (vectors @ question).astype(np.float64),
        "coverage": own,
        "coverage_around": near - own,
        "phrases": np.array(shared) / max(1, len(phrases)),
        "wrong_type": np.array([float(not asked.fits(one.unit.text)) for one in candidates]),
        "passage_cosine": _passage_cosines(candidates, question, vectors),
        "passage_rank": np.array([1 / (1 + candidate.passage) for candidate in candidates]),
    }


def score_candidates(features: dict[str, Floats]) -> Floats:
    """Return the score of each candidate, a logarithm of odds."""
    return np.asarray(sum(weight * features[name] for name, weight in WEIGHTS.items()))


def _phrases(text: str, language: str) -> frozenset[tuple[str, str]]:
    """Return the pairs of terms that follow each other."""
    in_order = [term for word in _WORD.findall(text) for term in terms(word, language)]
    return frozenset(pairwise(in_order))


def _passage_cosines(
    candidates: Sequence[Candidate], question: Vectors, vectors: Vectors
) -> Floats:
    """Return how near the middle of its passage's candidates is to the question, for each."""
    passages = np.array([candidate.passage for candidate in candidates])
    cosines = np.empty(len(passages))
    for passage in np.unique(passages):
        middle = vectors[passages == passage].sum(axis=0)
        length = float(np.linalg.norm(middle)) or 1.0
        cosines[passages == passage] = float(middle @ question) / length
    return cosines
