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
