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
ALWAYS = {"best_cosine", "length"}


@pytest.mark.parametrize(
    ("question", "raised"),
    [
        pytest.param("What did Ann buy in 2019?", set(), id="answered"),
        pytest.param("What did Ann buy in 2018?", {"numbers_missing"}, id="another number"),
        pytest.param("What did Ann sell in 2019?", {"opposites"}, id="opposite"),
        pytest.param("What did Ann not buy in 2019?", {"negation_missing"}, id="negation"),
        pytest.param("What did Ann never buy?", {"negation_missing"}, id="another denial"),
        pytest.param("Who is Ann?", set(), id="nothing but what stands there"),
        pytest.param("How many mills did Ann buy?", set(), id="a year is a number"),
    ],
)
def test_signs_tell_what_the_candidate_lacks(question: str, raised: set[str]) -> None:
    asked, best = read(question)

    signs = read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)

    assert {name for name, value in signs.items() if value} == raised | ALWAYS


@pytest.mark.parametrize(
    ("question", "raised"),
    [
        pytest.param("Who does not smoke?", set(), id="the same is denied"),
        pytest.param("Who smokes?", {"negation_added"}, id="nothing is denied"),
        pytest.param("Who does not pay?", {"negation_missing"}, id="something else is denied"),
        pytest.param("Who does not pay and never smokes?", {"negation_missing"}, id="one of two"),
    ],
)
def test_question_and_candidate_deny_the_same(question: str, raised: set[str]) -> None:
    asked, best = read(question, "The tenants pay, and they do not smoke.")

    signs = read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)

    assert {name for name in signs if name.startswith("negation") and signs[name]} == raised


@pytest.mark.parametrize(
    ("passages", "raised"),
    [
        pytest.param(["Ann buys mills."], "opposites", id="near"),
        pytest.param(["Ann has mills.", "They buy mills."], "opposites_elsewhere", id="elsewhere"),
    ],
)
def test_opposite_counts_where_it_stands(passages: list[str], raised: str) -> None:
    asked, best = read("What did Ann sell?", *passages)

    signs = read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)

    assert {name for name in signs if name.startswith("opposites") and signs[name]} == {raised}


def test_opposite_elsewhere_of_a_word_that_is_there_counts_nothing() -> None:
    asked, best = read("What did Ann sell?", "Ann has mills.", "They buy and sell mills.")

    signs = read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)

    assert signs["opposites"] == signs["opposites_elsewhere"] == 0


def test_question_is_shortened_by_each_word_that_is_foreign() -> None:
    asked, best = read("What did Meg buy in Paris?")

    assert without_each_foreign_word(asked, best) == [
        "What did buy in Paris?",
        "What did Meg buy in ?",
    ]


def test_each_doubt_lowers_the_confidence() -> None:
    asked, best = read("What did Ann buy in 2019 at the market?")
    plain = read_signs(asked, best, best_cosine=0.8, foreign_word=0.0)

    doubts = plain.keys() - ALWAYS
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
