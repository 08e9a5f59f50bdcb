import numpy as np
import pytest

from indexing.partition.pdf.tables.typed_words import MIN_WORDS, goes_on

LETTER = 6.0


@pytest.mark.parametrize(
    ("before", "space", "word", "goes"),
    [
        ("Deck", 1, "lamp", True),
        ("Deck", 2, "lamp", False),
        ("size", 1, "40", True),
        ("Lamps", 1, "29,341.00", False),
        ("12.50", 1, "9", False),
        ("25", 1, "kg", True),
    ],
)
def test_a_word_goes_on_behind_one_space_unless_it_is_a_figure(
    before: str, space: int, word: str, goes: bool
) -> None:
    words = [*["Lamp"] * MIN_WORDS, before, word]
    gaps = [3 * LETTER] * MIN_WORDS + [space * LETTER]

    assert _goes_on(words, gaps)[-1] == goes


def test_letters_of_many_widths_tell_nothing() -> None:
    words = ["Lamp"] * (2 * MIN_WORDS)
    widths = [20.0 + 2 * (number % 3) for number in range(len(words))]

    assert not any(_goes_on(words, [LETTER] * (len(words) - 1), widths))


def _goes_on(words: list[str], gaps: list[float], widths: list[float] | None = None) -> list[bool]:
    counts = np.array([len(word) for word in words])
    begin_with_digit = np.array([word[0].isdecimal() for word in words])
    drawn = np.array(widths) if widths else LETTER * counts
    told: list[bool] = goes_on(drawn, np.array(gaps), counts, begin_with_digit).tolist()
    return told
