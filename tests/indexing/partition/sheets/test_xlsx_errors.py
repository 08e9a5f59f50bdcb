import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from indexing.partition.sheets.xlsx import open_xlsx
from indexing.partition.sheets.xlsx_errors import with_known_errors
from indexing.partition.sheets.xlsx_scan import scan_xlsx


@pytest.mark.parametrize(
    "error", ["#GETTING_DATA", "#SPILL!", "#CALC!", "#BLOCKED!", "#UNBEKANNT!", "Err:502"]
)
def test_errors_that_are_not_known_come_as_they_are_shown(error: str, tmp_path: Path) -> None:
    path = write_errors(tmp_path, error)

    (page,) = open_xlsx(path).pages

    assert not page.warning
    assert page.blocks[0].text == f"Lamp | {error}\nWick | #DIV/0!\nOil | 7"


def test_a_workbook_with_known_errors_is_no_copy(tmp_path: Path) -> None:
    with write_errors(tmp_path, "#NUM!").open("rb") as file:
        assert with_known_errors(file, scan_xlsx(file)) is file


def write_errors(folder: Path, error: str) -> Path:
    """Write a workbook with this error, which the writer does not know, and one that it knows."""
    workbook = openpyxl.Workbook()
    for row in ("Name", "Stock"), ("Lamp", "#N/A"), ("Wick", "#DIV/0!"), ("Oil", 7):
        workbook.worksheets[0].append(row)
    written = io.BytesIO()
    workbook.save(written)
    path = folder / "errors.xlsx"
    with zipfile.ZipFile(written) as book, zipfile.ZipFile(path, "w") as target:
        for name in book.namelist():
            target.writestr(name, book.read(name).replace(b">#N/A<", f">{error}<".encode()))
    return path
