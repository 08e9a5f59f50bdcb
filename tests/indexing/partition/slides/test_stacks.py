import pytest

from indexing.partition.slides.stacks import Box, stacks

SLACK, HEIGHT = 0.2, 10.0


@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        pytest.param(
            [Box(0, 2, 4, 1), Box(5, 2, 4, 1), Box(0, 3, 4, 5), Box(5, 3, 4, 5)],
            {0: [2], 1: [3]},
            id="headings",
        ),
        pytest.param(
            [Box(0, 2, 4, 1), Box(5, 2, 4, 1), Box(1, 3.8, 2, 0.4), Box(6, 3.8, 2, 0.4)],
            {0: [2], 1: [3]},
            id="labels below figures",
        ),
        pytest.param(
            [
                Box(left, top, 4, high)
                for left in (0, 5)
                for top, high in ((2, 0.4), (3, 1), (5, 3))
            ],
            {0: [1, 2], 3: [4, 5]},
            id="three upon each other",
        ),
        pytest.param(
            [
                Box(left, top, 4, high)
                for left in (0, 5)
                for top, high in ((1, 0.5), (1.6, 2), (4.2, 0.5), (4.8, 2))
            ],
            {0: [1], 2: [3], 4: [5], 6: [7]},
            id="two rows of them",
        ),
        pytest.param(
            [
                *(Box(left, 2, 4, 1, kind="chevron") for left in (0, 5)),
                *(Box(left, 3.5, 4, 1.2, kind="rect") for left in (0, 5)),
            ],
            {0: [2], 1: [3]},
            id="steps and their texts",
        ),
        pytest.param(
            [
                *(Box(left, 2, 4, 0.5) for left in (0, 5)),
                Box(0, 2.7, 9, 0.1, is_blank=True),
                *(Box(left, 3, 4, 3) for left in (0, 5)),
            ],
            {0: [3], 1: [4]},
            id="a line between",
        ),
    ],
)
def test_what_belongs_together_is_one_stack(
    boxes: list[Box], expected: dict[int, list[int]]
) -> None:
    assert stacks(boxes, SLACK, HEIGHT) == expected


@pytest.mark.parametrize(
    "boxes",
    [
        pytest.param(
            [Box(left, top, 4, 2) for top in (2, 4.2) for left in (0, 5)],
            id="as high as each other",
        ),
        pytest.param(
            [
                Box(left, top, 4, high)
                for top, high in ((1, 0.5), (1.6, 2), (3.8, 2))
                for left in (0, 5)
            ],
            id="rows below the names of columns",
        ),
        pytest.param([Box(0, 2, 4, 1), Box(5, 2, 4, 2), Box(0, 3, 4, 5)], id="one heading"),
        pytest.param([Box(0, 2, 9, 1), Box(0, 3, 4, 5), Box(5, 3, 4, 5)], id="a heading of both"),
        pytest.param(
            [Box(left, top, 4, high) for top, high in ((2, 0.5), (6, 3)) for left in (0, 5)],
            id="far from each other",
        ),
        pytest.param(
            [Box(0, 1, 4, 0.4), Box(0, 1.4, 4, 1), Box(0, 2.4, 4, 5)] * 2, id="upon each other"
        ),
    ],
)
def test_other_shapes_are_read_row_by_row(boxes: list[Box]) -> None:
    assert stacks(boxes, SLACK, HEIGHT) == {}
