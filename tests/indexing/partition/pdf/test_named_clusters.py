import numpy as np
import pytest

from indexing.partition.pdf.named_clusters import clusters_named_again

CHO = "\u0e0a\u0e48"  # cho chang with a tone
TEXT = f"{CHO}\u0e07{CHO}"
HEIGHT = 12.0


@pytest.mark.parametrize(
    ("left", "is_again"),
    [
        pytest.param(4.0, True, id="above the letter"),
        pytest.param(5.2, True, id="at its end"),
        pytest.param(12.0, False, id="behind the next letter"),
    ],
)
def test_a_letter_named_once_more_for_its_mark_is_there_again(left: float, is_again: bool) -> None:
    boxes = np.array(
        [(0, 6, 3, 12), (3, 6, 6, 12), (6, 6, 12, 12), *[(left, 3, left + 2, 5)] * 2], np.float64
    )

    found = clusters_named_again(TEXT, boxes, HEIGHT)

    assert found.tolist() == [False] * 3 + [is_again] * 2


def test_the_space_before_it_is_none() -> None:
    boxes = np.array([(0, 6, 3, 12), (3, 6, 6, 12), (6, 6, 6, 6), *[(4, 3, 6, 5)] * 2], np.float64)

    assert clusters_named_again(f"{CHO} {CHO}", boxes, HEIGHT).tolist() == [False] * 2 + [True] * 3
