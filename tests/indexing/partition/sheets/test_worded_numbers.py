import pytest

from indexing.partition.sheets.worded_numbers import parse_number_words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        pytest.param('"yes";"yes";"no"', ["yes", "yes", "no"], id="yes and no"),
        pytest.param('"yes";;"no"', [None, "yes", "no"], id="nothing for negative numbers"),
        pytest.param('[Green]"up";[Red]"down"', ["down", "up", "up"], id="coloured"),
        pytest.param('[=0]"no";"yes"', ["yes", "yes", "no"], id="a condition"),
        pytest.param('[=1]"one";[>1]"more"', [None, "one", None], id="no word for the rest"),
        pytest.param('"high";"low";"none";@', ["low", "high", "none"], id="texts of their own"),
    ],
)
def test_words_stand_for_numbers(code: str, words: list[str | None]) -> None:
    found = parse_number_words(code)

    assert found is not None
    assert [found.shown(value) for value in (-1, 1, 0)] == words


@pytest.mark.parametrize(
    ("code", "value", "word"),
    [
        pytest.param('"yes";"yes";"no"', 2.5, None, id="an amount"),
        pytest.param('[<50]"low";"high"', 1, None, id="a range"),
        pytest.param('[=1]"male";[=2]"female"', 2, "female", id="a number of its own"),
    ],
)
def test_words_do_not_hide_amounts(code: str, value: float, word: str | None) -> None:
    found = parse_number_words(code)

    assert found is not None
    assert found.shown(value) == word


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("", id="none"),
        pytest.param('"hidden"', id="one word"),
        pytest.param('"hidden";"hidden";"hidden"', id="one word for all"),
        pytest.param('0" up";0" down"', id="numbers"),
        pytest.param('0;-0;"none"', id="a word for zero alone"),
        pytest.param('"▲";"▼";"–"', id="signs"),
        pytest.param("mmm;yyyy", id="dates"),
        pytest.param(";;;", id="nothing"),
    ],
)
def test_other_formats_are_no_words(code: str) -> None:
    assert parse_number_words(code) is None
