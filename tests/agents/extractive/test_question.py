import pytest

from agents.extractive.question import read_question

CANDIDATES = [{"leas", "end"}, {"leas", "begin"}, {"leas", "gate"}]


def test_rare_terms_weigh_more() -> None:
    weights = read_question("When does the lease end?", CANDIDATES, "english").weights

    assert set(weights) == {"leas", "end"}
    assert weights["end"] > weights["leas"] > 0


def test_coverage_is_the_share_of_the_weight() -> None:
    asked = read_question("When does the lease end?", CANDIDATES, "english")

    assert asked.coverage({"leas", "end"}) == 1
    assert asked.coverage({"end"}) > 0.5 > asked.coverage({"leas"}) > 0
    assert asked.coverage(set()) == 0


def test_question_without_terms_is_covered_by_nothing() -> None:
    assert read_question("the", CANDIDATES, "english").coverage({"leas"}) == 0


@pytest.mark.parametrize(
    "form",
    [
        "Answer in million.",
        "Round your answer to two decimal places.",
        "Please write the answer in list format, e.g., [1].",
        "Give me an integer.",
    ],
)
def test_what_is_said_about_the_form_is_not_asked(form: str) -> None:
    asked = read_question(f"What is the rent? {form}", CANDIDATES, "english")

    assert asked.text == "What is the rent?"


def test_request_alone_is_the_question() -> None:
    assert read_question("Write down the rent.", CANDIDATES, "english").text == (
        "Write down the rent."
    )


def test_what_the_question_says_itself_is_no_answer() -> None:
    asked = read_question("Where does Ann live?", CANDIDATES, "english")

    assert asked.fits("at home in Vienna")
    assert not asked.fits("at home with Ann")


def test_terms_are_read_in_the_language_of_the_passages() -> None:
    asked = read_question("Wann enden die Mietverträge?", [], "german")

    assert asked.terms_of("der Mietvertrag") & asked.weights.keys()
