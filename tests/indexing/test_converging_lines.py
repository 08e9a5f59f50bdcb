import numpy as np
import pytest

from indexing.converging_lines import fall_of
from indexing.text_places import Quads

HALF, HEIGHT = 500.0, 30.0


@pytest.mark.parametrize("length", [pytest.param(400, id="lines"), pytest.param(60, id="words")])
def test_how_lines_fall_and_converge_is_told(length: int) -> None:
    fall = fall_of(_page(0.05, -0.03, length), HALF, HEIGHT)

    assert fall == pytest.approx((0.05, -0.03), abs=0.002)


def test_parallel_lines_do_not_converge() -> None:
    fall = fall_of(_page(0.04, 0.0, 400), HALF, HEIGHT)

    assert fall == pytest.approx((0.04, 0.0), abs=0.002)


def test_words_that_fall_each_in_its_way_tell_nothing() -> None:
    page = _page(0.0, 0.0, 400)
    page[:, 1:3, 1] += np.linspace(-200, 200, len(page))[::2].repeat(2)[:, None]

    assert fall_of(page[::2], HALF, HEIGHT) is None


def test_a_few_lines_tell_nothing() -> None:
    assert fall_of(_page(0.05, 0.0, 400)[:4], HALF, HEIGHT) is None


def _page(slope: float, change: float, length: int) -> Quads:
    """Return places of lines or words beside each other; of words each is framed level."""
    lefts = range(-450, 450, length + 100)
    falls = [(left, y, slope + change * y / HALF) for y in range(-450, 500, 100) for left in lefts]
    return np.array(
        [
            [
                (left, y + fall * left),
                (left + length, y + fall * (left + (length if length > 300 else 0))),
                (left + length, y + fall * (left + (length if length > 300 else 0)) + HEIGHT),
                (left, y + fall * left + HEIGHT),
            ]
            for left, y, fall in falls
        ],
        dtype=np.float32,
    )
