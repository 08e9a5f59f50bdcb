import io
import zipfile
from pathlib import Path

import pytest

from indexing.partition.sheets.near_cells import MAX_GAP, without_gaps
from indexing.partition.sheets.spreadsheet import open_xlsx
from tests.files.hostile_packages import member, with_members

FILES = Path(__file__).parents[3] / "files"
PRICES, SHEET = "price-list.xlsx", "xl/worksheets/sheet1.xml"


def with_rows(rows: str, behind: str = "") -> bytes:
    end = f"{rows}</sheetData>{behind}"
    sheet = member(PRICES, SHEET).replace(b"</sheetData>", end.encode())
    return with_members(PRICES, {SHEET: sheet})


def cell(column: str, row: int, value: int = 7) -> str:
    return f'<row r="{row}"><c r="{column}{row}"><v>{value}</v></c></row>'


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        pytest.param(cell("XFD", 1048576), ["7"], id="the last corner"),
        pytest.param(cell("XFD", 90) + cell("A", 1000000, 8), ["7", "8"], id="two corners"),
        pytest.param(cell("XFD", 1048576).replace("=", " = "), ["7"], id="apart"),
    ],
)
def test_a_stray_cell_costs_no_sheet(rows: str, values: list[str], tmp_path: Path) -> None:
    (tmp_path / PRICES).write_bytes(with_rows(rows))

    prices, _ = open_xlsx(tmp_path / PRICES).pages

    expected, _ = open_xlsx(FILES / PRICES).pages
    assert prices.blocks[: len(expected.blocks)] == expected.blocks
    assert [block.text for block in prices.blocks[len(expected.blocks) :]] == values
    assert prices.warning == ""


def test_cells_keep_their_order_and_merged_ones_move_with_them() -> None:
    merged = '<mergeCells><mergeCell ref="A100:B5000"/></mergeCells>'
    workbook = with_rows(cell("A", 100, 1) + cell("B", 5000, 2), merged)

    with zipfile.ZipFile(without_gaps(io.BytesIO(workbook), ["Prices"])) as package:
        sheet = package.read(SHEET).decode()

    places = [sheet.index(one) for one in ('r="A9"', 'r="B11"')]
    assert places == sorted(places)
    assert 'ref="A9:B11"' in sheet


def test_other_sheets_and_short_gaps_stay_as_they_are() -> None:
    workbook = with_rows(cell("A", 7 + MAX_GAP))

    with zipfile.ZipFile(without_gaps(io.BytesIO(workbook), ["Prices"])) as package:
        assert f'r="A{7 + MAX_GAP}"'.encode() in package.read(SHEET)
        other = "xl/worksheets/sheet2.xml"
        assert package.read(other) == member(PRICES, other)
