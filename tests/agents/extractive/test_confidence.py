import pytest

from agents.extractive.candidates import Candidate, find_candidates
from agents.extractive.confidence import (
    SHORT_CONFIDENCE,
    estimate_confidence,
    read_signs,
    without_each_foreign_word,
)
from agents.extractive.question import Question, read_question

PASSAGE = "In 2019 Ann decided to buy the old mill. It was restored by her son."


@pytest.mark.parametrize(
    ("question", "raised"),
    [
        pytest.param("What did Ann buy in 2019?", set(), id="answered"),
        pytest.param("What did Ann buy in 2018?", {"numbers_missing"}, id="another number"),
        pytest.param("What did Ann sell in 2019?", {"opposites"}, id="opposite"),
        pytest.param("What did Ann not buy in 2019?", {"negation_missing"}, id="negation"),
        pytest.param("Who is Ann?", set(), id="nothing but what stands there"),
        pytest.param("How many mills did Ann buy?", set(), id="a year is a number"),
    ],
)
def test_signs_tell_what_the_candidate_lacks(question: str, raised: set[str]) -> None:
    asked, best = read(question)

    signs = read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)

    assert {name for name, value in signs.items() if value} == raised | {"best_cosine"}


def test_opposite_of_a_word_that_stands_nowhere_may_stand_elsewhere() -> None:
    asked, best = read("What did Ann sell?", PASSAGE, "They buy mills.")

    assert read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)["opposites"] == 1


def test_question_is_shortened_by_each_word_that_is_foreign() -> None:
    asked, best = read("What did Meg buy in Paris?")

    assert without_each_foreign_word(asked, best) == [
        "What did buy in Paris?",
        "What did Meg buy in ?",
    ]


def test_each_doubt_lowers_the_confidence() -> None:
    asked, best = read("What did Ann buy in 2019 at the market?")
    plain = read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)

    doubts = [name for name in plain if name != "best_cosine"]
    lowered = [estimate_confidence(asked, best, plain | {name: 0.5}) for name in doubts]

    assert max(lowered) < estimate_confidence(asked, best, plain) < 1


def test_short_question_needs_no_resemblance_when_all_its_words_are_there() -> None:
    asked, best = read("old mill")

    assert (
        estimate_confidence(asked, best, read_signs(asked, best, best_cosine=0.0, foreign_word=0.0))
        == SHORT_CONFIDENCE
    )


def test_short_question_with_a_word_that_is_missing_needs_it() -> None:
    asked, best = read("new mill")

    assert (
        estimate_confidence(asked, best, read_signs(asked, best, best_cosine=0.0, foreign_word=0.0))
        < 0.1
    )


def read(question: str, *passages: str) -> tuple[Question, Candidate]:
    candidates = find_candidates(passages or [PASSAGE], "english")
    terms = [one.own_terms for one in candidates]
    return read_question(question, terms, "english"), candidates[0]
