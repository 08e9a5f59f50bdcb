import pytest

from indexing.partition.slides.order import MAX_SHAPES, Box, in_reading_order

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


@pytest.mark.parametrize(
    ("boxes", "order"),
    [
        pytest.param(
            [Box(0, 2, 4, 1), Box(5, 2, 4, 1), Box(0, 3, 4, 5), Box(5, 3, 4, 5)],
            [0, 2, 1, 3],
            id="headings",
        ),
        pytest.param(
            [Box(0, 2, 4, 2), Box(5, 2, 4, 2), Box(0, 4, 4, 2), Box(5, 4, 4, 2)],
            [0, 1, 2, 3],
            id="as high as each other",
        ),
        pytest.param(
            [Box(0, 2, 4, 1), Box(5, 2, 4, 2), Box(0, 3, 4, 5), Box(5, 4, 4, 2)],
            [0, 1, 2, 3],
            id="one heading",
        ),
        pytest.param(
            [Box(0, 2, 9, 1), Box(0, 3, 4, 5), Box(5, 3, 4, 5)],
            [0, 1, 2],
            id="a heading of both",
        ),
        pytest.param(
            [Box(0, 1, 4, 0.4), Box(0, 1.4, 4, 1), Box(0, 2.4, 4, 5)] * 2,
            [0, 3, 1, 4, 2, 5],
            id="upon each other",
        ),
    ],
)
def test_a_text_comes_behind_its_own_heading(boxes: list[Box], order: list[int]) -> None:
    placed = [(box, number) for number, box in enumerate(boxes)]

    assert in_reading_order(placed, height=10.0) == order
