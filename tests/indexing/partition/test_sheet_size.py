from pathlib import Path

import openpyxl

from indexing.partition.sheet_size import sheet_extents

FILES = Path(__file__).parents[2] / "files"


def test_the_sheets_of_a_workbook_are_measured(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    first = workbook.worksheets[0]
    first["B3"], first["AB12"] = 1, 2
    workbook.create_sheet("Far")["A1"] = 1
    workbook["Far"]["XFD1048576"] = 2
    workbook.create_sheet("Empty")
    workbook.save(tmp_path / "book.xlsx")

    extents = sheet_extents(tmp_path / "book.xlsx")

    assert extents == {"Sheet": 27 * 10, "Far": 16_384 * 1_048_576, "Empty": 0}


def test_an_old_workbook_is_measured_as_a_whole() -> None:
    assert sheet_extents(FILES / "price-list.xls") == {"": 5 * 7}
