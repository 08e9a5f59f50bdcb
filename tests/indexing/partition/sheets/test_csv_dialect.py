"""Tests of how a csv file was written."""

from pathlib import Path

import pytest

from indexing.partition.sheets.csv_dialect import Dialect, dialect_of

MAILS = """\
From{0}Subject{0}Body
ann{0}Hello{0}"Dear Bob,
thank you for your letter, which came today.
Yours, Ann"
bob{0}Re: Hello{0}"Dear Ann,
it was nothing, really.
Yours, Bob"
"""


@pytest.mark.parametrize("delimiter", [";", "\t", "|", "^", "~"])
def test_lines_within_quoted_cells_do_not_tell_what_parts_them(
    delimiter: str, tmp_path: Path
) -> None:
    assert _dialect(MAILS.format(delimiter), tmp_path) == Dialect(delimiter)


def test_a_table_within_a_cell_does_not_tell_what_parts_them(tmp_path: Path) -> None:
    text = 'Key,Summary\nA-1,"\n||Browser||Version||\n|Firefox|123|\n|Chrome|122|\n"\nA-2,None\n'

    assert _dialect(text, tmp_path) == Dialect(",")


def test_commas_in_numbers_are_decimal_signs_between_bars(tmp_path: Path) -> None:
    text = "1,5|2,5\n3,5|4,5\n5,5|6,5\n"

    assert _dialect(text, tmp_path) == Dialect("|")


@pytest.mark.parametrize("line", ["sep=;", '"sep=;"'])
def test_what_excel_is_told_counts(line: str, tmp_path: Path) -> None:
    assert _dialect(f"{line}\na,b;1\n", tmp_path) == Dialect(";")


@pytest.mark.parametrize("sizes", ["", 'Pipe,5"\n'], ids=["alone", "beside another"])
def test_a_quote_that_never_ends_parts_nothing(sizes: str, tmp_path: Path) -> None:
    text = f'Name,Size\n{sizes}Lamp,"5 inch\n' + "Wick,2\n" * 20

    assert _dialect(text, tmp_path) == Dialect(",", has_quotes=False)


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_file_that_is_cut_off_within_a_cell_keeps_its_quotes(end: str, tmp_path: Path) -> None:
    assert _dialect(f'Name,Size\nLamp,"5, or 6{end}', tmp_path).has_quotes


def test_a_cell_that_is_too_long_to_be_read_parts_nothing(tmp_path: Path) -> None:
    text = 'Name,Size\nLamp,"' + ("x" * 99_999 + "\n") * 2 + '"\n'

    assert not _dialect(text, tmp_path).has_quotes


def test_backslashes_before_quotes_are_seen_within_cells_only(tmp_path: Path) -> None:
    assert _dialect(r'1,"a \"b\" c"' + "\n", tmp_path).has_escapes
    assert not _dialect(r'1,"C:\lamps\",2' + "\n", tmp_path).has_escapes


@pytest.mark.parametrize("text", ["1,'Smith, John','it''s'\n2,'Doe, Jane',NULL\n", "'a, b','c'\n"])
def test_single_quotes_count_where_they_stand_around_most_texts(text: str, tmp_path: Path) -> None:
    assert _dialect(text, tmp_path) == Dialect(",", quote="'")


@pytest.mark.parametrize(
    "text",
    [
        "Name,Size\n'tis,5\n'twas,6\n",
        "Name,Note\nSmith,'old'\nDoe,it's\n",
        "Name,Note\nSmith,'old'\nDoe,new\nRoe,new\n",
        "'a','the \"b\"'\n",
    ],
)
def test_apostrophes_are_no_quotes(text: str, tmp_path: Path) -> None:
    assert _dialect(text, tmp_path).quote == '"'


def _dialect(text: str, folder: Path) -> Dialect:
    (folder / "table.csv").write_text(text)
    return dialect_of(folder / "table.csv")
