from pathlib import Path

import openpyxl

from indexing.partition.libreoffice import converted
from indexing.partition.number_formats import NumberFormat
from indexing.partition.sheet_scan import SheetScan
from indexing.partition.xls_scan import scan_xls
from tests.libreoffice import needs_calc

FILES = Path(__file__).parents[2] / "files"


def test_the_sheets_are_measured_together() -> None:
    size = SheetScan(5 * 7)

    assert scan_xls(FILES / "price-list.xls") == {"Prices": size, "Discounts": size, "": size}


@needs_calc
def test_errors_are_found_in_their_sheets(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["B2"] = "#N/A"
    workbook.create_sheet("Größen 年")["C4"] = "=1/0"
    workbook.create_sheet("Fine")["A1"] = 2
    workbook.save(tmp_path / "book.xlsx")

    with converted(tmp_path / "book.xlsx", "xlsx", ["xls"]) as (xls,):
        scans = scan_xls(xls)

    errors = {name: scan.errors for name, scan in scans.items()}
    assert errors == {
        "Sheet": {1: {1: "#N/A"}},
        "Größen 年": {3: {2: "#DIV/0!"}},
        "Fine": {},
        "": {},
    }


@needs_calc
def test_formats_are_found_at_each_kind_of_number(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    # Short numbers that stand together make one record, a long one and a formula their own.
    cells = {"B2": 3, "C2": 5, "D2": 7, "B4": 0.123456789, "B6": "=1/8", "B8": "word"}
    for place, value in cells.items():
        sheet[place] = value
        sheet[place].number_format = "0.0%"
    sheet["C2"].number_format = '#,##0" 年"'
    sheet["D2"].number_format = "0.00"
    workbook.save(tmp_path / "book.xlsx")

    with converted(tmp_path / "book.xlsx", "xlsx", ["xls"]) as (xls,):
        formats = scan_xls(xls)["Sheet"].formats

    percent = NumberFormat(after="%", scale=100)
    assert formats == {
        1: {1: percent, 2: NumberFormat(after=" 年")},
        3: {1: percent},
        5: {1: percent},
    }
