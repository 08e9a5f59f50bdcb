from pathlib import Path

import pytest

from indexing.partition.open_document.sheets import open_ods
from indexing.types import Page
from tests.indexing.partition.open_documents import write
from tests.libreoffice import needs_calc

OPEN_FORMULA = 'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'
NUMBER = '<table:table-cell office:value-type="float" office:value="{}"><text:p>{}</text:p>'
FORMULA = '<table:table-cell table:formula="{}" {}/>'
VALUE = 'office:value-type="float" office:value="{}"'


def formula(text: str, value: str = "") -> str:
    return FORMULA.format(text, VALUE.format(value) if value else "")


def read(path: Path, *rows: str) -> Page:
    cells = [f"{NUMBER.format(n, n)}</table:table-cell>{row}" for n, row in enumerate(rows, 1)]
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    write(path, f"<table:table {OPEN_FORMULA}>{body}</table:table>", "spreadsheet")
    (page,) = open_ods(path).pages
    return page


@needs_calc
@pytest.mark.parametrize(
    "saved",
    [
        pytest.param(formula("of:=XLOOKUP(2;[.A1:.A3];[.A1:.A3])", "7"), id="not known"),
        pytest.param(formula("=VLOOKUP(A1,Other!A1:B9,2)", "7"), id="in the way of Excel"),
    ],
)
def test_values_that_were_saved_stand_for_formulas_that_are_not_known(
    saved: str, tmp_path: Path
) -> None:
    needs_it = formula("of:=[.B1]+1", "8")

    page = read(tmp_path / "book.ods", saved, needs_it, formula("of:=[.A1]+40"))

    assert [block.text for block in page.blocks] == ["1 | 7\n2 | 8\n3 | 41"]
    assert not page.warning


@needs_calc
def test_formulas_that_are_not_known_and_have_no_values_are_counted(tmp_path: Path) -> None:
    page = read(tmp_path / "book.ods", formula("of:=XLOOKUP(2;[.A1:.A2];[.A1:.A2])"), "")

    assert [block.text for block in page.blocks] == ["1", "2"]
    assert "whose cells (1) are empty" in page.warning


@needs_calc
def test_true_errors_stay(tmp_path: Path) -> None:
    page = read(tmp_path / "book.ods", formula("of:=[.A1]/0"), "")

    assert [block.text for block in page.blocks] == ["1 | #DIV/0!\n2"]
