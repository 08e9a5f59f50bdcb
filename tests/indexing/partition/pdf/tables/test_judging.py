"""What stands in columns and is no table."""

import pytest

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import rows_of
from tests.indexing.partition.placed_words import line_of


def test_words_with_wide_spaces_that_happen_to_stand_below_each_other_are_no_table() -> None:
    texts = [
        "each keeper must light",
        "when storms come while",
        "sail beyond that north",
        "with little sail above",
    ]
    words = [
        word
        for n, text in enumerate(texts)
        for word in line_of(n, *zip((0, 30, 70, 100), text.split(), strict=True))
    ]

    assert list(tables_of(rows_of(words))) == []


def test_cells_as_near_as_words_are_a_table_where_a_column_has_figures_alone() -> None:
    texts = [
        "Type Item Cost Note",
        "gain base 4200 full",
        "gain food 1150 free",
        "loss dues 7750 full",
    ]
    words = [
        word
        for n, text in enumerate(texts)
        for word in line_of(n, *zip((0, 32, 64, 96), text.split(), strict=True))
    ]

    (table,) = tables_of(rows_of(words))

    assert table.names == texts[0].split()
    assert table.texts == [text.split() for text in texts[1:]]


def test_long_words_that_are_said_again_are_no_lines_of_text() -> None:
    risks = ["Fire at the main plant of all", "Loss of the data in the cloud"]
    owners = ["Human resources and training", "Legal department of the group"]
    words = [
        word
        for n in range(6)
        for word in line_of(1.6 * n, (0, risks[n % 2]), (200, owners[n % 2]), (400, "open"))
    ]

    assert len(list(tables_of(rows_of(words)))) == 1


@pytest.mark.parametrize(
    ("right", "count"),
    [pytest.param(340, 0, id="another column"), pytest.param(60, 1, id="the line below")],
)
def test_columns_of_text_where_a_broken_word_goes_on_are_no_table(right: float, count: int) -> None:
    rows = [
        ("5", "the treaty", "of both"),
        ("15", "by repre\ufffesent", "states"),
        ("25", "in", "it"),
    ]
    words = [
        word._replace(right=right) if "\ufffe" in word.text else word
        for n, row in enumerate(rows)
        for word in line_of(n, *zip((0, 30, 300), row, strict=True))
    ]

    assert len(list(tables_of(rows_of(words)))) == count
