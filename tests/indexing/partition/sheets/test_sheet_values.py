from pathlib import Path

import openpyxl
import pytest

from indexing.partition.sheets.spreadsheet import open_xlsx


@pytest.mark.parametrize("first", [1, 4])
def test_a_span_of_time_without_end_costs_its_row_alone(first: int, tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    rows = (("Lamp", "Hours"), ("deck", 1.5), ("storm", 4917612345678), ("signal", 0.5))
    for number, row in enumerate(rows, start=first):
        for column, value in enumerate(row, start=2):
            sheet.cell(number, column, value).number_format = "[h]:mm"
    workbook.create_sheet("Other")["A1"] = "oil"
    workbook.save(tmp_path / "hours.xlsx")

    page, other = open_xlsx(tmp_path / "hours.xlsx").pages

    texts = [text for block in page.blocks for text in (block.header, block.text)]
    assert "deck | 36:00:00" in "\n".join(texts)
    assert "signal | 12:00:00" in "\n".join(texts)
    assert page.warning.startswith(
        f"rows of the sheet 'Sheet' were not read (1 in all, row {first + 2} among them)"
    )
    assert other.blocks[0].text == "oil"
    assert not other.warning
