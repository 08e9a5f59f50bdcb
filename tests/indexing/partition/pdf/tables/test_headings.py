import pytest

from indexing.partition.pdf.tables.headings import columns_below
from tests.indexing.partition.placed_words import line_of

SIDES = [(200.0, 220.0), (300.0, 320.0), (400.0, 420.0), (500.0, 520.0)]


def test_headings_are_above_the_middle_of_as_many_columns_each() -> None:
    headings = [[word] for word in line_of(0, (247, "2023"), (447, "2024"))]

    assert columns_below(headings, SIDES) == [range(2), range(2, 4)]


@pytest.mark.parametrize(
    "lefts",
    [
        pytest.param((200, 400), id="above the first of their columns"),
        pytest.param((200, 300, 400), id="more than half as many as columns"),
        pytest.param((200, 300, 400, 500), id="one above each column"),
        pytest.param((), id="none"),
    ],
)
def test_names_are_no_headings(lefts: tuple[float, ...]) -> None:
    names = [[word] for word in line_of(0, *((left, "2023") for left in lefts))]

    assert columns_below(names, SIDES) == []
