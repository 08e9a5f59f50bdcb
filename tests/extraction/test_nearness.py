"""How near to a field's own words a place on a page is."""

import pytest

from extraction.nearness import nearness_to, word_places
from extraction.types import FieldType, RequestedField


def nearness(name: str, text: str, value: str, description: str = "") -> float:
    places = word_places(text)
    start = text.index(value)
    field = RequestedField(name, description, FieldType.NUMBER)
    return nearness_to(field, [places])(places, start, start + len(value))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("total", "Total 10.60", id="a word"),
        pytest.param("invoiceDate", "Invoice date 10.60", id="words in one"),
        pytest.param("total_amounts", "Total amount: 10.60", id="underscore and plural"),
        pytest.param("Übersicht", "UEBERSICHT Übersicht 10.60", id="accent"),
    ],
)
def test_the_words_of_a_field_right_in_front_are_near(name: str, text: str) -> None:
    assert nearness(name, text, "10.60") > 0.8


def test_a_word_is_less_near_the_farther_it_is() -> None:
    beside = nearness("total", "Total 10.60", "10.60")
    above = nearness("total", "Total\nItems of this week\n10.60", "10.60")
    far = nearness("total", "Total" + " ." * 400 + "10.60", "10.60")

    assert beside > above > far
    assert far < 0.01


def test_a_word_in_front_counts_more_than_one_behind() -> None:
    assert nearness("total", "Total 1.5", "1.5") > nearness("total", "1.5 total", "1.5") > 0.6


def test_the_name_counts_more_than_the_description() -> None:
    text = "Grand 1.5" + " ." * 400 + "sum 2.5"

    assert nearness("grand", text, "1.5", "sum") > nearness("grand", text, "2.5", "sum") > 0.2


def test_a_word_that_stands_everywhere_tells_less() -> None:
    text = "Rent 1.5 Rent Rent Rent Rent" + " ." * 400 + "break 2.5"

    assert nearness("break rent", text, "2.5") > nearness("break rent", text, "1.5")


def test_words_that_no_page_has_tell_nothing() -> None:
    assert nearness("total zebra", "Total 1.5", "1.5") == nearness("total", "Total 1.5", "1.5")
    assert nearness("zebra", "Total 1.5", "1.5") == 0
