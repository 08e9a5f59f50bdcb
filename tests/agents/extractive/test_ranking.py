from collections.abc import Sequence

import numpy as np

from agents.extractive.candidates import find_candidates
from agents.extractive.question import read_question
from agents.extractive.ranking import Floats, rank_features, score_candidates
from indexing.embedding import MiniLMEmbedder

PASSAGES = [
    "Heating is paid by the tenant. The monthly rent is EUR 900. The rent is paid by transfer.",
    "The garden may be used. Dogs are welcome.",
]


def test_sentence_that_answers_scores_best(embedder: MiniLMEmbedder) -> None:
    scores = score_candidates(features("How much is the monthly rent?", embedder))

    assert scores.argmax() == 1


def test_features_say_what_speaks_for_a_candidate(embedder: MiniLMEmbedder) -> None:
    found = features("How much is the monthly rent?", embedder)

    assert found["coverage"][1] == 1
    assert found["phrases"].argmax() == 1
    assert found["wrong_type"].tolist() == [1, 0, 1, 1, 1]
    assert found["coverage_around"][2] > 0
    assert found["passage_rank"].tolist() == [1, 1, 1, 0.5, 0.5]
    assert found["passage_cosine"][0] == found["passage_cosine"][2] > found["passage_cosine"][3]


def test_score_is_the_weighted_sum() -> None:
    zeros = dict.fromkeys(
        ("coverage", "coverage_around", "phrases", "wrong_type", "passage_cosine", "passage_rank"),
        np.zeros(1),
    )

    scores = [
        float(score_candidates({"cosine": np.array([one]), **zeros})[0]) for one in (0.0, 0.5, 1.0)
    ]

    assert scores[0] == 0
    assert scores[2] == 2 * scores[1] > 0


def features(question: str, embedder: MiniLMEmbedder) -> dict[str, Floats]:
    candidates = find_candidates(PASSAGES, "english")
    asked = read_question(question, [one.own_terms for one in candidates], "english")
    texts: Sequence[str] = [question, *(one.in_context for one in candidates)]
    vectors = embedder.embed(texts)
    return rank_features(asked, candidates, vectors[0], vectors[1:])
