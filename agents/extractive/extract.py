"""Answer a question with sentences of the passages themselves: the model that is always there.

Two linear models do it, both of few and readable features: one orders the candidates
(`ranking.py`), the other tells whether the best of them answers (`confidence.py`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agents.content_words import language_of
from agents.extractive.candidates import Candidate, find_candidates, most_promising
from agents.extractive.confidence import (
    estimate_confidence,
    read_signs,
    without_each_foreign_word,
)
from agents.extractive.question import Question, read_question
from agents.extractive.ranking import Floats, rank_features, score_candidates
from agents.extractive.selection import ExtractedSentence, select_sentences
from indexing.embedding import Vectors
from indexing.language import DEFAULT_LANGUAGE

MAX_EMBEDDED = 16

MIN_CONFIDENCE = 0.25
"""Below it nothing is extracted. Of squad's answerable questions, 6 % are refused so."""


@dataclass(frozen=True, slots=True)
class Extract:
    """What the passages say about a question; no sentences when they do not answer it."""

    sentences: tuple[ExtractedSentence, ...]
    confidence: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class Ranked:
    """The candidates in the order of their passages, and what there is to know about them."""

    asked: Question
    candidates: Sequence[Candidate]
    scores: Floats
    vectors: Vectors
    signs: dict[str, float]  # of the best candidate

    @property
    def best(self) -> Candidate:
        """The candidate with the highest score."""
        return self.candidates[int(np.argmax(self.scores))]


def extract(
    question: str, passages: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
) -> Extract:
    """Return the few sentences of the passages, best passage first, that answer a question.

    `embed` returns one row of length 1 per text.
    """
    ranked = rank(question, passages, embed)
    if ranked is None:
        return Extract((), 0.0)
    confidence = estimate_confidence(ranked.asked, ranked.best, ranked.signs)
    if confidence < MIN_CONFIDENCE:
        return Extract((), confidence)
    chosen = select_sentences(ranked.asked, ranked.candidates, ranked.scores, ranked.vectors)
    return Extract(chosen, confidence)


def rank(
    question: str, passages: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
) -> Ranked | None:
    """Rank what might answer; None where the passages hold nothing to be quoted."""
    language = language_of(" ".join(passages)) or DEFAULT_LANGUAGE
    candidates = find_candidates(passages, language)
    asked = read_question(question, [candidate.own_terms for candidate in candidates], language)
    candidates = most_promising(asked, candidates, MAX_EMBEDDED)
    if not candidates:
        return None
    vectors = embed([asked.text, *(candidate.in_context for candidate in candidates)])
    features = rank_features(asked, candidates, vectors[0], vectors[1:])
    scores = score_candidates(features)
    best = int(np.argmax(scores))

    cosines = features["cosine"]
    shortened = without_each_foreign_word(asked, candidates[best])
    nearer = embed(shortened) @ vectors[1 + best] - cosines[best] if shortened else np.zeros(1)
    signs = read_signs(
        asked,
        candidates[best],
        best_cosine=float(cosines.max()),
        foreign_word=max(0.0, float(nearer.max())),
    )
    return Ranked(asked, candidates, scores, vectors[1:], signs)
