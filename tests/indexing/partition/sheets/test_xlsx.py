from pathlib import Path

from indexing.partition.formats import DocumentFormat, check_readable
from indexing.partition.sheets.xlsx import open_xlsx
from tests.conftest import FILES
from tests.files.xlsb_writer import write_xlsb


def test_a_binary_workbook_is_read_as_any_other(tmp_path: Path) -> None:
    write_xlsb(tmp_path / "book.xlsb", {"Prices": [["Name", "Price"], ["Lamp", 61]], "Two": []})

    assert check_readable(tmp_path / "book.xlsb", "book.xlsb") is DocumentFormat.XLSX
    (page, _) = open_xlsx(tmp_path / "book.xlsb").pages

    assert (page.label, page.blocks[0].header, page.blocks[0].text) == (
        *("Prices", "Name | Price"),
        "Lamp | 61",
    )


def test_sheets_may_be_skipped(tmp_path: Path) -> None:
    write_xlsb(tmp_path / "book.xlsb", {"Prices": [["Lamp"]], "Two": [["Wick"]]})

    assert [page.label for page in open_xlsx(tmp_path / "book.xlsb", 1).pages] == ["Two"]
    assert [page.label for page in open_xlsx(FILES / "price-list.xlsx", 1).pages] == ["Discounts"]
