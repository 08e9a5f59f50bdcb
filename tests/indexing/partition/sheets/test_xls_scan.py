import struct
from pathlib import Path

import openpyxl
import pytest

from indexing.partition.office.libreoffice import converted
from indexing.partition.sheets.number_formats import NumberFormat
from indexing.partition.sheets.scan import SheetScan
from indexing.partition.sheets.xls import open_xls
from indexing.partition.sheets.xls_scan import scan_xls
from tests.files.xls_writer import formula, record, shared, write_xls
from tests.libreoffice import needs_calc

FILES = Path(__file__).parents[3] / "files"


def test_each_sheet_is_measured_by_itself() -> None:
    scans = scan_xls(FILES / "price-list.xls")

    assert scans == {"Prices": SheetScan(5 * 7), "Discounts": SheetScan(3 * 2)}


@needs_calc
def test_errors_are_found_in_their_sheets(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["B2"] = "#N/A"
    workbook.create_sheet("Größen 年")["C4"] = "=1/0"
    workbook.create_sheet("Fine")["A1"] = 2
    workbook.save(tmp_path / "book.xlsx")

    with converted(tmp_path / "book.xlsx", "xlsx", ["xls"]) as (xls,):
        scans = scan_xls(xls)

    errors = {name: scan.shown for name, scan in scans.items()}
    assert errors == {
        "Sheet": {1: {1: "#N/A"}},
        "Größen 年": {3: {2: "#DIV/0!"}},
        "Fine": {},
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


@pytest.mark.parametrize("is_old", [False, True])
def test_numbers_stay_numbers_where_other_programs_have_dates(is_old: bool, tmp_path: Path) -> None:
    """Gnumeric counts its own formats from 50 on, which are dates in East Asia."""
    formats = {50: "0.0", 51: "yyyy-mm-dd", 52: '0" pieces"'}
    numbers = [
        record(0x203, struct.pack("<HHHd", 1, 0, 0, 1234.5)),
        record(0x27E, struct.pack("<HHHI", 1, 1, 0, 7 << 2 | 2)),
        record(0x27E, struct.pack("<HHHi", 1, 2, 0, -12345 << 2 | 3)),
        record(0xBD, struct.pack("<HHHIHIH", 2, 0, 2, 9 << 2 | 2, 0, 0x3FF80000, 1)),
        record(0x203, struct.pack("<HHHd", 2, 2, 1, 44651.0)),
        record(0x205, struct.pack("<HHHBB", 3, 0, 0, 0x07, 1)),
    ]
    path = write_xls(tmp_path, formats, numbers, is_old=is_old)

    (page,) = open_xls(path).pages

    (block,) = page.blocks
    assert block.text.split("\n") == [
        "1234.5 | 7 | -123.45",
        "9 pieces | 1.5 | 2022-03-31",
        "#DIV/0!",
    ]


@pytest.mark.parametrize(
    ("number", "is_of_mac", "shown"),
    [
        pytest.param(45415.0, False, "2024-05-03", id="day"),
        pytest.param(43953.0, True, "2024-05-03", id="day of a Macintosh"),
        pytest.param(-1.0, False, "-1", id="before all days"),
    ],
)
def test_dates_have_formats_of_any_number(
    number: float, is_of_mac: bool, shown: str, tmp_path: Path
) -> None:
    """SheetJS counts its own formats from 60 on."""
    cells = [record(0x203, struct.pack("<HHHd", 0, 0, 0, number))]
    path = write_xls(tmp_path, {60: "dd\\.mm\\.yyyy"}, cells, is_old=False, is_of_mac=is_of_mac)

    (page,) = open_xls(path).pages

    assert [block.text for block in page.blocks] == [shown]


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param((0x06, struct.pack("<HHH3HH", 1, 0, 0, 0, 0, 0, 0xFFFF)), id="a text"),
        pytest.param((0x27E, struct.pack("<HHHI", 1, 0, 0, 0x7FF00000)), id="endless"),
    ],
)
def test_what_is_no_number_is_not_shown_as_one(cell: tuple[int, bytes], tmp_path: Path) -> None:
    path = write_xls(tmp_path, {50: "0.0"}, [record(*cell)], is_old=False)

    assert scan_xls(path)["Sales"].shown == {}


def test_cells_that_are_only_formatted_are_not_measured(tmp_path: Path) -> None:
    cells = [
        record(0x203, struct.pack("<HHHd", 2, 1, 0, 1.5)),
        record(0x201, struct.pack("<HHH", 65_535, 255, 0)),
        record(0xBE, struct.pack("<HHHHH", 9, 0, 0, 0, 1)),
    ]

    path = write_xls(tmp_path, {50: "0.0"}, cells, is_old=False)

    assert scan_xls(path)["Sales"].places == 1


ZERO, NO_TEXT = bytes(8), b"\x03" + bytes(5) + b"\xff\xff"
NUMBER, TEXT, TRUTH = struct.pack("<d", 42), bytes(6) + b"\xff\xff", b"\x01" + NO_TEXT[1:]
JOINED = b"\x44\x00\x00\x00\xc0\x17\x01\x00x\x08"  # A1&"x"
FIRST = b"\x01\x01\x00\x00\x00"  # of the cells that have the formula of A2
NO_ENGINE, ENGINE = (record(0x1C1, struct.pack("<HHI", 0x1C1, 0, one)) for one in (0, 101_716))


@pytest.mark.parametrize(
    ("records", "uncomputed"),
    [
        pytest.param([formula(NO_TEXT)], 1, id="empty, as xlwt"),
        pytest.param([formula(ZERO), formula(ZERO, (2, 0))], 2, id="zeros"),
        pytest.param([NO_ENGINE, formula(ZERO)], 1, id="to be computed, as POI"),
        pytest.param([ENGINE, record(0x5E, bytes(2)), formula(ZERO)], 1, id="not computed"),
        pytest.param([ENGINE, formula(ZERO)], 0, id="computed"),
        pytest.param([ENGINE, formula(ZERO, tokens=JOINED)], 1, id="zero for a text"),
        pytest.param(
            [ENGINE, formula(ZERO, tokens=FIRST), shared(JOINED)], 1, id="zeros for texts"
        ),
        pytest.param([ENGINE, formula(NUMBER), shared(JOINED)], 0, id="a number for a text"),
        pytest.param(
            [ENGINE, formula(ZERO, tokens=JOINED), formula(ZERO, (2, 0)), formula(NO_TEXT, (3, 0))],
            2,
            id="zero beside one for a text",
        ),
        pytest.param([ENGINE, formula(NO_TEXT, tokens=JOINED)], 0, id="empty text"),
        pytest.param([formula(ZERO), formula(NUMBER, (2, 0))], 0, id="beside a value"),
        pytest.param([formula(ZERO), formula(TEXT, (2, 0))], 0, id="beside a text"),
        pytest.param([formula(ZERO), formula(TRUTH, (2, 0))], 0, id="beside a truth"),
        pytest.param([record(0x203, struct.pack("<HHHd", 1, 0, 0, 0.0))], 0, id="no formula"),
    ],
)
def test_formulas_without_values_are_counted(
    records: list[bytes], uncomputed: int, tmp_path: Path
) -> None:
    path = write_xls(tmp_path, {164: "0.0"}, records, is_old=False)

    scan = scan_xls(path)["Sales"]

    assert scan.uncomputed == uncomputed
    assert sum(map(len, scan.shown.values())) == uncomputed
