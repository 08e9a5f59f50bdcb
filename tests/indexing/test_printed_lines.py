import cv2
import numpy as np
import pytest

from indexing.ocr_models import Picture
from indexing.printed_lines import HEIGHT, MARGIN, as_print, is_uneven, sheet_of


@pytest.fixture
def line() -> Picture:
    line = np.full((50, 400, 3), 255, np.uint8)
    cv2.putText(line, "Lantern 24.50", (20, 35), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 0), 2)
    return line


def test_a_line_in_half_a_shadow_is_as_print(line: Picture) -> None:
    shaded = line.copy()
    shaded[:, :200] //= 2

    assert np.abs(as_print(shaded).astype(int) - line).mean() < 3
    assert is_uneven(shaded)
    assert not is_uneven(line)


def test_light_letters_on_dark_ground_are_dark_on_white(line: Picture) -> None:
    assert np.abs(as_print(200 - line // 2).astype(int) - line).mean() < 3


def test_grain_is_not_made_as_dark_as_letters() -> None:
    grain = np.random.default_rng(0).integers(196, 205, (50, 400, 3), dtype=np.uint8)

    assert as_print(grain).min() > 127


def test_lines_stand_below_each_other_on_a_sheet(line: Picture) -> None:
    sheet = sheet_of([line, line[:25, :100]])

    assert sheet.shape == (MARGIN + 2 * (HEIGHT + MARGIN), 8 * HEIGHT + 2 * MARGIN, 3)
    rows_with_ink = np.flatnonzero((sheet < 127).any(axis=(1, 2)))
    assert rows_with_ink[0] > MARGIN
    assert rows_with_ink[-1] > MARGIN + HEIGHT + MARGIN


def test_a_sheet_of_no_lines_is_white() -> None:
    assert (sheet_of([]) == 255).all()
