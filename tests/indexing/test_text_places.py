from math import cos, radians, sin

import numpy as np
import pytest

from indexing.ocr import recognize
from indexing.ocr_models import Picture
from indexing.text_places import (
    Quads,
    angle_of,
    crops_of,
    detect,
    set_upright,
    straightened,
    uncovered,
)
from tests.files.drawn import draw_lines

TEXT = ["Storm lantern 24.50", "Deck lamp 61.00", "The goods are paid."]


@pytest.fixture(scope="module")
def note() -> Picture:
    drawn = draw_lines([[line] for line in TEXT], (480, 200), 26)
    return np.asarray(drawn.convert("RGB"))


def test_each_line_is_found_and_cut_out(note: Picture) -> None:
    quads = detect(note)

    assert quads.shape == (len(TEXT), 4, 2)
    assert all(crop.shape[1] > 5 * crop.shape[0] for crop in crops_of(note, quads))


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_picture_is_turned_until_it_stands_upright(note: Picture, turns: int) -> None:
    turned = np.ascontiguousarray(np.rot90(note, turns))

    upright, _, back = set_upright(turned, detect(turned))

    assert (turns + back) % 4 == 0
    assert np.array_equal(upright, note)


def test_lines_that_are_covered_are_left_out(note: Picture) -> None:
    covered = np.zeros(note.shape[:2], np.bool_)
    covered[:110] = True

    assert 0 < len(uncovered(detect(note), covered)) < len(TEXT)


def test_lines_that_fall_to_the_right_are_laid_straight() -> None:
    drawn = draw_lines([[line] for line in TEXT], (600, 400), 26).rotate(-6, fillcolor="white")
    quads = detect(np.asarray(drawn.convert("RGB")))

    angle = angle_of(quads)

    assert angle == pytest.approx(radians(6), abs=radians(1))
    lefts = [left for left, *_ in straightened(quads, angle)]
    assert max(lefts) - min(lefts) < 8


def test_a_stamp_set_askew_does_not_tell_how_the_page_lies() -> None:
    words = [_placed(140, 36, (x, y), 0) for x in (80, 500) for y in range(50, 450, 80)]
    stamp = _placed(443, 58, (300, 500), -12)

    assert angle_of(np.array([*words, stamp], dtype=np.float32)) == 0.0


def test_a_word_alone_on_a_large_sheet_is_found() -> None:
    sheet = np.full((2339, 1654, 3), 255, dtype=np.uint8)
    word = np.asarray(draw_lines([["Annex"]], (160, 120), 26).convert("RGB"))
    sheet[1200:1320, 900:1060] = word

    (line,) = recognize(sheet).lines

    assert line.text == "Annex"
    assert 900 < line.left < line.right < 1060
    assert 1200 < line.top < line.bottom < 1320


def _placed(width: float, height: float, place: tuple[float, float], degrees: float) -> Quads:
    """Return the corners of a box, turned about its first one."""
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)])
    cosine, sine = cos(radians(degrees)), sin(radians(degrees))
    turned: Quads = corners @ np.array([(cosine, sine), (-sine, cosine)]) + place
    return turned
