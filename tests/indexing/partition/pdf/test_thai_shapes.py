import pytest

from indexing.partition.pdf.joining_letters import NOT_WRITTEN
from indexing.partition.pdf.thai_shapes import with_letters

NO, TONE, NIKHAHIT, AA, AM = "\u0e19", "\u0e49", "\u0e4d", "\u0e32", "\u0e33"


@pytest.mark.parametrize(
    ("shapes", "letters"),
    [
        pytest.param("\uf70a\uf706\uf715", "\u0e48\u0e49\u0e4a", id="tones"),
        pytest.param("\uf701\uf710\uf718", "\u0e34\u0e31\u0e38", id="vowels"),
        pytest.param("\uf700\uf70f", "\u0e10\u0e0d", id="letters without what is below them"),
        pytest.param("\uf88b\uf885\uf89b", "\u0e48\u0e34\u0e38", id="of the Macintosh"),
    ],
)
def test_a_shape_is_read_as_its_letter(shapes: str, letters: str) -> None:
    assert with_letters(NO + shapes) == NO + letters


@pytest.mark.parametrize(
    "halves",
    [
        pytest.param(NIKHAHIT + AA, id="two halves"),
        pytest.param(AM + AA, id="the whole and a half"),
        pytest.param(AM + AM, id="the whole twice"),
    ],
)
def test_the_halves_of_a_vowel_are_one(halves: str) -> None:
    assert with_letters(NO + halves) == NO + AM + NOT_WRITTEN


@pytest.mark.parametrize(("first", "second"), [(NIKHAHIT, AA), (AM, AM)])
def test_a_tone_between_the_halves_stands_before_the_vowel(first: str, second: str) -> None:
    assert with_letters(NO + first + TONE + second) == NO + TONE + AM + NOT_WRITTEN


@pytest.mark.parametrize("text", ["\uf70a in another script", NO + AA + NIKHAHIT])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert with_letters(text) == text
