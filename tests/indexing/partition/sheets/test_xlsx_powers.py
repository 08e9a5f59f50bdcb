import zipfile
from pathlib import Path

import pytest
from xlsxwriter import Workbook

from indexing.partition.sheets.xlsx import open_xlsx


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        pytest.param(["5 × 10", "^6", " per ml"], "5 × 10^6 per ml", id="power"),
        pytest.param(["the 1", "^st", " of May"], "the 1st of May", id="ordinal"),
        pytest.param(["area in m", "^2", " "], "area in m2", id="behind a letter"),
    ],
)
def test_a_raised_number_behind_a_number_is_a_power_in_cells(
    pieces: list[str], shown: str, tmp_path: Path
) -> None:
    with Workbook(tmp_path / "cells.xlsx") as book:
        sheet = book.add_worksheet()
        raised = book.add_format({"font_script": 1})
        sheet.write_row("A1", ["What", "Value"])
        sheet.write_row("A2", ["typed", "5 × 106 per ml"])
        runs = [(raised, one[1:]) if one.startswith("^") else (None, one) for one in pieces]
        sheet.write("A3", "written")
        sheet.write_rich_string("B3", *[one for run in runs for one in run if one is not None])

    (page,) = open_xlsx(tmp_path / "cells.xlsx").pages

    assert page.blocks[0].text == f"typed | 5 × 106 per ml\nwritten | {shown}"


def test_a_sheet_that_is_missing_costs_no_other(tmp_path: Path) -> None:
    with Workbook(tmp_path / "whole.xlsx") as book:
        book.add_worksheet().write_rich_string("A1", "10", book.add_format({"font_script": 1}), "6")
        book.add_worksheet()
    with (
        zipfile.ZipFile(tmp_path / "whole.xlsx") as whole,
        zipfile.ZipFile(tmp_path / "torn.xlsx", "w") as torn,
    ):
        for name in whole.namelist():
            if not name.endswith("sheet2.xml"):
                torn.writestr(name, whole.read(name))

    first, second = open_xlsx(tmp_path / "torn.xlsx").pages

    assert [block.text for block in first.blocks] == ["10^6"]
    assert "not in the file" in second.warning
