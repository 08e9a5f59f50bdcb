import pytest

from indexing.cyrillic_words import with_cyrillic


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("HOBO", "ново", id="alone"),
        pytest.param("за TOHH", "за тонн", id="beside others"),
        pytest.param("ВЪВ MOCT", "ВЪВ МОСТ", id="among capitals"),
        pytest.param("TOP Gear", "TOP Gear", id="beside other words in Latin"),
        pytest.param("M150", "M150", id="a code"),
        pytest.param("PC", "PC", id="short"),
    ],
)
def test_what_was_taken_for_capitals_of_latin_is_cyrillic(text: str, expected: str) -> None:
    assert with_cyrillic(["Опис на материалите", text])[1] == expected


def test_among_lines_in_latin_a_word_stays_as_it_is() -> None:
    assert with_cyrillic(["The top of the list", "TOP"]) == ["The top of the list", "TOP"]
