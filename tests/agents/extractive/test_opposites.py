import pytest

from agents.extractive.opposites import count_opposites, is_negated
from indexing.terms import terms


@pytest.mark.parametrize(
    ("asked", "said", "count"),
    [
        pytest.param("first", "last", 1, id="opposite"),
        pytest.param("last", "first", 1, id="the other way round"),
        pytest.param("paid", "unpaid", 1, id="prefix said"),
        pytest.param("unpaid", "paid", 1, id="prefix asked"),
        pytest.param("northern", "the western gate", 1, id="one of four"),
        pytest.param("first", "first and last", 0, id="both are said"),
        pytest.param("gate", "door", 0, id="other words"),
        pytest.param("first buy", "last sell", 2, id="two"),
    ],
)
def test_opposites_are_counted(asked: str, said: str, count: int) -> None:
    assert count_opposites(frozenset(terms(asked)), frozenset(terms(said))) == count


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("It is not paid.", True),
        ("It isn't paid.", True),
        ("Pets are prohibited.", True),
        ("Der Vertrag gilt nicht.", True),
        ("Not only pets are allowed.", False),
        ("It no longer applies.", False),
        ("It is paid.", False),
    ],
)
def test_negation_is_told(text: str, negated: bool) -> None:
    assert is_negated(text) == negated
