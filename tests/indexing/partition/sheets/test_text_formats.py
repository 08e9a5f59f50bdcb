from pathlib import Path

import openpyxl
import pytest

from indexing.partition.office.libreoffice import converted
from indexing.partition.sheets.text_formats import parse_text_format
from indexing.partition.sheets.xls import open_xls
from indexing.partition.sheets.xlsx import open_xlsx
from tests.libreoffice import needs_calc


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        pytest.param('"Mr. "@', "Mr. Smith", id="before"),
        pytest.param('0;-0;0;@" & Sons"', "Smith & Sons", id="behind, beside numbers"),
        pytest.param("[Blue]\\D\\r_(* @", "Dr Smith", id="with room"),
    ],
)
def test_words_around_a_text_are_shown(code: str, shown: str) -> None:
    found = parse_text_format(code)

    assert found is not None
    assert found.shown("Smith") == shown
    assert found.shown("") == ""


@pytest.mark.parametrize(
    "code",
    ["@", ";;;@", '0;"-"', "_-@_-", '"  "@', '"a@b"0', '"a"@@', f'"{"long " * 7}"@'],
)
def test_a_text_without_such_words_has_no_format(code: str) -> None:
    assert parse_text_format(code) is None


def write_names(folder: Path) -> Path:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for row in ("Name", "Age"), ("Smith", 40), ("Okonkwo", 50):
        sheet.append(row)
    for place in "A2", "A3", "B3":
        sheet[place].number_format = '0;0;0;"Mr. "@'
    workbook.save(folder / "names.xlsx")
    return folder / "names.xlsx"


def test_texts_of_an_xlsx_come_with_the_words_around_them(tmp_path: Path) -> None:
    (page,) = open_xlsx(write_names(tmp_path)).pages

    assert page.blocks[0].text == "Mr. Smith | 40\nMr. Okonkwo | 50"


@needs_calc
def test_texts_of_an_xls_come_with_the_words_around_them(tmp_path: Path) -> None:
    with converted(write_names(tmp_path), "xlsx", ["xls"]) as (xls,):
        (page,) = open_xls(xls).pages

    assert page.blocks[0].text == "Mr. Smith | 40\nMr. Okonkwo | 50"
