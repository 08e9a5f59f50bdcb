import contextlib
import datetime
import re
import time
import zipfile
from pathlib import Path

import openpyxl
import openpyxl.worksheet.table
import pytest
from openpyxl.styles import Font

from indexing.partition.formats import DocumentFormat
from indexing.partition.office.libreoffice import converted
from indexing.partition.reader import open_document
from indexing.partition.sheets.near_cells import MAX_GAP
from indexing.partition.sheets.spreadsheet import (
    MAX_CELLS,
    Cell,
    cell_text,
    open_xlsx,
    sheet_page,
)
from indexing.partition.sheets.xls import open_xls
from indexing.types import NO_PAGE, Block, BlockKind, Page
from tests.files.hostile_packages import member, with_members
from tests.libreoffice import needs_calc

FILES = Path(__file__).parents[3] / "files"


def test_a_sheet_is_a_page_without_number() -> None:
    prices, discounts = open_xlsx(FILES / "price-list.xlsx").pages

    assert (prices.number, prices.label) == (NO_PAGE, "Prices")
    assert discounts.label == "Discounts"  # hidden
    assert discounts.blocks == (
        Block(BlockKind.TABLE, "10 | 0.05\n100 | 0.12", header="Pieces | Discount"),
    )


def test_values_stand_under_their_header() -> None:
    prices, _ = open_xlsx(FILES / "price-list.xlsx").pages

    title, table = prices.blocks

    assert title == Block(BlockKind.TEXT, "Price list, spring 2024")
    assert table.header == "Article | Name | Price | In stock | Valid from"
    assert table.text.splitlines() == [
        "LN-100 | Storm lantern | 24.5 | 120 | 2024-01-15",
        "LN-200 | Deck lamp | 61 | 45 | 2024-02-01",
        "LN-300 | Signal lamp | 189.99 | 8 | 2024-02-20",
        "Stock value |  | 7204.92",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(61.0, "61", id="whole number"),
        pytest.param(0.1 + 0.2, "0.3", id="float noise"),
        pytest.param(True, "TRUE", id="truth"),
        pytest.param(datetime.datetime(2024, 3, 1), "2024-03-01", id="day"),
        pytest.param(datetime.datetime(2024, 3, 1, 14, 30), "2024-03-01 14:30:00", id="moment"),
        pytest.param(datetime.date(2024, 3, 1), "2024-03-01", id="date"),
        pytest.param(datetime.timedelta(hours=30), "30:00:00", id="duration"),
        pytest.param("two\nlines", "two lines", id="text"),
        pytest.param("2024-03-01T00:00:00.000Z", "2024-03-01", id="day by SheetJS"),
    ],
)
def test_values_are_written_as_people_type_them(value: Cell, text: str) -> None:
    assert cell_text(value) == text


def test_a_merged_heading_stands_in_front_of_those_below(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for row in (["Region", "2024", None], [None, "Sales", "Profit"], ["North", 5, 1]):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    workbook.save(tmp_path / "merged.xlsx")

    (page,) = open_xlsx(tmp_path / "merged.xlsx").pages

    assert page.blocks == (
        Block(BlockKind.TABLE, "North | 5 | 1", header="Region | 2024 Sales | 2024 Profit"),
    )


def test_thousands_of_merged_headings_are_gone_through_once() -> None:
    rows = [["lamp", "", "oil", ""] * 4000, ["a", "b", "c", "d"] * 4000, ["1"] * 16_000]
    began = time.process_time()

    page = sheet_page("Lamps", rows, [((0, left), (0, left + 1)) for left in range(0, 16_000, 2)])

    # With care this takes a tenth of that, without it two seconds and more.
    assert time.process_time() - began < 1
    (block,) = page.blocks
    assert block.header.startswith("lamp a | lamp b | oil c | oil d | lamp a")


def test_a_sheet_that_is_damaged_does_not_harm_the_others(tmp_path: Path) -> None:
    sheet = "<worksheet><sheetData><row><c t='s'><v>999</v></c></row></sheetData></worksheet>"
    members = {"xl/worksheets/sheet1.xml": sheet.encode()}
    (tmp_path / "damaged.xlsx").write_bytes(with_members("price-list.xlsx", members))

    damaged, other = open_xlsx(tmp_path / "damaged.xlsx").pages

    sheet = f"the sheet {damaged.label!r} cannot be read"
    assert damaged.warning == f"{sheet}: it is damaged; save the workbook anew in its own program"
    assert other.blocks


def test_tables_of_a_workbook_have_their_own_headers(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for row in (["Term", "Use", None, "Who", "What"], ["Wick", "light", None, "Ann", "cook"]):
        sheet.append([None, *row])
    for row in (["Code", "7"], ["GB", "yes"]):
        sheet.append([None, *row])
    for name, area in {"Terms": "B1:C2", "People": "E1:F2", "Codes": "B3:C4"}.items():
        sheet.add_table(openpyxl.worksheet.table.Table(displayName=name, ref=area))
    workbook.save(tmp_path / "book.xlsx")

    (page,) = open_xlsx(tmp_path / "book.xlsx").pages

    tables = [(block.header, block.text) for block in page.blocks]
    assert tables == [
        ("Term | Use", "Wick | light"),
        ("Code | 7", "GB | yes"),
        ("Who | What", "Ann | cook"),
    ]


def test_an_old_workbook_is_read_like_a_new_one() -> None:
    old = list(open_xls(FILES / "price-list.xls").pages)

    assert old == list(open_xlsx(FILES / "price-list.xlsx").pages)


def test_a_sheet_with_cells_all_over_it_does_not_harm_the_others(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    for place in range(1, 16_384, MAX_GAP):
        workbook.worksheets[0].cell(place, place, "far")
    workbook.create_sheet("Fine")["A1"] = "words"
    workbook.save(tmp_path / "book.xlsx")

    far, fine = open_xlsx(tmp_path / "book.xlsx").pages

    assert far.warning.startswith("the sheet 'Sheet' was not read: it spans more than 10,000,000")
    assert fine.blocks == (Block(BlockKind.TEXT, "words"),)


def test_a_sheet_that_makes_the_library_panic_does_not_harm_the_others(tmp_path: Path) -> None:
    part = "xl/worksheets/sheet1.xml"
    far = member("price-list.xlsx", part).replace(b'r="A1"', b'r="ZZZZZZ4294967295"')
    (tmp_path / "book.xlsx").write_bytes(with_members("price-list.xlsx", {part: far}))

    prices, discounts = open_xlsx(tmp_path / "book.xlsx").pages

    assert prices.warning.startswith("the sheet 'Prices' cannot be read: it is damaged")
    assert discounts.blocks[0].header == "Pieces | Discount"


def test_a_sheet_that_is_not_in_the_file_is_named(tmp_path: Path) -> None:
    part = "xl/_rels/workbook.xml.rels"
    lost = member("price-list.xlsx", part).replace(b"sheet1.xml", b"sheet9.xml")
    (tmp_path / "book.xlsx").write_bytes(with_members("price-list.xlsx", {part: lost}))

    prices, _ = open_xlsx(tmp_path / "book.xlsx").pages

    assert prices.warning.startswith("the sheet 'Prices' cannot be read: it is not in the file")


@needs_calc
@pytest.mark.parametrize(
    "values",
    [
        pytest.param(["", ""], id="none"),
        pytest.param(["0", "0"], id="zeros"),
        pytest.param(["", "999"], id="one of before"),
    ],
)
def test_formulas_saved_without_values_are_computed(values: list[str], tmp_path: Path) -> None:
    write_formulas(tmp_path / "book.xlsx", *values)

    (page, second) = open_xlsx(tmp_path / "book.xlsx").pages

    assert second.blocks == (Block(BlockKind.TEXT, "25"),)
    assert page == Page(
        NO_PAGE,
        (Block(BlockKind.TABLE, "Lamp | 2 | 10\nWick | 3 | 15", header="Name | Pieces | Total"),),
        label="Sheet",
    )


@needs_calc
def test_dates_beside_computed_formulas_are_read_in_any_language(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet.append([datetime.date(2025, 2, 12), "=A1+2", "=B1*0"])
    for cell in sheet["A1:B1"][0]:
        cell.number_format = "[$-en-US]mmmm d, yyyy;@"
    workbook.save(tmp_path / "book.xlsx")

    (page,) = open_xlsx(tmp_path / "book.xlsx").pages

    assert page.blocks[0].text == "2025-02-12 | 2025-02-14 | 0"


def test_errors_are_shown_as_a_person_sees_them(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for at, value in {"B3": "Name", "C3": "Share", "B4": "Lamp", "C4": "#DIV/0!"}.items():
        sheet[at] = value
    sheet["B5"], sheet["C5"] = "#N/A", 0.5
    workbook.save(tmp_path / "book.xlsx")

    (page,) = open_xlsx(tmp_path / "book.xlsx").pages

    assert page.blocks[0].text == "Lamp | #DIV/0!\n#N/A | 0.5"


def test_numbers_are_shown_with_their_units(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    # Not from the first row and column on.
    for row in (["Year", "Revenue", "Margin"], [2024, 1234.5, 0.125], [2025, 1500, "n/a"]):
        sheet.append([None, None, *row])
    sheet.insert_rows(1, 2)
    for row in (4, 5):
        sheet.cell(row, 4).number_format = '"$"#,##0.00'
        sheet.cell(row, 5).number_format = "0.0%"
    workbook.save(tmp_path / "book.xlsx")

    (page,) = open_xlsx(tmp_path / "book.xlsx").pages

    assert page.blocks == (
        Block(
            BlockKind.TABLE,
            "2024 | $1234.5 | 12.5%\n2025 | $1500 | n/a",
            header="Year | Revenue | Margin",
        ),
    )


@needs_calc
def test_numbers_of_an_old_workbook_are_shown_with_their_units(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet["B2"], sheet["B3"], sheet["B4"] = "Margin", 0.25, 0.5
    sheet["B3"].number_format = sheet["B4"].number_format = "0%"
    workbook.save(tmp_path / "book.xlsx")

    with converted(tmp_path / "book.xlsx", "xlsx", ["xls"]) as (xls,):
        (page,) = open_xls(xls).pages

    assert "25%\n50%" in "\n".join(block.text for block in page.blocks)


@pytest.mark.parametrize("value", ["", "0"], ids=["none", "zeros"])
def test_formulas_that_are_not_computed_are_named(value: str, tmp_path: Path) -> None:
    write_formulas(tmp_path / "book.xlsx", value, value, stray_cell="XFD1048576")

    page, _ = open_xlsx(tmp_path / "book.xlsx").pages

    assert page.blocks[0].text == "Lamp | 2\nWick | 3"
    assert page.warning.startswith(
        "the sheet 'Sheet' has formulas without values, whose cells (2) are empty; open the file"
    )


def test_a_sheet_that_was_cut_says_so() -> None:
    page = sheet_page("Log", [["words"]], is_cut=True)

    assert page.blocks == (Block(BlockKind.TEXT, "words"),)
    assert page.warning.startswith(f"the sheet 'Log' has more than {MAX_CELLS:,} filled cells")


@pytest.mark.parametrize(
    "suffix", ["xlsx", *(pytest.param(suffix, marks=needs_calc) for suffix in ("xls", "ods"))]
)
def test_a_second_table_of_words_is_told_by_bold_print(suffix: str, tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for row in (["Name", "City"], ["Hale", "Bath"], [], ["Term", "Meaning"], ["Lessee", "tenant"]):
        sheet.append(row)
    for cell in (*sheet[1], *sheet[4]):
        cell.font = Font(bold=True)
    workbook.save(tmp_path / "book.xlsx")

    with contextlib.ExitStack() as stack:
        book = tmp_path / "book.xlsx"
        if suffix != "xlsx":
            (book,) = stack.enter_context(converted(book, "xlsx", [suffix]))
        (page,) = open_document(book, DocumentFormat(suffix)).pages

    assert [block.header for block in page.blocks] == ["Name | City", "Term | Meaning"]


def write_formulas(path: Path, *values: str, stray_cell: str = "") -> None:
    """Write a workbook with formulas, and such values in each sheet, as who computes nothing."""
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    for row in (["Name", "Pieces", "Total"], ["Lamp", 2, "=B2*5"], ["Wick", 3, "=B3*5"]):
        sheet.append(row)
    second = workbook.create_sheet("Second")
    second["A1"] = "=SUM(Sheet!C2:C3)"
    if stray_cell:
        second[stray_cell] = "stray"
    workbook.save(path.with_suffix(".empty"))
    with zipfile.ZipFile(path.with_suffix(".empty")) as empty, zipfile.ZipFile(path, "w") as book:
        for name in empty.namelist():
            part = empty.read(name)
            for number, value in enumerate(values, start=1):
                if name == f"xl/worksheets/sheet{number}.xml":
                    part = re.sub(b"</f><v ?/?>(</v>)?", f"</f><v>{value}</v>".encode(), part)
            book.writestr(name, part)
