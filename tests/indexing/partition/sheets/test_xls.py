import struct
from pathlib import Path

import pytest

from indexing.partition.sheets.spreadsheet import open_workbook
from indexing.partition.sheets.xls import open_xls
from indexing.partition.sheets.xls_scan import scan_xls
from tests.files.xls_writer import formula, record, write_xls
from tests.libreoffice import needs_calc

FORMULAS = [
    record(0x200, struct.pack("<IIHHH", 1, 3, 0, 2, 0)),
    record(0x203, struct.pack("<HHHd", 1, 0, 0, 1.5)),
    formula(bytes(8), (1, 1)),
    record(0x203, struct.pack("<HHHd", 2, 0, 0, 2.5)),
    formula(bytes(8), (2, 1)),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_xls(tmp_path, {164: "0.0"}, FORMULAS, is_old=False)


@needs_calc
def test_formulas_saved_without_values_are_computed(path: Path) -> None:
    (page,) = open_xls(path).pages

    assert page.blocks[0].text == "1.5 | 42\n2.5 | 42"
    assert not page.warning


@needs_calc
def test_a_text_saved_as_zero_is_computed(tmp_path: Path) -> None:
    joined = b"\x17\x01\x00a\x17\x01\x00b\x08"
    cells = [*FORMULAS[:2], formula(bytes(8), (1, 1), joined)]

    (page,) = open_xls(write_xls(tmp_path, {164: "0.0"}, cells, is_old=False)).pages

    assert page.blocks[0].text == "1.5 | ab"
    assert not page.warning


def test_formulas_that_are_not_computed_are_named(path: Path) -> None:
    with path.open("rb") as file:
        (page,) = open_workbook(file, scan_xls(path)).pages

    assert [block.text for block in page.blocks] == ["1.5", "2.5"]
    assert page.warning.startswith("the sheet 'Sales' has formulas without values, whose cells (2)")


@needs_calc
@pytest.mark.parametrize("version", [0, 2, 4])
def test_workbooks_of_before_excel_5_are_read(version: int, tmp_path: Path) -> None:
    later = bytes(2) if version else b""
    label = struct.pack("<HH3sB", 0, 0, bytes(3), 5) + b"Lamps"
    number = struct.pack("<HH3sd", 1, 0, bytes(3), 12.5)
    if version:
        label = struct.pack("<HHHH", 0, 0, 0, 5) + b"Lamps"
        number = struct.pack("<HHHd", 1, 0, 0, 12.5)
    kinds = (0x204, 0x203) if version else (0x04, 0x03)
    (tmp_path / "lamps.xls").write_bytes(
        record(9 + (version << 8), struct.pack("<HH", 0, 0x10) + later)
        + record(kinds[0], label)
        + record(kinds[1], number)
        + record(0x0A, b"")
    )

    (page,) = open_xls(tmp_path / "lamps.xls").pages

    assert "\n".join(block.text for block in page.blocks) == "Lamps\n12.5"
