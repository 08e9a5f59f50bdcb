import pytest

from agents.extractive.opposites import count_opposites, denials
from indexing.terms import terms


@pytest.mark.parametrize(
    ("asked", "said", "count"),
    [
        pytest.param("first", "last", 1, id="opposite"),
        pytest.param("last", "first", 1, id="the other way round"),
        pytest.param("paid", "unpaid", 1, id="prefix said"),
        pytest.param("unpaid", "paid", 1, id="prefix asked"),
        pytest.param("northern", "the western gate", 1, id="one of four"),
        pytest.param("two", "three", 1, id="number in words"),
        pytest.param("important", "port", 0, id="prefix that denies nothing"),
        pytest.param("first", "first and last", 0, id="both are said"),
        pytest.param("gate", "door", 0, id="other words"),
        pytest.param("first buy", "last sell", 2, id="two"),
    ],
)
def test_opposites_are_counted(asked: str, said: str, count: int) -> None:
    assert count_opposites(frozenset(terms(asked)), frozenset(terms(said))) == count


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("It is not paid before March.", {"paid"}),
        ("It isn't paid.", {"paid"}),
        ("The landlord prohibits pets.", {"pet"}),
        ("Pets are prohibited.", {"pet"}),
        ("It no longer applies.", {"longer"}),
        ("Not only pets are allowed.", None),
        ("Answer yes or no.", None),
        ("See No. 7.", None),
        ("It is paid.", None),
    ],
)
def test_denial_denies_what_follows_it(text: str, denied: set[str] | None) -> None:
    assert denials(text, "english", 1) == ([] if denied is None else [denied])


def test_denial_at_the_end_denies_what_stands_before_it() -> None:
    assert denials("Der Vertrag gilt nicht.", "german", 1) == [{"gilt"}]


def test_denial_reaches_as_far_as_told() -> None:
    assert denials("Never sell the old mill.", "english", 2) == [{"sell", "old"}]
