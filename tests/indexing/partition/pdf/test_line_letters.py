import numpy as np
import pytest

from indexing.partition.pdf.line_letters import Line, read_line
from tests.indexing.partition.from_right import hebrew

HEIGHT = 2.0


def test_letters_are_read_by_their_places_whatever_their_order() -> None:
    assert _read("cba", [0, 1, 2]) == "abc"
    assert _read("abc", [2, 1, 0]) == "abc"
    assert _read("bca", [1, 0, 2]) == "abc"


def test_a_mark_is_read_behind_the_letter_that_it_stands_over() -> None:
    qamats = "\u05b8"

    assert _read(f"{qamats}ba", [1.2, 0, 1]) == f"a{qamats}b"


def test_a_mark_to_the_left_of_its_letter_belongs_to_it() -> None:
    holam = "\u05b9"

    assert _read(f"b{holam}a", [0, 1, 2]) == f"a{holam}b"


def test_marks_on_a_letter_come_in_their_usual_order() -> None:
    qamats, shin_dot = "\u05b8", "\u05c1"

    assert _read(f"{shin_dot}{qamats}a", [0, 0, 0]) == f"a{qamats}{shin_dot}"


def test_a_space_that_was_guessed_goes_into_the_widest_gap() -> None:
    # As behind a letter that was drawn before the one to the left of it: on the wrong side.
    assert _read("ab cd", [4, 3, 3.5, 1, 0], guessed=[2]) == "ab cd"


def test_a_space_that_was_guessed_where_there_is_no_gap_is_no_part_of_the_word() -> None:
    assert _read("ab c", [2, 1, 1, 0], guessed=[2]) == "abc "


@pytest.mark.parametrize("shape", ["\u0644\u0627", "\u0627\u0644"])
def test_two_letters_of_one_shape_are_lam_and_alef(shape: str) -> None:
    text = f"\u0628{shape}\u062a"

    reading = read_line(Line(text, _boxes([0, 1, 1, 2])), from_right=True)

    assert reading is not None
    assert "".join(text[at] for at in reading.order) == "\u062a\u0644\u0627\u0628"


def test_what_is_turned_is_told_for_each_letter() -> None:
    line = Line(hebrew("A b"), _boxes([0, 1, 2]))

    reading = read_line(line, from_right=True)

    assert reading is not None
    assert reading.order == [2, 1, 0]
    assert reading.turned == [True, True, False]


def test_columns_beside_each_other_are_read_one_by_one() -> None:
    assert _read("A B c", [0, 1, 2, 3, 4]) == "c A B"
    assert _read("A B c", [0, 1, 6, 7, 8]) == "c B A"


def test_letters_on_several_lines_are_left_as_they_come() -> None:
    boxes = _boxes([0, 1, 2])
    boxes[2, [1, 3]] += 2 * HEIGHT

    assert read_line(Line(hebrew("abc"), boxes), from_right=True) is None


def test_a_small_mark_above_the_others_is_on_their_line() -> None:
    boxes = _boxes([0, 1, 2])
    boxes[2] = (2, 0, 3, 0.6 * HEIGHT)

    assert read_line(Line(hebrew("ab1"), boxes), from_right=True) is not None


def test_letters_as_high_as_they_are_drawn_are_on_their_line() -> None:
    boxes = _boxes([0, 1, 2, 3])
    boxes[:, [1, 3]] = [(0.3, 1), (0.3, 1), (0.9, 1.6), (-1, 2)]

    assert read_line(Line(hebrew("abcd"), boxes), from_right=True) is not None


def test_a_letter_without_a_place_leaves_the_line_as_it_comes() -> None:
    boxes = _boxes([0, 1, 2])
    boxes[1] = np.nan

    assert read_line(Line(hebrew("abc"), boxes), from_right=True) is None


def _read(text: str, lefts: list[float], guessed: list[int] | None = None) -> str:
    """Return how a line is read, its letters one wide, but for spaces that were guessed."""
    boxes = _boxes(lefts)
    boxes[guessed or [], 2] = boxes[guessed or [], 0]
    reading = read_line(Line(hebrew(text), boxes), from_right=True)
    assert reading is not None
    return "".join(text[at] for at in reading.order)


def _boxes(lefts: list[float]) -> np.ndarray:
    return np.array([(left, 0, left + 1, HEIGHT) for left in lefts], dtype=float)
