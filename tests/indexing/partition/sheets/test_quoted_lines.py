import pytest

from indexing.partition.sheets.quoted_lines import has_quoted_lines, parted_line


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        pytest.param(['Anna,"Rome, IT",12'], ["Anna", "Rome, IT", "12"], id="line"),
        pytest.param(["Anna", "Rome,IT"], ["Anna", "Rome,IT"], id="several cells"),
        pytest.param(["Anna"], ["Anna"], id="one word"),
        pytest.param(["Smith, John"], ["Smith, John"], id="name"),
        pytest.param(['Anna,"Rome'], ['Anna,"Rome'], id="quote that never ends"),
        pytest.param(["Anna,1\nBob,2"], ["Anna,1\nBob,2"], id="several lines"),
        pytest.param([], [], id="empty"),
    ],
)
def test_a_line_that_is_a_single_cell_is_parted(row: list[str], cells: list[str]) -> None:
    assert parted_line(row, ",") == cells


@pytest.mark.parametrize(
    ("rows", "is_found"),
    [
        pytest.param([["Name,Sum"], ["Anna,12"]], True, id="all lines"),
        pytest.param([["Name,Sum"], [], ["Anna,12"]], True, id="empty line"),
        pytest.param([["Name", "Sum"], ['Anna,"1,2"'], ["Bob", "3"]], True, id="some lines"),
        pytest.param([["Name", "Sum"], ["Anna", "1,2"]], False, id="no lines"),
        pytest.param([["Name,Sum"], ["Anna,12"], ["Bob"]], False, id="one that is shorter"),
        pytest.param([["Price"], ["1,5"], ["2,5"]], False, id="column of numbers"),
        pytest.param([["1,5"], ["2,5"]], False, id="column of numbers without a name"),
        pytest.param([["Smith, John"], ["Doe, Jane"]], False, id="column of names"),
        pytest.param([["Report,2024"], ["Name", "Sum"], ["Bob", "3"]], False, id="title"),
        pytest.param([["Name"], ["Anna"]], False, id="one column"),
        pytest.param([], False, id="empty file"),
    ],
)
def test_lines_are_quoted_whole_if_every_row_then_has_as_many_cells(
    rows: list[list[str]], is_found: bool
) -> None:
    assert has_quoted_lines(rows, ",") is is_found
