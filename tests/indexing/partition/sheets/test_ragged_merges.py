from pathlib import Path

import openpyxl

from indexing.partition.sheets.ragged_merges import MAX_COLUMNS, without_shared_columns
from indexing.partition.sheets.spreadsheet import open_xlsx


def test_cells_merged_over_other_columns_in_each_row_stand_below_each_other() -> None:
    rows = [["Lamp", "", "Price"], ["Deck", "", "", "61"]]
    areas = [((0, 0), (0, 1)), ((0, 2), (0, 3)), ((1, 0), (1, 2))]

    found, moved = without_shared_columns(rows, areas)

    assert found == [["Lamp", "Price"], ["Deck", "61"]]
    assert moved == [((0, 0), (0, 0)), ((0, 1), (0, 1)), ((1, 0), (1, 0))]


def test_names_below_a_heading_keep_their_columns() -> None:
    rows = [["Lamp", "2024", ""], ["", "Sold", "Left"]]

    assert without_shared_columns(rows, [((0, 1), (0, 2))])[0] == rows


def test_columns_that_part_two_tables_stay_below_a_title() -> None:
    rows = [["Lamps and cans", "", ""], ["Deck", "", "Oil"], ["61", "", "2"]]

    assert without_shared_columns(rows, [((0, 0), (0, 2))])[0] == rows


def test_what_stands_beneath_a_merged_cell_is_not_lost() -> None:
    rows = [["Lamp", "hidden", "Price"], ["", "Deck", "61"]]
    areas = [((0, 0), (0, 1)), ((1, 1), (1, 2))]

    found, _ = without_shared_columns(rows, areas)

    assert found == rows


def test_a_line_over_all_columns_says_nothing_of_them() -> None:
    rows = [["", "Lamp", *[""] * MAX_COLUMNS, "Price"]]
    areas = [((0, 1), (0, 1 + MAX_COLUMNS))]

    assert without_shared_columns(rows, areas)[0] == rows


def test_an_exported_report_has_its_columns(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.create_sheet("Report", 0)
    rows = [
        ("A1 Lamp, D1 Sold, F1 Price", "A1:C1 D1:E1 F1:H1"),
        ("A2 Deck, E2 2, F2 61", "A2:D2 F2:H2"),
        ("A3 Mast, D3 3, F3 70", "A3:C3 D3:E3 F3:H3"),
    ]
    for texts, areas in rows:
        for place, text in (one.split() for one in texts.split(", ")):
            sheet[place] = text
        for area in areas.split():
            sheet.merge_cells(area)
    workbook.save(tmp_path / "report.xlsx")

    page = next(open_xlsx(tmp_path / "report.xlsx").pages)

    assert page.blocks[0].header == "Lamp | Sold | Price"
    assert page.blocks[0].text == "Deck | 2 | 61\nMast | 3 | 70"
