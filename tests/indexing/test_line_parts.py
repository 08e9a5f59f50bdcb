import numpy as np
import pytest

from indexing.line_parts import Part, parts_of_line
from indexing.ocr_models import Picture

Letters = dict[int, str]
"""By where they begin, in pixels; each is 10 wide."""


def test_a_line_reaches_from_its_first_to_its_last_letter() -> None:
    line = _line({40: "a", 55: "b"})

    assert parts_of_line(line, "ab") == [Part("ab", 0.2, 0.325)]


@pytest.mark.parametrize(
    ("letters", "text", "parts"),
    [
        pytest.param({20: "a", 35: "b", 80: "1", 95: "2"}, "ab 12", ["ab", "12"], id="far"),
        pytest.param({20: "5", 35: "5", 80: "0", 95: "0"}, "5500", ["5500"], id="no space"),
        pytest.param({20: "a", 35: "b", 60: "1", 75: "2"}, "ab 12", ["ab 12"], id="a space"),
        pytest.param({20: "a", 60: "b", 100: "c"}, "abc", ["abc"], id="letters apart"),
        pytest.param({20: "品", 60: "名"}, "品名", ["品", "名"], id="Chinese"),
        pytest.param({20: "品", 45: "、", 85: "名"}, "品、名", ["品、名"], id="a wide mark"),
        pytest.param({20: "品", 45: "、", 120: "名"}, "品、名", ["品、", "名"], id="a far one"),
    ],
)
def test_words_far_apart_are_parts(letters: Letters, text: str, parts: list[str]) -> None:
    places = [(left + 5) / 200 for left in letters]

    assert [part.text for part in parts_of_line(_line(letters), text, places)] == parts


@pytest.mark.parametrize(
    ("starts", "text", "parts"),
    [
        pytest.param((0, 50, 99, 150), "as it is so", 1, id="justified"),
        pytest.param((0, 50, 99, 150), "As It Is So", 4, id="names of columns"),
        pytest.param((0, 50, 99, 150), "as 12 13 14", 4, id="figures"),
        pytest.param((0, 30, 85, 150), "as it is so", 3, id="cells"),
    ],
)
def test_the_words_of_a_line_that_is_spread_evenly_are_one_part(
    starts: tuple[int, ...], text: str, parts: int
) -> None:
    lefts = [left for start in starts for left in (start, start + 15)]
    line = _line(dict.fromkeys(lefts, "a"))

    assert len(parts_of_line(line, text, [(left + 5) / 200 for left in lefts])) == parts


def test_what_has_no_letters_is_left_out() -> None:
    line = _line({20: "a", 35: "b", 120: "|"})

    assert parts_of_line(line, "ab", [0.125, 0.2]) == [Part("ab", 0.1, 0.225)]


def test_rules_are_no_letters() -> None:
    line = _line({20: "a", 35: "b", 80: "1", 95: "2"})
    line[2:4] = 0
    line[:, 150:153] = 0

    parts = parts_of_line(line, "ab 12", [0.125, 0.2, 0.425, 0.5])

    assert parts == [Part("ab", 0.1, 0.225), Part("12", 0.4, 0.525)]


def test_a_line_without_ink_or_without_places_is_one() -> None:
    assert parts_of_line(_line({}), "ab") == [Part("ab", 0, 1)]
    assert len(parts_of_line(_line({20: "a", 80: "b"}), "a b", [0.1])) == 1


def _line(letters: Letters) -> Picture:
    line = np.full((40, 200, 3), 255, np.uint8)
    for left in letters:
        line[10:30, left : left + 10] = 0
    return line
