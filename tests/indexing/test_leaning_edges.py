import numpy as np
import pytest

from indexing.leaning_edges import lean_of
from indexing.text_places import Quads

HALF = 500.0, 500.0
HEIGHT = 30.0


def test_how_the_edges_of_columns_lean_is_told() -> None:
    lean = lean_of(_table(0.04, 0.08), HALF, HEIGHT, 0.0)

    assert lean == pytest.approx((0.04, 0.08), abs=0.02)


def test_edges_that_stand_upright_on_turned_lines_are_as_is_expected() -> None:
    assert lean_of(_table(-0.05, 0.0), HALF, HEIGHT, -0.05) is None


def test_a_single_edge_does_not_tell_how_others_lean() -> None:
    lean = lean_of(_ragged(-0.03), HALF, HEIGHT, 0.0)

    assert lean is not None
    assert np.abs(lean).max() <= 0.03


def _ragged(lean: float) -> Quads:
    """Return the places of lines that begin below each other and end anywhere."""
    ends = np.random.default_rng(1).uniform(-300, 450, 24)
    return np.array(
        [
            [(left, y), (end, y), (end, y + 30), (left, y + 30)]
            for y, end in zip(range(-480, 480, 40), ends, strict=True)
            for left in [-450 + lean * (y + 15)]
        ],
        dtype=np.float32,
    )


def _table(lean: float, change: float) -> Quads:
    """Return the places of words below each other in four columns."""
    words = []
    for x in (-450, -150, 150, 400):
        for y in range(-480, 480, 60):
            left = x + (lean + change * x / HALF[0]) * y
            width = 60 + y % 37
            corners = [(left, y), (left + width, y), (left + width, y + 30), (left, y + 30)]
            words.append(corners)
    return np.array(words, dtype=np.float32)
