import pytest

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.completed_names import completed

NAMES = ["Item", "Sold", "Price"]
SHIPS = ["Lamp", "12", "61"]


@pytest.mark.parametrize(
    ("names", "below", "expected"),
    [
        pytest.param(
            NAMES,
            [["", "[pcs]", "[EUR]"], SHIPS],
            ["Item", "Sold [pcs]", "Price [EUR]"],
            id="units",
        ),
        pytest.param(
            NAMES,
            [["Item", "[pcs]", "[EUR]"], SHIPS],
            ["Item", "Sold [pcs]", "Price [EUR]"],
            id="a name merged over both rows",
        ),
        pytest.param(
            ["", "", "2023", "2024"],
            [["Town", "Name"], ["Bath", "Hale", "1", "2"], ["Bath", "Reed", "", "3"]],
            ["Town", "Name", "2023", "2024"],
            id="the names of an index",
        ),
    ],
)
def test_a_second_row_completes_the_names(names: Row, below: list[Row], expected: Row) -> None:
    assert completed(names, below) == expected


@pytest.mark.parametrize(
    ("names", "below"),
    [
        pytest.param(NAMES, [["", "[pcs]", "[EUR]"]], id="nothing below"),
        pytest.param(NAMES, [["Wick", "none", "none"], SHIPS], id="a row with a label"),
        pytest.param(NAMES, [["", "3", "4"], SHIPS], id="figures"),
        pytest.param(NAMES, [["", "left", "right"], ["Wick", "up", "down"]], id="above words"),
        pytest.param(["", "2023"], [["Assets"], ["Cash", "1"]], id="a heading of rows"),
        pytest.param(
            ["", "", "2023"],
            [["I.", "Assets"], ["1.", "Cash", "5"], ["II.", "Debts"], ["1.", "Loan", "6"]],
            id="headings of rows in two columns",
        ),
    ],
)
def test_other_rows_complete_no_names(names: Row, below: list[Row]) -> None:
    assert completed(names, below) == []
