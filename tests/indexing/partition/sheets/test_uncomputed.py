from pathlib import Path

import openpyxl
import pytest

from indexing.partition.sheets.spreadsheet import open_xlsx
from indexing.partition.sheets.uncomputed import open_computed, with_uncomputed
from indexing.types import NO_PAGE, Document, Page
from tests.libreoffice import needs_calc


@needs_calc
def test_what_is_opened_has_its_formulas_computed(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["A1"] = "=6*7"
    workbook.save(tmp_path / "book")

    document = open_computed(tmp_path / "book", "xlsm", "xlsx", open_file=open_xlsx)

    assert document
    (page,) = document.pages
    assert page.blocks[0].text == "42"


def test_what_cannot_be_computed_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "book").write_bytes(b"PK\x03\x04 nothing more")

    document = open_computed(
        tmp_path / "book", "xlsm", "xlsx", open_file=lambda path: Document(path.name, 1, iter(()))
    )

    assert document is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "the sheet 'One' has formulas without values", id="alone"),
        pytest.param("It was cut", "It was cut; the sheet 'One' has formulas", id="behind another"),
    ],
)
def test_cells_without_values_are_counted_in_a_warning(before: str, after: str) -> None:
    page = with_uncomputed(Page(NO_PAGE, (), label="One", warning=before), 1234)

    assert page.warning.startswith(after)
    assert "whose cells (1,234) are empty; open the file" in page.warning


def test_a_page_whose_formulas_have_values_has_no_warning() -> None:
    page = Page(NO_PAGE, (), label="One")

    assert with_uncomputed(page, 0) is page
