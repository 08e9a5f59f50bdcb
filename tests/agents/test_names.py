import pytest

from agents.names import LONGEST_TEXT, is_date, is_small_word, names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Who directed Jaws?", ["Jaws"], id="one word"),
        pytest.param("Which singer is Mark King?", ["Mark King"], id="several words"),
        pytest.param("Is Haymo of Faversham a scholar?", ["Haymo of Faversham"], id="small word"),
        pytest.param("What do E. B. White and I share?", ["E. B. White"], id="initials"),
        pytest.param('Who sang "the long road"?', ["the long road"], id="quotation"),
        pytest.param("Is INV-2024-001 paid?", ["INV-2024-001"], id="identifier"),
        pytest.param("Did Big Hero 6 win?", ["Big Hero 6"], id="number at the end"),
        pytest.param("What is Siemens' revenue?", ["Siemens"], id="bare possessive"),
        pytest.param("What is Bosch's revenue?", ["Bosch"], id="possessive"),
        pytest.param("Bosch met Bosch.", ["Bosch"], id="once"),
        pytest.param("Der Vertrag von Österreich", ["Vertrag von Österreich"], id="accent"),
        pytest.param("Die Straße nach Łódź", ["Straße", "Łódź"], id="capital with a stroke"),
        pytest.param("kto śpiewa łagodnie", [], id="small letters with strokes"),
        pytest.param("В Москве", ["В Москве"], id="Cyrillic"),
        pytest.param("東京はどこですか", [], id="script without capitals"),
        pytest.param("In March 2019 it was signed.", [], id="a date is no name"),
        pytest.param("When does the lease end?", [], id="none"),
        pytest.param("Heinkel\nThe plane flew.", ["Heinkel"], id="heading above a text"),
    ],
)
def test_names_are_found(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_small_words_are_those_of_all_languages() -> None:
    assert all(map(is_small_word, ("The", "der", "où", "qué", "perché")))
    assert not is_small_word("lease")


def test_end_of_a_very_long_text_is_not_looked_at() -> None:
    assert names("x " * LONGEST_TEXT + "Bosch") == []


def test_dates_are_told_in_all_languages() -> None:
    assert all(map(is_date, ("March 2019", "1 août", "März", "2023")))
    assert not is_date("March Ltd")
