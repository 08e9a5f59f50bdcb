import pytest

from agents.history import MAX_CHARACTERS, MAX_TURNS, Turn, latest_turns, search_query

LAST = [Turn("Who is the tenant?", "Harbour Light."), Turn("When does the lease end?", "In March.")]


def test_latest_turns_are_kept_in_order() -> None:
    turns = [Turn(str(number), "") for number in range(MAX_TURNS + 2)]

    assert latest_turns(turns) == turns[2:]


def test_turns_that_do_not_fit_are_left_out_from_the_oldest_on() -> None:
    long = "x" * (MAX_CHARACTERS // 2 - 1)
    turns = [Turn("1", ""), Turn("2", long), Turn("3", long)]

    assert latest_turns(turns) == turns[1:]


def test_turn_that_is_too_long_alone_is_left_out() -> None:
    assert latest_turns([Turn("1", "x" * MAX_CHARACTERS)]) == []


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Can it be renewed for two years by the tenant?", id="pronoun"),
        pytest.param("And what is the yearly rent of the warehouse?", id="and"),
        pytest.param("What about the deposit that was paid by the tenant?", id="what about"),
        pytest.param("who are THEY in the second clause of the lease?", id="any case"),
        pytest.param("The deposit?", id="few words"),
    ],
)
def test_question_that_leans_is_searched_with_the_last(question: str) -> None:
    assert search_query(question, LAST) == f"When does the lease end? {question}"


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("How much is the yearly rent of the warehouse?", id="whole"),
        pytest.param("Which itinerary does the carrier Northline follow?", id="part of a word"),
    ],
)
def test_question_that_stands_alone_is_searched_alone(question: str) -> None:
    assert search_query(question, LAST) == question


def test_first_question_is_searched_alone() -> None:
    assert search_query("When does it end?", []) == "When does it end?"
