from indexing.partition.pdf.tables.cells import rows_of
from indexing.partition.pdf.tables.columns import tables_of
from tests.indexing.partition.placed_words import line_of

DATES = ["12.12.2024", "09.06.2023", "04.03.2025"]


def test_dates_as_close_to_texts_as_words_are_a_column_of_their_own() -> None:
    rows = _read(56, 56, 56)

    assert rows[0] == ["Date", "Details", "Out"]
    assert rows[1:] == [[date, "Lamps", "30.00"] for date in DATES]


def test_dates_are_words_of_texts_that_go_on_behind_them_anywhere() -> None:
    assert _read(56, 54, 55)[1] == ["12.12.2024 Lamps", "30.00"]


def _read(*lefts: float) -> list[list[str]]:
    """Return what is read of a table with texts that begin there, behind dates."""
    words = line_of(0, (0, "Date"), (56, "Details"), (200, "Out"))
    for number, (date, left) in enumerate(zip(DATES, lefts, strict=True), 1):
        words += line_of(number, (0, date), (left, "Lamps"), (200, "30.00"))
    (table,) = tables_of(rows_of(words))
    return [table.names, *table.texts]
