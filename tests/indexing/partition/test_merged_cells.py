import pytest

from indexing.partition.merged_cells import MAX_CATEGORY_CHARACTERS, write_out_merged


def test_headings_of_several_levels_are_joined() -> None:
    rows = [
        ["Region", "2024", "", "", ""],
        ["", "H1", "", "H2", ""],
        ["", "Sales", "Profit", "Sales", "Profit"],
    ]

    write_out_merged(rows, [((0, 1), (0, 4)), ((1, 1), (1, 2)), ((1, 3), (1, 4)), ((0, 0), (2, 0))])

    names = ["Region", "2024 H1 Sales", "2024 H1 Profit", "2024 H2 Sales", "2024 H2 Profit"]
    assert rows[2] == names
    assert not any(rows[0] + rows[1])


def test_a_title_over_all_columns_is_no_heading_of_each() -> None:
    rows = [["Prices", ""], ["Name", "Price"]]

    write_out_merged(rows, [((0, 0), (0, 1))])

    assert rows == [["Prices", ""], ["Name", "Price"]]


def test_a_title_over_some_of_the_columns_is_no_heading_of_those() -> None:
    rows = [["Sales of 2024", "", "", ""], ["Month", "Sold", "Cost", "Profit"]]

    write_out_merged(rows, [((0, 0), (0, 2))])

    assert rows[1] == ["Month", "Sold", "Cost", "Profit"]


def test_a_heading_over_all_columns_but_the_first_is_no_title() -> None:
    rows = [["", "2024", "", "", ""], ["", "H1", "", "H2", ""], ["Line", "Q1", "Q2", "Q3", "Q4"]]

    write_out_merged(rows, [((0, 1), (0, 4)), ((1, 1), (1, 2)), ((1, 3), (1, 4))])

    assert rows[2] == ["Line", "2024 H1 Q1", "2024 H1 Q2", "2024 H2 Q3", "2024 H2 Q4"]


def test_a_heading_over_another_of_its_width_is_a_heading_of_the_same_names() -> None:
    rows = [["", "2024", ""], ["", "Plan", ""], ["Line", "Sold", "Left"]]

    write_out_merged(rows, [((0, 1), (0, 2)), ((1, 1), (1, 2))])

    assert rows[2] == ["Line", "2024 Plan Sold", "2024 Plan Left"]


def test_a_merged_cell_without_a_name_is_no_heading() -> None:
    rows = [["", "", ""], ["", "Plan", ""], ["Line", "Sold", "Left"]]

    write_out_merged(rows, [((0, 1), (0, 2)), ((1, 1), (1, 2))])

    assert rows[2] == ["Line", "Plan Sold", "Plan Left"]


@pytest.mark.parametrize(
    ("rows", "spans"),
    [
        pytest.param(
            [
                ["Qty", "Description", "", "Price"],
                ["2", "Chair", "", "45"],
                ["1", "Table", "", "120"],
            ],
            [(0, 1, 2), (1, 1, 2), (2, 1, 2)],
            id="a column of merged cells",
        ),
        pytest.param(
            [["Net", "", "", "100"], ["Tax", "", "", "19"], ["Pay within 14 days", "", "", ""]],
            [(0, 0, 2), (1, 0, 2), (2, 0, 2)],
            id="labels of sums",
        ),
        pytest.param(
            [["Name", "Ines", "", "Born", "May"], ["No", "Good", "Unit", "Price", "Note"]],
            [(0, 1, 2)],
            id="what was filled into a form",
        ),
        pytest.param(
            [["Supplier", "Dove", "", "City", "Rome", ""], ["No", "a", "b", "c", "d", "e"]],
            [(0, 1, 2), (0, 4, 5)],
            id="several fields of a form in a row",
        ),
    ],
)
def test_cells_merged_for_their_looks_stay_in_their_rows(
    rows: list[list[str]], spans: list[tuple[int, int, int]]
) -> None:
    values = [[cell for cell in row if cell] for row in rows]

    write_out_merged(rows, [((at, left), (at, right)) for at, left, right in spans])

    assert [[cell for cell in row if cell] for row in rows] == values


def test_a_name_beside_several_rows_stands_in_each() -> None:
    rows = [["North", "Lamp"], ["", "Wick"], ["", ""], ["", "Oil"], ["", "Tin"]]

    write_out_merged(rows, [((0, 0), (3, 0))])

    assert rows == [["North", "Lamp"], ["North", "Wick"], ["", ""], ["North", "Oil"], ["", "Tin"]]


def test_a_heading_that_reaches_down_is_no_name_of_rows() -> None:
    rows = [["Name", "2024", ""], ["", "Sold", "Left"], ["Lamp", "5", ""]]

    write_out_merged(rows, [((0, 0), (1, 0)), ((0, 1), (0, 2)), ((1, 2), (2, 2))])

    assert rows[1:] == [["Name", "2024 Sold", "2024 Left"], ["Lamp", "5", ""]]


def test_figures_and_remarks_beside_several_rows_stand_once() -> None:
    remark = "x" * (MAX_CATEGORY_CHARACTERS + 1)
    rows = [["Lamp", "500", remark], ["Wick", "", ""]]

    write_out_merged(rows, [((0, 1), (1, 1)), ((0, 2), (1, 2))])

    assert rows[1] == ["Wick", "", ""]


def test_merged_cells_may_lie_beyond_the_rows_and_over_one_another() -> None:
    rows = [["North", ""], ["", "Wick"]]
    areas = [((0, 0), (9, 0)), ((1, 0), (1_000_000, 0)), ((1, 7), (1, 9)), ((0, 9), (7, 9))]

    write_out_merged(rows, areas)

    assert rows == [["North", ""], ["North", "Wick"]]


def test_rows_may_be_of_different_lengths() -> None:
    rows = [["Region", "2024"], ["", "Sold", "Left"], ["North", "5"], [], ["", "6"], ["", "", "7"]]

    write_out_merged(rows, [((0, 1), (0, 2)), ((2, 0), (4, 0)), ((1, 2), (5, 2))])

    assert rows[1:5] == [["Region", "2024 Sold", "2024 Left"], ["North", "5"], [], ["North", "6"]]
