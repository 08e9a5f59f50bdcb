import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from indexing.partition.sheets.spreadsheet import open_xlsx
from tests.libreoffice import needs_calc

EMPTY = re.compile(rb"</f><v( ?/>|></v>)")


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


@needs_calc
def test_formulas_unknown_to_libreoffice_have_the_values_that_were_saved(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0].append(["=_xlfn.XLOOKUP(7,D1:D1,D1:D1)", "=A1+1", "=D1*2", 7])
    workbook.worksheets[0]["A1"].number_format = "0%"
    workbook.save(tmp_path / "empty.xlsx")
    part = "xl/worksheets/sheet1.xml"
    with (
        zipfile.ZipFile(tmp_path / "empty.xlsx") as empty,
        zipfile.ZipFile(tmp_path / "book.xlsx", "w") as book,
    ):
        for name in empty.namelist():
            content = empty.read(name)
            for value in (b"0.5", b"1.5") if name == part else ():
                content = EMPTY.sub(b"</f><v>%b</v>" % value, content, count=1)
            book.writestr(name, content)

    (page,) = open_xlsx(tmp_path / "book.xlsx").pages

    assert page.blocks[0].text == "50% | 1.5 | 14 | 7"
    assert not page.warning
