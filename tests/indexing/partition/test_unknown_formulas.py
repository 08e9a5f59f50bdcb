from pathlib import Path

import openpyxl
import pytest

from indexing.partition.sheet_scan import SheetScan
from indexing.partition.spreadsheet import open_xlsx
from indexing.partition.unknown_formulas import without_unknown
from tests.libreoffice import needs_calc


@needs_calc
@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        pytest.param("=LAMPS(B1)", "", id="function"),
        pytest.param('=IFERROR(_xlfn.XLOOKUP(7,B1:B1,B1:B1),"none")', "", id="in case of an error"),
        pytest.param("=[[#This Row],[Pieces]]", "", id="column of no table"),
        pytest.param("=_xlfn.IFS(TRUE,B1+1)", "8", id="function that is known"),
        pytest.param("=NA()", "#N/A", id="error that is one"),
    ],
)
def test_formulas_unknown_to_libreoffice_have_no_value(
    formula: str, shown: str, tmp_path: Path
) -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0].append(["Lamp", 7, formula])
    workbook.save(tmp_path / "book.xlsx")

    (page,) = open_xlsx(tmp_path / "book.xlsx").pages

    assert page.blocks[0].text == f"Lamp | 7 | {shown}".rstrip(" |")
    assert ("formulas without values, whose cells (1) are empty" in page.warning) is (not shown)


def test_names_unknown_to_libreoffice_are_counted() -> None:
    scans = without_unknown({"Sales": SheetScan(shown={0: {1: "#NAME?", 2: "#REF!"}})})

    assert scans == {"Sales": SheetScan(shown={0: {1: "", 2: "#REF!"}}, uncomputed=1)}
