import time

import pytest

from indexing.letter_boxes import without_boxes


@pytest.mark.parametrize(
    ("read", "text"),
    [
        pytest.param("|D|E|8|9|3|7|0|4|0|0|", "DE89370400", id="walls"),
        pytest.param("A|N|N|A||S|C|H|MI|D|T", "ANNA SCHMIDT", id="an empty box, a wall not seen"),
        pytest.param("A|N|N|A| |S|C|HM|ID|T|", "ANNA SCHMIDT", id="spaces between walls"),
        pytest.param("0|0|1|4|8],|5|0|", "00148,50", id="a comma in a box of its own"),
    ],
)
def test_letters_in_boxes_are_words(read: str, text: str) -> None:
    assert without_boxes(read) == text


@pytest.mark.parametrize(
    "text",
    ["Name | Born | Points", "a|b", "10|20|30|40|50|60", "x | y | z", "The lease [1] ends", ""],
)
def test_other_bars_stay(text: str) -> None:
    assert without_boxes(text) == text


def test_walls_without_letters_take_no_time() -> None:
    began = time.process_time()

    assert without_boxes("0" + "|" * 100 + "!") == "0" + "|" * 100 + "!"

    # Parted in every way that there is, they would take for ever.
    assert time.process_time() - began < 5
