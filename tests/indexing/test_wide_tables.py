from indexing.chunking import split_table
from indexing.wide_tables import MAX_LABEL_CHARACTERS, TablePart, column_parts

NAMES = " | ".join(f"Column {n}" for n in range(6))


def test_each_part_has_its_names_and_the_first_column() -> None:
    parts = list(column_parts(NAMES, "Lamp | 1 | 2 | 3 | 4 | 5\nWick | 6", 45, 100))

    assert parts == [
        TablePart("Column 0 | Column 1 | Column 2 | Column 3", "Lamp | 1 | 2 | 3\nWick | 6", 0),
        TablePart("Column 0 | Column 4 | Column 5", "Lamp | 4 | 5\n", 0),
    ]


def test_rows_that_fit_stay_together_and_parts_without_values_are_left_out() -> None:
    row = "A lamp of brass | 1 | 2 | 3"

    parts = list(column_parts(NAMES, "\n".join([row] * 3), 45, 100))

    assert [(part.first, part.rows.count("\n") + 1) for part in parts] == [(0, 2), (2, 1)]


def test_a_text_in_the_first_column_is_not_repeated() -> None:
    text = "x" * (MAX_LABEL_CHARACTERS + 1)

    _, second = column_parts(NAMES, f"{text} | 1 | 2 | 3 | 4 | 5", 45, 200)

    assert second.rows == " | 4 | 5"


def test_a_header_that_fits_nowhere_is_not_parted() -> None:
    assert list(column_parts("x" * 50 + " | y", "1 | 2", 45, 100)) == []
    assert list(column_parts("x" * 50, "1", 45, 100)) == []


def test_pieces_of_a_wide_table_tell_their_lines() -> None:
    rows = "\n".join(["Lamp | 1 | 2 | 3 | 4 | 5"] * 6)

    pieces = list(split_table(f"Prices\n{NAMES}", rows, 100))

    assert all(piece.content.startswith("Prices\nColumn 0 | ") for piece in pieces)
    assert [piece.lines for piece in pieces[:2]] == [range(6), range(2, 6)]
    assert pieces[-1].lines.stop == 8
    assert all(len(piece.content) <= 100 for piece in pieces)
