from collections.abc import Sequence

import pytest

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Word, rows_of
from tests.indexing.partition.placed_words import line_of

DATES = "04.01.2025", "11.02.2025", "09.03.2025"
TEXTS = "Oil for the lamp", "Chain", "Blue glass"
SUM = line_of(4, (150, "Total"), (300, "51.00"))


@pytest.mark.parametrize(
    "firsts", [pytest.param(DATES, id="dates"), pytest.param("123", id="running numbers")]
)
def test_a_first_column_of_numbers_is_parted_from_a_text_right_behind_it(
    firsts: Sequence[str],
) -> None:
    behind = 5 * len(firsts[0]) + 5
    header = line_of(0, (0, "#"), (behind, "Text"), (300, "Price"))

    (table,) = tables_of(rows_of([*header, *_rows(firsts, behind), *SUM]))

    assert table.names[1:] == ["Text", "Price"]
    assert table.texts == [
        *([*row, "17.00"] for row in zip(firsts, TEXTS, strict=True)),
        ["", "Total", "51.00"],
    ]


def test_a_number_with_which_a_text_begins_is_no_column() -> None:
    header = line_of(0, (0, "Lamps of the year"), (300, "Price"))

    (table,) = tables_of(rows_of([*header, *_rows("123", 10), *SUM]))

    assert table.texts[0] == ["1 Oil for the lamp", "17.00"]


def _rows(firsts: Sequence[str], behind: float) -> list[Word]:
    return [
        word
        for number, (first, text) in enumerate(zip(firsts, TEXTS, strict=True), 1)
        for word in line_of(number, (0, first), (behind, text), (300, "17.00"))
    ]
