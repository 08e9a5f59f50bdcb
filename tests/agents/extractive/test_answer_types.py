import pytest

from agents.extractive.answer_types import expected_answer, is_broad


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        pytest.param("When does it end?", "in March", "soon", id="date"),
        pytest.param("In what year did it end?", "in 1987", "at 18", id="year"),
        pytest.param("How many rooms are there?", "three rooms", "some rooms", id="number"),
        pytest.param("What percentage is paid?", "30 %", "a share", id="share"),
        pytest.param("Where does she live?", "in Vienna", "at home", id="place"),
        pytest.param("Who signs?", "signed by the landlord", "signed yesterday", id="person"),
        pytest.param("Wann endet der Vertrag?", "am 31.03.2027", "bald", id="german date"),
        pytest.param("Combien coûte le loyer ?", "il coûte 900 euros", "il coûte", id="french"),
        pytest.param("¿Cuántos pagos hay?", "hay 12 pagos", "hay pagos", id="spanish number"),
    ],
)
def test_answer_of_the_expected_type_is_told(question: str, answer: str, other: str) -> None:
    expected = expected_answer(question)

    assert expected is not None
    assert expected.search(answer)
    assert not expected.search(other)


def test_question_may_expect_anything() -> None:
    assert expected_answer("What is covered by the warranty?") is None


@pytest.mark.parametrize(
    ("question", "broad"),
    [
        ("Summarise the lease.", True),
        ("Why was it ended?", True),
        ("How is a claim made?", True),
        ("When does it end?", False),
        ("How many rooms are there?", False),
    ],
)
def test_broad_question_is_told_from_one_for_a_fact(question: str, broad: bool) -> None:
    assert is_broad(question) == broad
