"""Rows told by their colours alone."""

import pytest

from indexing.partition.pdf.tables.cells import Word
from indexing.partition.pdf.tables.coloured_rows import is_unclear
from indexing.partition.pdf.tables.edges import Edge
from indexing.partition.pdf.tables.lines import lines_of
from indexing.partition.pdf.tables.ruled_grids import Grid
from indexing.partition.pdf.tables.rules import Rule
from tests.indexing.partition.placed_words import LINE, line_of

ENDS = (0.0, 100.0, 200.0, 300.0)
NAMES = line_of(0, (0, "Lamp"), (110, "Stock"), (210, "Price"))
ROWS = [
    *line_of(1, (0, "Deck lamp"), (110, "4"), (210, "30.00")),
    *line_of(2, (0, "Buoy"), (110, "12"), (210, "7.00")),
]
TEXT = line_of(3, (0, "The second list has all that was sold in the north, and where."))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param([*NAMES, *ROWS], False, id="a header and rows"),
        pytest.param([*NAMES, *ROWS, *TEXT], False, id="a text below"),
        pytest.param(
            [
                *line_of(0, (0, "Lamp")),
                *line_of(0.6, (110, "Stock"), (210, "Price")),
                *line_of(1.2, (0, "sold")),
                *ROWS[3:],
            ],
            False,
            id="a name of two lines beside the others",
        ),
        pytest.param(
            [*NAMES, *ROWS, *line_of(3, (0, "Bell"), (110, "9"), (210, "15.00"))],
            True,
            id="another row below",
        ),
        pytest.param(
            [*line_of(-1, (110, "2023"), (210, "2024")), *NAMES, *ROWS], True, id="names above"
        ),
        pytest.param(
            [word for n in range(3) for word in line_of(n, (0, "•"), (110, "Oil"), (210, "Ann"))],
            True,
            id="a column of marks",
        ),
        pytest.param(
            [
                *line_of(0, (150, "In euros")),
                *line_of(1, (0, "Lamp"), (110, "Net"), (210, "Gross")),
                *ROWS[3:],
            ],
            True,
            id="a heading over names",
        ),
        pytest.param([*NAMES, ROWS[1], ROWS[2], *ROWS[4:]], True, id="rows without labels"),
    ],
)
def test_columns_of_colours_are_unclear_where_more_may_belong_to_them(
    words: list[Word], found: bool
) -> None:
    heights = [LINE * n - 2 for n in range(4)]
    across = tuple(Rule(at, 0, 300) for at in heights)
    grid = Grid(across, (), 0, heights[0], 300, heights[-1])

    assert is_unclear(grid, Edge(heights[0], ENDS), lines_of(words), 10) is found
