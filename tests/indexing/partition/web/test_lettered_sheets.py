from pathlib import Path

import pytest

from indexing.partition.merged_cells import Row
from indexing.partition.web.lettered_sheets import cells_of_sheet
from indexing.partition.web.markup import open_html

SHEET = [["", "A", "B"], ["1", "Name", "City"], ["", "", ""], ["2", "Hale", "Bath"]]


def test_letters_and_numbers_of_a_sheet_are_left_out() -> None:
    assert cells_of_sheet(SHEET, [True] * 4) == [["Name", "City"], ["Hale", "Bath"]]


def test_so_they_are_of_a_wide_sheet() -> None:
    letters = [*map(chr, range(ord("A"), ord("Z") + 1)), "AA"]

    assert cells_of_sheet([["", *letters], ["1", "Name"]], [True] * 2) == [["Name"]]


@pytest.mark.parametrize(
    ("cells", "headings"),
    [
        pytest.param([], [], id="no cells"),
        pytest.param(SHEET, [True, False, False, False], id="rows without a heading"),
        pytest.param([["", "A", "C"], ["1", "5", "6"]], [True] * 2, id="other names"),
        pytest.param([["", "A"], ["1", "5"]], [True] * 2, id="a single letter"),
        pytest.param([["Grade", "A", "B"], ["1", "5", "6"]], [True] * 2, id="names of rows"),
        pytest.param([["", "A", "B"], ["Hale", "5", "6"]], [True] * 2, id="rows with names"),
    ],
)
def test_other_tables_are_none(cells: list[Row], headings: list[bool]) -> None:
    assert cells_of_sheet(cells, headings) == []


def test_the_first_row_of_a_sheet_names_its_columns(tmp_path: Path) -> None:
    head, *rows = SHEET
    body = "".join(f"<tr><th>{row[0]}</th><td>{row[1]}</td><td>{row[2]}</td></tr>" for row in rows)
    names = "".join(f"<th>{name}</th>" for name in head)
    page = f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"
    (tmp_path / "sheet.html").write_text(page)

    (page_read,) = open_html(tmp_path / "sheet.html").pages

    assert [(one.header, one.text) for one in page_read.blocks] == [("Name | City", "Hale | Bath")]
