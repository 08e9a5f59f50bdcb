import cv2
import numpy as np
import pytest

from indexing.edge_rules import without_rules
from indexing.ocr_models import Picture


@pytest.mark.parametrize("turns", range(4))
def test_a_rule_along_an_edge_is_paper_and_letters_stay(turns: int) -> None:
    line = _line_with_letter(60, 90) if turns % 2 else _line_with_letter(60, 240)
    ruled = np.rot90(line, turns).copy()
    ruled[:, 5:8] = 0

    bare = without_rules(np.rot90(ruled, -turns).copy())

    assert (bare == line).all()


def test_a_rule_that_is_askew_and_leaves_the_picture_is_paper() -> None:
    line = _line_with_letter(60, 240)
    ruled = line.copy()
    cv2.line(ruled, (0, 55), (150, 59), (0, 0, 0), 2)
    cv2.line(ruled, (228, 0), (232, 59), (0, 0, 0), 2)

    assert np.abs(without_rules(ruled).astype(int) - line).sum() < 0.1 * _ink(ruled, line)


def test_light_rules_on_dark_ground_are_taken_off_too() -> None:
    line = 255 - _line_with_letter(60, 240)
    ruled = line.copy()
    ruled[2:4] = 255

    assert (without_rules(ruled) == line).all()


def test_a_long_letter_beside_the_edge_stays() -> None:
    line = _line_with_letter(60, 240)
    line[8:52, 6:10] = 0

    assert without_rules(line) is line


def _line_with_letter(height: int, width: int) -> Picture:
    line = np.full((height, width, 3), 255, np.uint8)
    line[20:40, width // 2 : width // 2 + 6] = 0
    return line


def _ink(ruled: Picture, line: Picture) -> int:
    return int(np.abs(ruled.astype(int) - line).sum())
