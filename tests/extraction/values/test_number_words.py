import re
from decimal import Decimal

import pytest

from extraction.values.number_words import FIRST_NUMBER_WORD, NUMBER_WORDS, read_number_words


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("two", 2, id="unit"),
        pytest.param("twenty-five", 25, id="hyphen"),
        pytest.param("one hundred and twenty", 120, id="and"),
        pytest.param("two thousand five hundred", 2_500, id="thousands"),
        pytest.param("one million two hundred thousand and one", 1_200_001, id="millions"),
        pytest.param("two three", None, id="two numbers"),
        pytest.param("twenty ten", None, id="teen behind a ten"),
    ],
)
def test_words_are_read(words: str, expected: int | None) -> None:
    assert re.fullmatch(NUMBER_WORDS, words)
    assert read_number_words(words) == (expected and Decimal(expected))


def test_number_in_words_begins_a_word() -> None:
    assert not re.search(FIRST_NUMBER_WORD, "often, someone, tension")
