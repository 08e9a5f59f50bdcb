"""Headings of tables with a rule below each cell, also below those of the headings."""

import pytest

from indexing.partition.pdf.tables.cells import Word
from indexing.partition.pdf.tables.edges import Edge, RuledRows
from indexing.partition.pdf.tables.lines import lines_of
from indexing.partition.pdf.tables.ruled_headings import with_rules_below_headings
from tests.indexing.partition.placed_words import LINE, line_of

ENDS = (0.0, 100.0, 200.0, 300.0, 400.0)
HEADING = line_of(0, (240, "2023"))
NAMES = line_of(1, (0, "Lamp"), (110, "Sold"), (210, "Lost"), (310, "Held"))
ONLY = [Edge(LINE * 2 - 2, ENDS)]
ROW = line_of(2, (0, "Deck lamp"), (170, "4"), (270, "30"), (370, "12"))


@pytest.mark.parametrize(
    ("headings", "parts"),
    [
        pytest.param([(240, "2023")], [(100, 200, 300, 400)], id="one over all"),
        pytest.param([(140, "2022"), (290, "2023")], [(200, 300, 400)], id="of unlike widths"),
        pytest.param([(290, "2023")], [(200, 300, 400)], id="behind further labels"),
        pytest.param([(110, "2022"), (210, "2023")], [], id="on the left of columns"),
    ],
)
def test_a_heading_has_a_rule_below_all_of_its_columns(
    headings: list[tuple[float, str]], parts: list[tuple[float, ...]]
) -> None:
    found = _read([*line_of(0, *headings), *NAMES, *ROW])

    assert [edge.ends for edge in found.partial] == parts
    assert len(found.whole) == (2 if parts else 3)


def test_a_heading_may_stand_right_below_a_text() -> None:
    headings = line_of(0, (140, "2022"), (290, "2023"))

    found = _read([*line_of(-1, (0, "All of these lamps were sold.")), *headings, *NAMES, *ROW])

    assert [edge.ends for edge in found.partial] == [(200, 300, 400)]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param([*line_of(0, (240, "2023")), *NAMES[:3], *ROW], id="a column without a name"),
        pytest.param(
            [
                *line_of(0, (240, "2023")),
                *line_of(1, *((n, "7") for n in (0, 140, 240, 340))),
                *ROW,
            ],
            id="figures",
        ),
        pytest.param([*line_of(-4, (240, "2023")), *NAMES, *ROW], id="far above"),
    ],
)
def test_what_is_above_no_names_is_no_heading(words: list[Word]) -> None:
    assert not _read(words).partial


@pytest.mark.parametrize(
    ("headings", "parts"),
    [
        pytest.param([(188, "2022"), (288, "2023")], [], id="over one end of columns each"),
        pytest.param([(190, "2023")], [], id="over the first end"),
        pytest.param([(240, "2023")], [], id="in a column"),
        pytest.param([(140, "2022"), (290, "2023")], [(200, 300, 400)], id="of unlike widths"),
        pytest.param([(290, "2023")], [(200, 300, 400)], id="behind further labels"),
    ],
)
def test_a_heading_is_told_where_the_only_rule_is_below_the_names(
    headings: list[tuple[float, str]], parts: list[tuple[float, ...]]
) -> None:
    words = [*line_of(0, *headings), *NAMES, *ROW]

    found = with_rules_below_headings(RuledRows(ONLY, [], []), lines_of(words), 10)

    assert found.whole == ONLY
    assert [edge.ends for edge in found.partial] == parts
    assert all(LINE < edge.at + 4 < LINE + 4 for edge in found.partial)


def _read(words: list[Word]) -> RuledRows:
    """Return the edges of a table with rules below its first three lines."""
    whole = [Edge(LINE * number - 2, ENDS) for number in (1, 2, 3)]
    return with_rules_below_headings(RuledRows(whole, [], []), lines_of(words), 10)
