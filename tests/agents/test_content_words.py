import pytest

from agents.content_words import capitalised, content_words, language_of, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("the lease ends", "LEASES ended", id="endings"),
        pytest.param("company", "companies'", id="plural in ies"),
        pytest.param("die Mieten", "der Miete", id="German"),
        pytest.param("Müller", "Mu\u0308ller", id="composed otherwise"),
        pytest.param("café", "cafe", id="accent"),
        pytest.param("\uff28\uff34\uff2d\uff2c", "html", id="width"),
        pytest.param("the tenant's", "tenant", id="possessive"),
    ],
)
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert words(one) & words(other)


def test_script_without_spaces_is_cut_into_pairs() -> None:
    assert words("契約は終わる") == {"契約", "約は", "は終", "終わ", "わる"}


def test_numbers_and_single_letters_are_no_words() -> None:
    assert words("a 12, B 3.5: Q3") == {"q3"}


def test_stop_words_carry_no_meaning() -> None:
    assert content_words("It was the rent for us", "english") == {"rent", "us"}
    assert content_words("Das ist für die Miete", "german") == {"miet"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("The tenant is Ocean Bakery.", ["Ocean", "Bakery"], id="within"),
        pytest.param("Rent rises. It is due.", [], id="first of a sentence"),
        pytest.param("Due in March, says McBride's", ["March", "McBride"], id="possessive"),
        pytest.param("the ACL's FLAN-T5 and Élodie", ["ACL", "FLAN-T5", "Élodie"], id="others"),
        pytest.param("- Rent: Due", [], id="first of an item"),
    ],
)
def test_names_have_a_capital_within_a_sentence(text: str, found: list[str]) -> None:
    assert capitalised(text) == found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the rent of this place and when is it due?", "english"),
        ("Die Miete ist am Ende des Monats fällig und wird von uns bezahlt.", "german"),
        ("Le loyer est dû à la fin du mois pour les locataires.", "french"),
        ("rent 1250", ""),
    ],
)
def test_stop_words_tell_the_language(text: str, language: str) -> None:
    assert language_of(text) == language
