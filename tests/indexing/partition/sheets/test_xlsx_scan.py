import zipfile
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import Font

from indexing.partition.sheets.number_formats import NumberFormat
from indexing.partition.sheets.scan import SheetScan
from indexing.partition.sheets.xlsx_scan import CHUNK_BYTES, scan_xlsx


def test_the_sheets_of_a_workbook_are_measured(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    first = workbook.worksheets[0]
    first["B3"], first["AB12"] = 1, 2
    workbook.create_sheet("Far")["A1"] = 1
    workbook["Far"]["XFD1048576"] = 2
    workbook.create_sheet("Empty")
    workbook.save(tmp_path / "book.xlsx")

    scans = scan_xlsx(tmp_path / "book.xlsx")

    assert scans == {
        "Sheet": SheetScan(27 * 10),
        "Far": SheetScan(16_384 * 1_048_576),
        "Empty": SheetScan(),
    }


@pytest.mark.parametrize(
    ("cell", "uncomputed"),
    [
        pytest.param("<c><f>A1*2</f></c>", 1, id="formula alone"),
        pytest.param('<c r="A1"> <f>A1*2</f> <v> </v> </c>', 1, id="empty value"),
        pytest.param('<c><f t="shared" si="0"/><v/></c>', 1, id="shared formula"),
        pytest.param("<x:c><x:f>A1*2</x:f><x:v /></x:c>", 1, id="names with a prefix"),
        pytest.param("<c><f>A1*2</f><v>4</v></c>", 0, id="value"),
        pytest.param('<c><f t="shared" si="0"/><v>4</v></c>', 0, id="value of a shared formula"),
        pytest.param('<c t="str"><f>T(A1)</f><v></v></c>', 0, id="empty string"),
        pytest.param("<c><v></v></c><cf></cf>", 0, id="no formula"),
    ],
)
def test_formulas_without_values_are_counted(cell: str, uncomputed: int, tmp_path: Path) -> None:
    write_sheet(tmp_path / "book.xlsx", cell)

    assert scan_xlsx(tmp_path / "book.xlsx")["Sheet"].uncomputed == uncomputed


def test_every_formula_of_a_long_sheet_is_counted_once(tmp_path: Path) -> None:
    cells = 3 * CHUNK_BYTES // 30
    write_sheet(tmp_path / "book.xlsx", '<c r="A1"><f>A1*2+B11</f><v></v></c>' * cells)

    assert scan_xlsx(tmp_path / "book.xlsx")["Sheet"].uncomputed == cells


ZERO = '<c r="C2" s="1"><f>A1*2</f><v>0</v></c>'


@pytest.mark.parametrize(
    ("cells", "places"),
    [
        pytest.param(ZERO, [(1, 2)], id="one"),
        pytest.param(f'{ZERO}<c r="AA3"><f>C2</f></c>', [(1, 2)], id="with one that is empty"),
        pytest.param('<x:c t="n" r="B1"> <x:f/> <x:v>0</x:v> </x:c>', [(0, 1)], id="prefix"),
        pytest.param(f'{ZERO}<c r="C3"><v>7</v></c>', [(1, 2)], id="beside a number"),
        pytest.param(f'{ZERO}<c r="C3"><f>C2</f><v>7</v></c>', [], id="with a value"),
        pytest.param(f'{ZERO}<c r="C3" t="str"><f>T(A1)</f><v></v></c>', [], id="with a text"),
        pytest.param(f'{ZERO}<c r="C3" t="e"><f>C2</f><v>#N/A</v></c>', [], id="with an error"),
        pytest.param(f'{ZERO}<c r="C3" t="b"><f>C2</f><v>0</v></c>', [], id="with a truth"),
        pytest.param('<c r="C2"><v>0</v></c>', [], id="no formula"),
    ],
)
def test_zeros_are_no_values_if_all_formulas_have_them_and_excel_is_to_compute(
    cells: str, places: list[tuple[int, int]], tmp_path: Path
) -> None:
    write_sheet(tmp_path / "book.xlsx", cells)

    scan = scan_xlsx(tmp_path / "book.xlsx")["Sheet"]

    empty = [(row, column) for row, in_row in scan.shown.items() for column in in_row]
    assert [place for place in empty if not scan.shown[place[0]][place[1]]] == places
    assert scan.uncomputed == len(places) + cells.count("</f></c>")


def test_zeros_are_values_where_excel_is_not_to_compute(tmp_path: Path) -> None:
    write_sheet(tmp_path / "book.xlsx", ZERO, is_computed_when_opened=False)

    scan = scan_xlsx(tmp_path / "book.xlsx")["Sheet"]

    assert (scan.uncomputed, scan.shown) == (0, {})


def test_a_value_in_another_sheet_tells_that_zeros_were_computed(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.create_sheet("Second")
    workbook.save(tmp_path / "empty.xlsx")
    value = '<c r="A1"><f>6*7</f><v>42</v></c>'
    sheets = {"xl/worksheets/sheet1.xml": ZERO, "xl/worksheets/sheet2.xml": value}
    write_sheets(tmp_path / "empty.xlsx", tmp_path / "book.xlsx", sheets)

    scans = scan_xlsx(tmp_path / "book.xlsx")

    assert [scan.uncomputed for scan in scans.values()] == [0, 0]


@pytest.mark.parametrize(
    ("last", "places"),
    [
        pytest.param('<c r="C1"><v>2</v></c>', 3, id="filled"),
        pytest.param('<c r="C1" t="inlineStr"><is><t>two</t></is></c>', 3, id="text"),
        pytest.param('<c r="C1048576" s="1"/>', 1, id="format alone"),
        pytest.param('<c r="C1048576" s="1"></c>', 1, id="format alone, as LibreOffice writes it"),
        pytest.param('</row><row r="1048576">', 1, id="empty row"),
    ],
)
def test_a_sheet_reaches_as_far_as_its_filled_cells(last: str, places: int, tmp_path: Path) -> None:
    write_sheet(tmp_path / "book.xlsx", f'<row><c r="A1"><v>1</v></c>{last}</row>')

    assert scan_xlsx(tmp_path / "book.xlsx")["Sheet"].places == places


def test_errors_are_found_where_they_stand(tmp_path: Path) -> None:
    write_sheet(
        tmp_path / "book.xlsx",
        '<c r="B2" t="e"><v>#N/A</v></c><c t="e" s="1" r="AA2"><f>1/0</f><v>#DIV/0!</v></c>'
        '<x:c r="C5" t="e"><x:f t="shared"/><x:v>#REF!</x:v></x:c>'
        '<c r="D5" t="s"><v>1</v></c><c r="E5" t="e"><v>5</v></c>',
    )

    errors = scan_xlsx(tmp_path / "book.xlsx")["Sheet"].shown

    assert errors == {1: {1: "#N/A", 26: "#DIV/0!"}, 4: {2: "#REF!", 4: "5"}}


def test_only_numbers_have_the_formats_of_their_cells(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet["B2"], sheet["C2"], sheet["AA3"], sheet["D2"] = 0.125, "word", -5, 7
    sheet["B2"].number_format = sheet["C2"].number_format = "0.0%"
    sheet["AA3"].number_format = "#,##0 [$€-407]"
    sheet["D2"].number_format = "#,##0.00"
    workbook.save(tmp_path / "book.xlsx")

    formats = scan_xlsx(tmp_path / "book.xlsx")["Sheet"].formats

    assert formats == {
        1: {1: NumberFormat(after="%", scale=100)},
        2: {26: NumberFormat(after=" €")},
    }


@pytest.mark.parametrize(
    ("cell", "is_found"),
    [
        pytest.param('<c r="A1" s="1"><v>1</v></c>', True, id="number"),
        pytest.param("<x:c s='1' t='n' r='A1' ><x:v>1</x:v></x:c>", True, id="prefix and type"),
        pytest.param('<c r="A1" s="1"><f>1+1</f><v>2</v></c>', True, id="formula"),
        pytest.param('<c r="A1" s="1"/>', False, id="empty"),
        pytest.param('<c r="A1" s="1" t="s"><v>1</v></c>', False, id="text"),
        pytest.param('<c r="A1" s="0"><v>1</v></c>', False, id="no style"),
        pytest.param('<c r="A1" s="99"><v>1</v></c>', False, id="style that is not there"),
        pytest.param('<c s="1"><v>1</v></c>', False, id="no place"),
    ],
)
def test_formats_are_found_however_a_cell_is_written(
    cell: str, is_found: bool, tmp_path: Path
) -> None:
    write_sheet(tmp_path / "book.xlsx", cell)

    formats = scan_xlsx(tmp_path / "book.xlsx")["Sheet"].formats

    assert formats == ({0: {0: NumberFormat(after="%", scale=100)}} if is_found else {})


def test_texts_in_bold_print_are_found(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet["B2"], sheet["D2"], sheet["B3"], sheet["D3"] = "Term", "Meaning", "Lessee", 61
    for cell in (sheet["B2"], sheet["D2"], sheet["C2"], sheet["D3"]):
        cell.font = Font(bold=True)
    sheet["B3"].font = Font(italic=True)
    workbook.save(tmp_path / "book.xlsx")

    assert scan_xlsx(tmp_path / "book.xlsx")["Sheet"].bold == {1: [1, 3]}


def write_sheet(path: Path, cells: str, *, is_computed_when_opened: bool = True) -> None:
    """Write a workbook whose one sheet has these cells; its style 1 shows percentages."""
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["A1"].number_format = "0%"
    workbook.calculation.fullCalcOnLoad = is_computed_when_opened
    workbook.save(path.with_suffix(".empty"))
    write_sheets(path.with_suffix(".empty"), path, {"xl/worksheets/sheet1.xml": cells})


def write_sheets(source: Path, path: Path, sheets: Mapping[str, str]) -> None:
    """Write a copy of a workbook that has these cells in these parts."""
    with zipfile.ZipFile(source) as empty, zipfile.ZipFile(path, "w") as book:
        for name in empty.namelist():
            part = empty.read(name)
            if name in sheets:
                part = f"<worksheet><sheetData>{sheets[name]}</sheetData></worksheet>".encode()
            book.writestr(name, part)
