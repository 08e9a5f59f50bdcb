import cv2
import numpy as np
import pytest

from indexing.perspective import Perspective, find_perspective
from indexing.text_places import Quads


def test_lines_and_columns_of_a_photograph_from_the_side_become_parallel() -> None:
    seen = _seen_from([(60, 30), (900, 110), (940, 880), (20, 960)], _table())

    perspective = find_perspective(seen)

    assert perspective is not None
    rows = perspective.straight_places(seen).reshape(-1, 5, 4, 2)
    assert np.ptp(rows[:, :, 0, 1], axis=1).max() < 6
    assert np.ptp(rows[:, :, 0, 0], axis=0).max() < 12


def test_columns_that_lean_by_a_letter_are_set_straight() -> None:
    seen = _seen_from([(30, 0), (970, 0), (1000, 1000), (0, 1000)], _table())

    perspective = find_perspective(seen)

    assert perspective is not None
    columns = perspective.straight_places(seen).reshape(-1, 5, 4, 2)
    assert np.ptp(columns[:, :, 0, 0], axis=0).max() < 6


@pytest.mark.parametrize("degrees", [0, 3, -5])
def test_a_scan_is_as_it_is_also_if_it_lies_askew(degrees: int) -> None:
    turn = cv2.getRotationMatrix2D((500, 500), degrees, 1)
    turned = np.asarray(cv2.transform(_table().reshape(-1, 1, 2), turn), np.float32)

    assert find_perspective(turned.reshape(-1, 4, 2)) is None


@pytest.mark.parametrize("seed", [1, 8, 9])
def test_a_scan_with_a_small_table_is_as_it_is(seed: int) -> None:
    lines = [
        *[(151, 169, 637, 210), (154, 228, 792, 264)],
        *[(169, 297, 264, 329), (286, 295, 417, 328), (439, 294, 559, 331)],
        *[(169, 337, 260, 376), (286, 338, 344, 379), (439, 337, 523, 376)],
        *[(169, 387, 232, 422), (287, 385, 380, 424), (439, 384, 548, 421)],
        *[(169, 432, 232, 467), (287, 432, 408, 469), (440, 430, 673, 468)],
    ]
    seen = [[(x, y), (right, y), (right, end), (x, end)] for x, y, right, end in lines]
    # Letters are never found quite where they are.
    off = np.random.default_rng(seed).normal(0, 2, (len(seen), 1, 2))

    assert find_perspective(np.asarray(seen + off, np.float32)) is None


def test_of_a_picture_with_little_text_nothing_is_known() -> None:
    assert find_perspective(np.empty((0, 4, 2), np.float32)) is None
    assert find_perspective(_table()[:3]) is None


def test_a_place_is_found_again_where_it_was_in_the_picture() -> None:
    perspective = find_perspective(
        _seen_from([(60, 30), (900, 110), (940, 880), (20, 960)], _table())
    )

    assert perspective is not None
    assert isinstance(perspective, Perspective)
    straight = perspective.straight_places(
        np.array([[[200, 300], [300, 300], [300, 320], [200, 320]]], np.float32)
    )
    (left, top), (right, bottom) = straight[0].min(axis=0), straight[0].max(axis=0)
    back = perspective.in_picture((float(left), float(top), float(right), float(bottom)))
    assert back == pytest.approx((200, 300, 300, 320), abs=15)


def test_the_straight_picture_has_room_for_all_text_and_not_for_what_is_far_from_it() -> None:
    seen = _seen_from([(60, 30), (900, 110), (940, 880), (20, 960)], _table()) + 3000

    perspective = find_perspective(seen)

    assert perspective is not None
    picture = np.full((8000, 8000, 3), 255, np.uint8)
    height, width = perspective.straight_picture(picture).shape[:2]
    places = perspective.straight_places(seen)
    assert places.min() > 0
    assert (places.max(axis=(0, 1)) < (width, height)).all()
    assert max(width, height) < 1100


def test_no_places_stay_none() -> None:
    perspective = Perspective(np.eye(3), (1000, 1000))

    assert not len(perspective.straight_places(np.empty((0, 4, 2), np.float32)))


def _table() -> Quads:
    """Return the places of words in five columns and sixteen rows."""
    return np.array(
        [
            [(x, y), (x + 100, y), (x + 100, y + 24), (x, y + 24)]
            for y in range(60, 940, 55)
            for x in range(60, 900, 180)
        ],
        dtype=np.float32,
    )


def _seen_from(corners: list[tuple[int, int]], places: Quads) -> Quads:
    whole = np.array([(0, 0), (1000, 0), (1000, 1000), (0, 1000)], np.float32)
    matrix = cv2.getPerspectiveTransform(whole, np.array(corners, np.float32))
    seen = np.asarray(cv2.perspectiveTransform(places.reshape(-1, 1, 2), matrix), np.float32)
    return seen.reshape(-1, 4, 2)
