"""Where parts of a text stand whose letters are in another order than PDFium's."""

import numpy as np

from indexing.boxes import Shares
from indexing.partition.pdf.boxes import Spans
from indexing.partition.pdf.letter_order import NEW, places_in_order


def _of_row(spans: Spans) -> Shares:
    """Return the places of parts of a text of letters one wide, side by side."""
    sides = [(start, 0.0, end, 1.0) for start, end in np.array(spans).tolist()]
    return np.array(sides).reshape(-1, 4)


def test_a_part_in_one_piece_stands_where_the_piece_does() -> None:
    order = np.array([4, 5, 6, 0, 1, 2])

    assert places_in_order(_of_row, order, np.array([(0, 3), (4, 6)])).tolist() == [
        [4, 0, 7, 1],
        [1, 0, 3, 1],
    ]


def test_a_part_of_several_pieces_stands_around_them() -> None:
    order = np.array([6, NEW, 0, 1])

    assert places_in_order(_of_row, order, np.array([(0, 4)])).tolist() == [[0, 0, 7, 1]]


def test_the_first_letter_is_no_part_of_a_new_sign_before_it() -> None:
    order = np.array([NEW, 0, 1])

    assert places_in_order(_of_row, order, np.array([(0, 3)])).tolist() == [[0, 0, 2, 1]]


def test_new_signs_and_blank_parts_stand_nowhere() -> None:
    order = np.array([0, NEW, NEW, 1])

    assert np.isnan(places_in_order(_of_row, order, np.array([(1, 3), (2, 2), (3, 1)]))).all()
