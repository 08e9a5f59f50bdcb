import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.types import Found
from extraction.values.writing import NARROW_SPACE, as_one_value, folded, plain, without_overlaps


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("１２．５％", "12.5%", id="wide"),
        pytest.param("٣٫٥٪", "3,5%", id="arabic"),
        pytest.param("१२", "12", id="devanagari"),
        pytest.param("−5 – 6", "-5 - 6", id="dashes"),
        pytest.param("1\u202f234", f"1{NARROW_SPACE}234", id="narrow space"),
        pytest.param("1’234", "1'234", id="apostrophe"),
        pytest.param("März", "Marz", id="accent"),
        pytest.param("m²", "m²", id="a raised two is no two"),
        pytest.param("2024년", "2024년", id="hangul stays whole"),
    ],
)
def test_signs_are_written_in_one_way(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_folded_is_plain_in_small_letters() -> None:
    assert folded("ÉTÉ İstanbul") == "ete istanbul"


@given(st.text())
def test_places_stay_what_they_are(text: str) -> None:
    assert len(folded(text)) == len(plain(text)) == len(text)


def test_spaces_of_one_value_are_narrow() -> None:
    assert as_one_value(" 1 234.56 EUR") == f"1{NARROW_SPACE}234.56 EUR"


def test_of_values_that_overlap_the_first_and_longest_stays() -> None:
    long, short, late, free = (
        Found(0, 5, "a"),
        Found(0, 3, "b"),
        Found(4, 9, "c"),
        Found(9, 10, "d"),
    )

    assert without_overlaps([free, late, short, long]) == [long, free]
