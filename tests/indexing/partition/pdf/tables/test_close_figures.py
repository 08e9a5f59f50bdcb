"""Units that stand right behind their amounts, each below a rule of its own."""

from collections.abc import Sequence

import pytest

from indexing.partition.pdf.tables.cells import plain_text
from indexing.partition.pdf.tables.close_figures import with_figures_parted
from indexing.partition.pdf.tables.edges import Edge, RuledRows
from indexing.partition.pdf.tables.lines import lines_of
from tests.indexing.partition.placed_words import LINE, line_of

ENDS = (0.0, 50.0, 102.0, 160.0)
END = 100.0  # of the figures


def test_units_are_parted_from_their_amounts_where_rules_meet() -> None:
    amounts = ["40", "100", "5"]

    assert _cells(amounts) == [["Lamp", amount, "pairs"] for amount in amounts]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["40", "about", "5"], id="a text"),
        pytest.param(["40", "40040", "5"], id="a figure over the end"),
        pytest.param(["40"], id="one line"),
    ],
)
def test_other_cells_stay_whole(texts: Sequence[str]) -> None:
    end = END + 5 if "40040" in texts else END

    assert _cells(texts, end)[0] == ["Lamp", "40 pairs"]


def _cells(texts: Sequence[str], end: float = END) -> list[list[str]]:
    """Return what is seen as the cells of lines with these texts, and a unit behind each."""
    words = [
        word
        for number, text in enumerate(texts)
        for word in line_of(number, (0, "Lamp"), (end - 5 * len(text), text), (end + 3.5, "pairs"))
    ]
    whole = [Edge(-LINE, ENDS), Edge(len(texts) * LINE, ENDS)]
    lines = with_figures_parted(RuledRows(whole, [], []), lines_of(words))
    return [list(map(plain_text, line.cells)) for line in lines]
