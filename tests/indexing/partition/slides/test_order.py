import pytest

from indexing.partition.slides.order import MAX_SHAPES, Group, in_reading_order
from indexing.partition.slides.stacks import Box

TEXT, LABEL = Box(3, 2, 6, 4), Box(1, 3.1, 1, 2)


def test_what_is_moved_by_a_hair_stays_in_its_row() -> None:
    placed = [
        (Box(5.0, 1.0), "right"),
        (Box(1.0, 1.01), "left"),
        (Box(1.0, 2.0), "below"),
        (Box(9.0, 0.0), "above"),
    ]

    assert in_reading_order(placed, height=10.0) == ["above", "left", "right", "below"]


@pytest.mark.parametrize(
    ("label", "others", "order"),
    [
        pytest.param(LABEL, [], ["label", "text"], id="beside it"),
        pytest.param(LABEL, [Box(0, 1, 10, 6)], [0, "label", "text"], id="on a card"),
        pytest.param(LABEL, [Box(0.9, 2.5, 1.2, 3)], [0, "label", "text"], id="on its own card"),
        pytest.param(LABEL, [Box(1, 0, 1, 1)], [0, "label", "text"], id="below another row"),
        pytest.param(LABEL, [Box(2.2, 3, 0.5, 2)], ["label", 0, "text"], id="two of them"),
        pytest.param(LABEL, [Box(1, 2, 1, 1)], [0, "text", "label"], id="in a column of others"),
        pytest.param(Box(1, 4, 1, 1.9), [], ["text", "label"], id="beside the end of it"),
        pytest.param(Box(2, 3, 2, 2), [], ["text", "label"], id="upon it"),
        pytest.param(Box(1, 1, 1, 6), [], ["label", "text"], id="higher than it"),
    ],
)
def test_a_label_centred_beside_a_text_comes_before_it(
    label: Box, others: list[Box], order: list[object]
) -> None:
    placed: list[tuple[Box, object]] = [(TEXT, "text"), (label, "label")]
    placed += [(box, number) for number, box in enumerate(others)]

    assert in_reading_order(placed, height=10.0) == order


def test_among_many_shapes_no_labels_are_looked_for() -> None:
    placed = [(TEXT, "text"), (LABEL, "label")] + [(Box(9, 9), "other")] * MAX_SHAPES

    assert in_reading_order(placed, height=10.0)[:2] == ["text", "label"]


def test_a_text_comes_behind_its_own_heading() -> None:
    boxes = [Box(0, 2, 4, 1), Box(5, 2, 4, 1), Box(0, 3.5, 4, 3), Box(5, 3.5, 4, 3)]

    assert in_reading_order([(box, n) for n, box in enumerate(boxes)], height=10.0) == [0, 2, 1, 3]


def test_a_group_of_different_shapes_is_read_as_one() -> None:
    cards = [_group(left, [0.5, 2.0]) for left in (0, 5)]

    assert in_reading_order(cards, height=10.0) == ["0 0.5", "0 2.0", "5 0.5", "5 2.0"]


def test_a_group_that_is_the_column_of_a_grid_is_read_row_by_row() -> None:
    columns = [_group(left, [2.0, 2.0]) for left in (0, 5)]

    assert in_reading_order(columns, height=10.0) == ["0 2.0", "5 2.0"] * 2


def test_a_group_in_which_another_shape_stands_is_read_row_by_row() -> None:
    placed = [_group(0, [0.5, 2.0]), (Box(1, 2.8, 1, 0.5), "between")]

    assert in_reading_order(placed, height=10.0) == ["0 0.5", "between", "0 2.0"]


def test_a_slide_from_the_right_is_read_from_there() -> None:
    placed = [(Box(0, 2, 4, 1), "second"), (Box(5, 2, 4, 1), "first"), (Box(0, 5, 9, 1), "last")]

    assert in_reading_order(placed, 10.0, from_right=True) == ["first", "second", "last"]


def _group(left: float, heights: list[float]) -> tuple[Box, Group[str]]:
    boxes = [Box(left, 2 + number, 4, height) for number, height in enumerate(heights)]
    group = Group([(box, f"{left} {box.height}") for box in boxes])
    return group.box, group
