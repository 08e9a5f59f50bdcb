import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import openpyxl

from indexing.partition.sheets.odd_sheets import open_package
from indexing.partition.sheets.xlsx import open_xlsx
from indexing.types import Page
from tests.conftest import FILES

BOOK = FILES / "price-list.xlsx"
RELATIONS = "xl/_rels/workbook.xml.rels"


def test_usual_workbook_is_the_file_as_it_is() -> None:
    with open_package(BOOK) as file:
        assert file.read() == BOOK.read_bytes()


def test_sheets_in_another_folder_are_read(tmp_path: Path) -> None:
    path = with_replaced(tmp_path, {"worksheets/sheet": "sheets/s"})

    assert contents(path) == contents(BOOK)


def test_sheet_of_macros_is_passed_over(tmp_path: Path) -> None:
    kinds = {'worksheet"': 'xlMacrosheet"', "worksheets/sheet1": "macrosheets/sheet1"}

    path = with_replaced(tmp_path, kinds, first_only=True)

    assert contents(path) == contents(BOOK)[1:]


def contents(path: Path) -> list[Page]:
    return list(open_xlsx(path).pages)


def with_replaced(folder: Path, replaced: Mapping[str, str], *, first_only: bool = False) -> Path:
    """Write the book with other words in its relations and the names of its parts."""
    path = folder / "odd.xlsx"

    def changed(text: str) -> str:
        for one, other in replaced.items():
            text = text.replace(one, other, 1 if first_only else -1)
        return text

    with zipfile.ZipFile(BOOK) as book, zipfile.ZipFile(path, "w") as target:
        for name in book.namelist():
            content = book.read(name)
            if name == RELATIONS:
                content = changed(content.decode()).encode()
            target.writestr(changed(name), content)
    return path


def test_cells_that_do_not_say_where_they_are_come_as_those_that_do(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for row in ("Name", "Share", "Note"), ("Lamp", 0.5, "fine"), ("Wick", "#N/A", "none"):
        sheet.append(row)
    sheet["B2"].number_format = "0%"
    sheet["AB5"] = "far"
    workbook.save(tmp_path / "placed.xlsx")
    path = tmp_path / "unplaced.xlsx"
    with zipfile.ZipFile(tmp_path / "placed.xlsx") as book, zipfile.ZipFile(path, "w") as target:
        for name in book.namelist():
            cells = re.sub(rb'<(c|row) r="(?!AB5|5)\w+"', rb"<\1", book.read(name))
            target.writestr(name, cells)

    assert contents(path) == contents(tmp_path / "placed.xlsx")
    assert "Lamp | 50% | fine\nWick | #N/A | none" in contents(path)[0].blocks[0].text
