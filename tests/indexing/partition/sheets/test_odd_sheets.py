import zipfile
from collections.abc import Mapping
from pathlib import Path

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
