import pytest

from indexing.partition.word.english_numbers import cardinal, ordinal


@pytest.mark.parametrize(
    ("number", "words", "place"),
    [
        (1, "One", "First"),
        (4, "Four", "Fourth"),
        (12, "Twelve", "Twelfth"),
        (19, "Nineteen", "Nineteenth"),
        (20, "Twenty", "Twentieth"),
        (43, "Forty-three", "Forty-third"),
        (99, "Ninety-nine", "Ninety-ninth"),
    ],
)
def test_numbers_are_written_in_words(number: int, words: str, place: str) -> None:
    assert (cardinal(number), ordinal(number)) == (words, place)
