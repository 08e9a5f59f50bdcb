import pytest

from agents.decomposition import leads, parts
from tests.agents.chunks import chunk

JAWS = chunk(1, "Jaws\nJaws is a 1975 film directed by Steven Spielberg.")
CREW = chunk(2, "The film Jaws was produced by Richard Zanuck.")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param(
            "Who is the oldest, Sid Haig or Vic Darchinyan?",
            ["Sid Haig oldest", "Vic Darchinyan oldest"],
            id="or",
        ),
        pytest.param(
            "Are Medici and Senet both board games?",
            ["Medici board games", "Senet board games"],
            id="both",
        ),
        pytest.param(
            "Is Siemens's revenue higher than that of Bosch?",
            ["Siemens revenue higher", "Bosch revenue higher"],
            id="than",
        ),
        pytest.param(
            "How did the profit of Acme change from 2021 to 2023?",
            ["2021 profit Acme change", "2023 profit Acme change"],
            id="years",
        ),
        pytest.param(
            "Was ist der Unterschied zwischen Opel und Ford?",
            ["Opel Unterschied", "Ford Unterschied"],
            id="German",
        ),
        pytest.param(
            "Quelle est la différence entre Renault et Peugeot ?",
            ["Renault différence", "Peugeot différence"],
            id="French",
        ),
        pytest.param(
            "¿Qué empresa es mayor, Repsol o Iberdrola?",
            ["Repsol empresa mayor", "Iberdrola empresa mayor"],
            id="Spanish",
        ),
        pytest.param(
            "What is the rent and when is it due?",
            ["What is the rent", "when is it due? rent"],
            id="two questions",
        ),
        pytest.param(
            "Who leads Opel, and where is Ford based?",
            ["Who leads Opel", "where is Ford based?"],
            id="two questions with their own names",
        ),
        pytest.param("Who founded Ben and Jerry?", [], id="and alone compares nothing"),
        pytest.param("What is the capital of France?", [], id="one name"),
        pytest.param("Is the rent higher or lower?", [], id="no names"),
    ],
)
def test_question_is_taken_apart(question: str, expected: list[str]) -> None:
    assert parts(question, 3) == expected


def test_question_has_no_more_parts_than_asked_for() -> None:
    assert len(parts("Which is older, Opel or Ford or Fiat or Saab?", 2)) == 2


def test_names_that_the_best_passages_bring_in_are_searched_with_what_they_leave_open() -> None:
    found = list(leads("Where was the director of Jaws born?", [JAWS, CREW]))

    assert found == ["Steven Spielberg director born", "Richard Zanuck director born"]


def test_passages_that_have_all_words_of_the_question_lead_nowhere() -> None:
    assert list(leads("Who directed the film Jaws?", [JAWS])) == []


def test_only_the_best_passages_lead_on() -> None:
    nowhere = chunk(3, "this names nothing")

    assert list(leads("Where was he born?", [nowhere, nowhere, JAWS])) == []


def test_text_in_the_place_of_a_question_is_not_taken_apart() -> None:
    text = "Is Opel older than Ford? " * 100

    assert parts(text, 3) == []
    assert list(leads(text, [JAWS])) == []
