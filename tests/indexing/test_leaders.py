import numpy as np
import pytest

from indexing.leaders import Leader, leaders_of, with_leaders
from indexing.ocr_models import Picture

HEIGHT = 40
LETTERS = (20, 50, 340)
"""Where the letters of a line begin, each 20 wide; the last is the number of the page."""

PLACES = [(left + 10) / 400 for left in LETTERS]


@pytest.mark.parametrize(
    ("top", "count"),
    [
        pytest.param(28, 1, id="dots"),
        pytest.param(8, 0, id="letters that were not recognised"),
    ],
)
def test_what_is_no_higher_than_dots_is_a_leader(top: int, count: int) -> None:
    line = _line()
    line[top:32, 90:320:12] = line[top:32, 91:320:12] = 0

    assert [leader.behind for leader in leaders_of(line, PLACES)] == [2] * count


def test_a_leader_reaches_from_letter_to_letter() -> None:
    (leader,) = leaders_of(_line(), PLACES)

    assert abs(leader.left * 400 - 70) < 20
    assert abs(leader.right * 400 - 340) < 20


def test_a_row_of_dots_that_was_found_by_itself_is_one() -> None:
    line = np.full((HEIGHT, 400, 3), 255, np.uint8)
    line[28:32, 0:400:12] = line[28:32, 1:400:12] = 0

    assert leaders_of(line, []) == [Leader(0, 0.0, 1.0)]


def test_words_side_by_side_have_none() -> None:
    assert leaders_of(_line(), [0.1, 0.15, 0.25, 0.3]) == []


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("Index31", "Index 31"),
        ("Index 31", "Index 31"),
        ("In dex31", "In dex 31"),
        ("Index", "Index"),
    ],
)
def test_a_leader_parts_the_text_from_the_number(text: str, parted: str) -> None:
    assert with_leaders(text, [Leader(5, 0.3, 0.9)]) == parted


def _line() -> Picture:
    line = np.full((HEIGHT, 400, 3), 255, np.uint8)
    for left in LETTERS:
        line[8:32, left : left + 20] = 0
    return line
