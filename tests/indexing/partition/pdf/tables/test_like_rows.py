import pytest

from indexing.partition.pdf.tables.like_rows import is_like

BELOW = [["A-17", "Rope", "m", "4.50"], ["B-02", "Lamp", "pcs", "30.00"]]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(["B-33", "Paint", "kg", ""], id="a label of the same form"),
        pytest.param(["None", "Paint", "pcs", ""], id="a text that the column has again"),
    ],
)
def test_a_row_is_like_those_below_it(row: list[str]) -> None:
    assert is_like(row, BELOW)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(["number", "of article", "of sale", "in euros"], id="names"),
        pytest.param(["2024", "kg", "", ""], id="a number of another form"),
        pytest.param(["", "m", "", ""], id="a text of another column"),
        pytest.param(["", "", "", ""], id="nothing"),
    ],
)
def test_a_line_of_names_is_not(row: list[str]) -> None:
    assert not is_like(row, BELOW)
