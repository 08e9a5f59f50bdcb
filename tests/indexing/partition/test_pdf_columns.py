from collections.abc import Sequence

import pytest

from indexing.partition.pdf_columns import Word, cell_text, tables_of

LINE = 14.0


def test_the_sign_of_a_figure_belongs_to_it() -> None:
    words = [
        *_line(0, (200, "2023"), (300, "2024")),
        *_line(1, (0, "Sales"), (150, "$"), (200, "118"), (260, "$"), (300, "9")),
        *_line(2, (0, "Growth"), (200, "24"), (220, "%"), (300, "(7"), (320, ")%")),
    ]

    (table,) = tables_of(words)

    assert [_texts(table.header), *map(_texts, table.rows)] == [
        ["", "2023", "2024"],
        ["Sales", "$ 118", "$ 9"],
        ["Growth", "24 %", "(7 )%"],
    ]


def test_a_name_over_several_columns_stands_in_the_first_of_them() -> None:
    words = [
        *_line(0, (215, "First half"), (415, "Second half")),
        *_line(1, (200, "2023"), (300, "2024"), (400, "2023"), (500, "2024")),
        *_line(2, (0, "Sales"), (200, "1,118"), (300, "9,120"), (400, "7,500"), (500, "8,400")),
        *_line(3, (0, "Costs"), (200, "1,001"), (300, "9,001"), (400, "7,001"), (500, "8,001")),
    ]

    (table,) = tables_of(words)

    assert _texts(table.header) == ["", "First half 2023", "2024", "Second half 2023", "2024"]


def test_figures_that_nearly_touch_are_cells_of_their_own() -> None:
    words = [
        *_line(0, (0, "Gold"), (100, "53.40"), (130, "50.68"), (160, "50.90")),
        *_line(1, (0, "Open"), (100, "56.15"), (130, "52.56"), (160, "53.76")),
        *_line(2, (0, "Both"), (100, "74.62"), (130, "63.62"), (160, "62.23")),
    ]

    (table,) = tables_of(words)

    assert _texts(table.rows[0]) == ["Gold", "53.40", "50.68", "50.90"]


@pytest.mark.parametrize("lines", [1, 2])
def test_too_few_rows_are_no_table(lines: int) -> None:
    words = [
        word for n in range(lines) for word in _line(n, (0, "Sales"), (200, "118"), (300, "9"))
    ]

    assert list(tables_of(words)) == []


def _line(number: int, *words: tuple[float, str]) -> list[Word]:
    """Return words that begin there, each letter five points wide and ten high."""
    top = LINE * number
    return [
        Word(text, number, x, top, x + 5 * len(text), top + 10, height=10, middle=top + 5)
        for x, text in words
    ]


def _texts(row: Sequence[list[Word]]) -> list[str]:
    return [cell_text(cell) for cell in row]
