from collections.abc import Sequence

import numpy as np
import pytest

from indexing.lone_dashes import with_dashes
from indexing.ocr import Line

HEIGHT = 40


def test_a_dash_alone_in_a_row_and_a_column_is_one_of_the_lines() -> None:
    dash = _found([(300, 118, 20, 3)])

    assert [(line.text, line.left, line.top) for line in dash] == [("–", 300, 100)]


@pytest.mark.parametrize(
    "strokes",
    [
        pytest.param([(300, 118, 90, 3)], id="a rule"),
        pytest.param([(300, 118, 20, 9)], id="too thick"),
        pytest.param([(300, 118, 20, 3), (300, 126, 20, 3)], id="an equals sign"),
        pytest.param([(300, 118, 20, 3), (324, 105, 3, 30)], id="beside a letter"),
        pytest.param([(x, 118, 20, 3) for x in range(250, 400, 34)], id="a dashed line"),
        pytest.param([(500, 118, 20, 3)], id="in no column"),
        pytest.param([(300, 78, 20, 3)], id="in no row"),
        pytest.param([(60, 118, 20, 3)], id="of a word"),
    ],
)
def test_what_is_no_such_dash_is_left_out(strokes: Sequence[tuple[int, int, int, int]]) -> None:
    assert _found(strokes) == []


def test_where_the_text_is_known_no_dash_is_looked_for() -> None:
    known = np.zeros((400, 600), np.bool_)
    known[100:140] = True

    assert _found([(300, 118, 20, 3)], known) == []


@pytest.mark.parametrize(
    ("others", "text"), [pytest.param("Vlak", "–", id="Czech"), pytest.param("二", "一", id="zh")]
)
def test_a_chinese_one_among_other_letters_is_a_dash(others: str, text: str) -> None:
    one = Line("一", 300, 100, 320, 140)

    *_, found = with_dashes([*_table(others), one], _picture([]), 0)

    assert found.text == text


def _found(
    strokes: Sequence[tuple[int, int, int, int]], known: np.ndarray | None = None
) -> list[Line]:
    lines = _table("Vlak")
    return list(with_dashes(lines, _picture(strokes), 0, known))[len(lines) :]


def _table(label: str) -> list[Line]:
    """Return three rows of a label and a time each, the second one without its time."""
    tops = (40, 100, 160, 220)
    labels = [Line(label, 20, top, 120, top + HEIGHT) for top in tops]
    times = [Line("5:12", 280, top, 350, top + HEIGHT) for top in tops if top != 100]
    return [*labels, *times]


def _picture(strokes: Sequence[tuple[int, int, int, int]]) -> np.ndarray:
    picture = np.full((400, 600, 3), 255, np.uint8)
    for left, top, width, height in strokes:
        picture[top : top + height, left : left + width] = 0
    return picture
