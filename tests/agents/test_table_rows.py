import pytest

from agents.table_rows import Cell, LineKind, line_kinds, row_of_figures, rows_of_cells

HEADER = "Fiscal Years Ended January 28, 2023 January 29, 2022"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        pytest.param("Item | Price", LineKind.CELLS, id="cells"),
        pytest.param(" | 9.00", LineKind.CELLS, id="empty first cell"),
        pytest.param(HEADER, LineKind.COLUMNS, id="dates"),
        pytest.param("2016 2017", LineKind.COLUMNS, id="years"),
        pytest.param("Q1 2023 Q2 2023", LineKind.COLUMNS, id="quarters"),
        pytest.param("Receivables, net 1,141 1,042", LineKind.FIGURES, id="figures"),
        pytest.param("Net loss $ (57) $ 2", LineKind.FIGURES, id="money, negative"),
        pytest.param("Growth 30 % 29%", LineKind.FIGURES, id="percent"),
        pytest.param("2018 $ 377 $ 12", LineKind.FIGURES, id="a year as the label"),
        pytest.param("The lease ends on 31 March 2027", LineKind.TEXT, id="one figure"),
        pytest.param("sales rose in 2016 and 2017", LineKind.TEXT, id="years of a sentence"),
        pytest.param("as of 2016, 2017.", LineKind.TEXT, id="the end of a sentence"),
        pytest.param("Total $ - $ -", LineKind.TEXT, id="dashes only"),
        pytest.param("", LineKind.TEXT, id="empty"),
    ],
)
def test_kind_of_a_line(line: str, kind: LineKind) -> None:
    assert line_kinds([line]) == [kind]


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        pytest.param(["2016 2017", "Rent 500"], 1, id="below a header"),
        pytest.param(["Rent 1 2", "Heating 80"], 2, id="below a row"),
        pytest.param(["Rent 500", "Heating 80", "Water 20"], 3, id="three of them"),
        pytest.param(["Rent 500", "Heating 80"], 0, id="two of them"),
        pytest.param(["Rent 500", "Heating 80", "and more"], 0, id="two and a text"),
    ],
)
def test_single_figures_are_rows_only_among_others(lines: list[str], rows: int) -> None:
    assert line_kinds(lines).count(LineKind.FIGURES) == rows


def test_figures_are_named_by_the_columns_above() -> None:
    row = row_of_figures("Receivables, net $ 1,141 $ (2)", HEADER)

    assert row.text == "Receivables, net; January 28, 2023: $ 1,141; January 29, 2022: $ (2)"
    assert row.cells[1] == Cell("January 28, 2023", "$ 1,141")


@pytest.mark.parametrize("header", ["", "2015 2016 2017"], ids=["none", "another number of them"])
def test_figures_stay_as_they_are_without_fitting_columns(header: str) -> None:
    row = row_of_figures("Receivables 1,141 1,042", header)

    assert row.text == "Receivables 1,141 1,042"
    assert row.cells == ()


def test_cells_are_named_by_the_header() -> None:
    (row,) = rows_of_cells(["Item | Price", "Desk | 12.50"])

    assert row.cells == (Cell("Item", "Desk"), Cell("Price", "12.50"))
    assert row.header == "Item | Price"


def test_long_line_of_figures_is_read_at_once() -> None:
    assert line_kinds(["1 " * 20_000]) == [LineKind.FIGURES]
