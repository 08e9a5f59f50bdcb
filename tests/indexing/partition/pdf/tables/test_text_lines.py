import pytest

from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Word, cells_of, rows_of
from indexing.partition.pdf.tables.text_lines import as_text
from tests.indexing.partition.placed_words import line_of

ACCOUNT = "Pay within 30 days to the account GB29 6016 1331 9268 19 of the harbour."


def test_a_line_of_text_is_one_cell_whatever_figures_are_in_it() -> None:
    row = cells_of(_sentence(0, ACCOUNT))

    (cell,) = as_text(row)

    assert len(row) > 1
    assert " ".join(word.text for word in cell) == ACCOUNT


@pytest.mark.parametrize(
    "words",
    [
        pytest.param([(0, "Lamps of brass and glass"), (140, "12"), (154, "30")], id="wide gap"),
        pytest.param([(0, "Lamps"), (29, "12"), (43, "30"), (57, "41")], id="few words"),
        pytest.param([(0, "Lamps"), (150, "12")], id="two cells"),
    ],
)
def test_a_row_of_a_table_keeps_its_cells(words: list[tuple[float, str]]) -> None:
    row = cells_of(line_of(0, *words))

    assert as_text(row) is row


def test_a_line_with_an_account_below_a_table_leaves_it_its_columns() -> None:
    head = line_of(0, (0, "Pos."), (30, "Lamp"), (250, "Pieces"), (300, "Price"))
    rows = [line_of(at, (0, str(at)), (30, "Buoy"), (260, "12"), (300, "7.50")) for at in (1, 2, 3)]
    words = [word for line in (head, *rows, _sentence(4, ACCOUNT)) for word in line]

    (table,) = tables_of(rows_of(words))

    assert table.names == ["Pos.", "Lamp", "Pieces", "Price"]
    assert table.texts == [[str(at), "Buoy", "12", "7.50"] for at in (1, 2, 3)]


def _sentence(number: float, text: str) -> list[Word]:
    """Return the words of a text with spaces of four tenths of their height."""
    places: list[tuple[float, str]] = []
    left = 0.0
    for word in text.split():
        places.append((left, word))
        left += 5 * len(word) + 4
    return line_of(number, *places)
