"""Names of columns that stand as close to each other as the words of a text."""

import pytest

from indexing.partition.pdf.tables.cells import Word, plain_text
from indexing.partition.pdf.tables.close_names import with_names_parted
from indexing.partition.pdf.tables.edges import Edge, RuledRows
from indexing.partition.pdf.tables.lines import lines_of
from tests.indexing.partition.placed_words import LINE, line_of

ENDS = (0.0, 36.5, 87.5, 140.0)
NAMES = line_of(0, (0, "Article"), (38, "Units"), (66, "sold"), (89, "Price"), (117, "each"))


def test_names_are_parted_where_rules_below_them_meet() -> None:
    assert _cells(NAMES) == ["Article", "Units sold", "Price each"]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            line_of(0, (0, "The"), (18, "lamps"), (46, "were"), (69, "sold")), id="a text"
        ),
        pytest.param(line_of(0, (0, "Brass"), (28.5, "a"), (37, "lamps")), id="only two columns"),
        pytest.param([word._replace(middle=-60, top=-65, bottom=-55) for word in NAMES], id="far"),
    ],
)
def test_other_lines_stay_as_they_are(words: list[Word]) -> None:
    assert len(_cells(words)) == 1


def _cells(words: list[Word]) -> list[str]:
    """Return what is seen as the cells of a line above rules that meet at the ends of columns."""
    edges = RuledRows([Edge(LINE - 2, ENDS), Edge(2 * LINE - 2, ENDS)], [], [])
    (line,) = with_names_parted(edges, lines_of(words), 10)
    return list(map(plain_text, line.cells))
