import numpy as np
import pytest

from indexing.boxes import box_from_json, page_boxes, turned, union, within
from indexing.types import PageBox

BOX = [[0.1, 0.2, 0.5, 0.3]]


@pytest.mark.parametrize(
    ("quarter_turns", "box"),
    [
        pytest.param(0, (0.1, 0.2, 0.5, 0.3), id="not at all"),
        pytest.param(1, (0.7, 0.1, 0.8, 0.5), id="to the right"),
        pytest.param(2, (0.5, 0.7, 0.9, 0.8), id="upside down"),
        pytest.param(3, (0.2, 0.5, 0.3, 0.9), id="to the left"),
        pytest.param(4, (0.1, 0.2, 0.5, 0.3), id="all around"),
    ],
)
def test_a_box_turns_with_its_page(quarter_turns: int, box: PageBox) -> None:
    assert page_boxes(turned(np.array(BOX), quarter_turns)) == [box]


def test_a_place_in_a_picture_is_one_on_its_page() -> None:
    assert page_boxes(within(np.array(BOX), (0.5, 0.0, 1.0, 0.5))) == [(0.55, 0.1, 0.75, 0.15)]


@pytest.mark.parametrize(
    ("shares", "box"),
    [
        pytest.param([-0.5, 0.25, 0.5, 1.5], (0.0, 0.25, 0.5, 1.0), id="cut off at the edge"),
        pytest.param([1.1, 0.2, 1.3, 0.3], None, id="beside the page"),
        pytest.param([0.1, -0.3, 0.2, -0.2], None, id="above the page"),
        pytest.param([np.nan, 0.1, np.nan, 0.2], None, id="not known"),
        pytest.param([0.123456, 0.1, 0.2, 0.3], (0.1235, 0.1, 0.2, 0.3), id="rounded"),
    ],
)
def test_a_box_lies_on_the_page(shares: list[float], box: PageBox | None) -> None:
    assert page_boxes(np.array([shares])) == [box]


def test_a_union_is_around_all_that_have_a_place() -> None:
    assert union([(0.1, 0.2, 0.3, 0.4), None, (0.2, 0.1, 0.25, 0.6)]) == (0.1, 0.1, 0.3, 0.6)
    assert union([None]) is None


@pytest.mark.parametrize("values", [[0.1, 0.2], ["left", 0, 0, 0], 5])
def test_what_is_no_box_is_refused(values: list[float]) -> None:
    with pytest.raises((ValueError, TypeError)):
        box_from_json(values)
