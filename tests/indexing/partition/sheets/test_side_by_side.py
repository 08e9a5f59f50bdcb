import pytest

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.column_names import BoldText, ColumnName
from indexing.partition.sheets.side_by_side import parted

SALES = [["Region", "Sales"], ["North", "10"], ["South", "20"]]
UNITS = [["Product", "Units"], ["Lamp", "3"], ["Wick", "4"]]


STAFF = [["Name", "Role"], ["Ann", "cook"], ["Bob", "clerk"], ["Cy", "nurse"]]
PUPILS = [["Name", "School"], ["Dee", "Dock Road"], ["Eva", "Hill Road"], ["Fay", "Dock Road"]]
PLACES = [["City", "Land"], ["Rome", "Italy"], ["Lyon", "France"]]


def bold(table: list[Row]) -> list[Row]:
    return [[*map(BoldText, table[0])], *table[1:]]


def beside(left: list[Row], right: list[Row], lower: int = 0) -> list[Row]:
    """Set tables beside each other, with an empty column between them."""
    height = max(len(left), len(right) + lower)
    right = [["", ""]] * lower + right
    return [
        [*(left[n] if n < len(left) else ["", ""]), "", *(right[n] if n < len(right) else ["", ""])]
        for n in range(height)
    ]


@pytest.mark.parametrize(
    ("left", "right", "lower"),
    [
        pytest.param(SALES, UNITS, 1, id="a header beside values"),
        pytest.param([["Rate", "0.05"], ["Years", "10"]], SALES, 0, id="a list without header"),
        pytest.param(
            [["By region", ""], *SALES],
            [["To do", ""], ["1", "Call Ann"], ["2", "Paint"]],
            0,
            id="a numbered list",
        ),
        pytest.param([["By region", ""], *SALES], [["By product", ""], *UNITS], 0, id="titles"),
        pytest.param([["No", "Name"], ["1", "Ann"]], [["No", "Name"], ["2", "Bob"]], 0, id="names"),
        pytest.param([*SALES, ["East", "5"], ["West", "7"]], UNITS, 0, id="lengths"),
        pytest.param(
            [*SALES, ["East", "5"], ["Sea", ""], ["West", "7"]], UNITS, 0, id="lengths with a gap"
        ),
        pytest.param(STAFF, PUPILS, 0, id="the same first name"),
        pytest.param(bold(STAFF), bold(PLACES), 1, id="a header in bold print"),
    ],
)
def test_tables_beside_each_other_are_parted(left: list[Row], right: list[Row], lower: int) -> None:
    tables = [[row for row in table if any(row)] for table in parted(beside(left, right, lower))]

    assert tables == [left, right]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(
            [["", "Item"], ["4711", "Rent"]], [["2023", "2022"], ["5", "6"]], id="figures alone"
        ),
        pytest.param(
            [["Item", "Kg"], ["Lamp", "1"], ["Wick", "2"], ["", "7"], ["", "8"]],
            [["Supplier", "Note"], ["Ann", "late"], ["Bob", "good"]],
            id="sums",
        ),
        pytest.param(SALES, [["Clerk", "Note"], ["Ann", "late"], ["Bob", "good"]], id="one table"),
        pytest.param(SALES, [["Checked by Ann", ""]], id="a remark"),
        pytest.param(bold(STAFF[:3]), bold(PLACES), id="one header in bold print"),
        pytest.param(bold(STAFF), [["", ""], *PLACES], id="remarks further down"),
        pytest.param(
            [["Code", "Item"], ["", ""], ["A1", "Rent"]],
            [["2023", ""], ["Sold", "Kept"], ["5", "6"]],
            id="headers of two rows",
        ),
    ],
)
def test_an_empty_column_within_a_table_does_not_part_it(left: list[Row], right: list[Row]) -> None:
    rows = beside(left, right)

    assert list(parted(rows)) == [rows]


@pytest.mark.parametrize(
    ("right", "parts"),
    [
        pytest.param(PLACES, 2, id="a name of its own in each row"),
        pytest.param([["Clerk", "Note"], ["Ann", "late"], ["Ann", "good"]], 1, id="the same name"),
        pytest.param([["2023", "2022"], ["5", "6"], ["7", "8"]], 1, id="figures alone"),
    ],
)
def test_tables_that_stand_several_columns_apart_are_parted(right: list[Row], parts: int) -> None:
    rows = [[*row[:2], "", *row[2:]] for row in beside(SALES, right)]

    assert len(list(parted(rows))) == parts


@pytest.mark.parametrize(
    ("remarks", "parts"),
    [
        pytest.param([["Clerk", "Note"], ["Ann", "late"], ["Bob", "good"]], 2, id="a table"),
        pytest.param([["", ""], ["late", ""], ["good", ""]], 1, id="remarks"),
    ],
)
def test_what_has_a_header_is_apart_from_a_table_that_the_file_tells_of(
    remarks: list[Row], parts: int
) -> None:
    rows = beside([[*map(ColumnName, SALES[0])], *SALES[1:]], remarks)

    assert len(list(parted(rows))) == parts


def test_what_stands_above_and_below_tables_is_not_parted() -> None:
    title, table = [["", "", "Report", "", ""]], [["a", "b", "c", "d", "e"]]
    blank = [[""] * 5]
    rows = [*title, *beside(SALES, UNITS, 1), *blank, *beside([["East", "5"]], []), *blank, *table]

    first, left, right, last = parted(rows)

    assert (first, last) == (title, table)
    assert left == [*SALES, ["", ""], ["", ""], ["East", "5"], ["", ""]]
    assert right == [["", ""], *UNITS, *[["", ""]] * 3]


def test_rows_may_end_before_the_last_table() -> None:
    rows = [row if any(row[3:]) else row[:2] for row in beside([*SALES, ["East", "5"]], UNITS, 1)]

    left, right = parted([*rows, ["West", "7"]])

    assert left[-1] == ["West", "7"]
    assert [row for row in right if any(row)] == UNITS


def test_a_title_stays_with_the_table_below_it() -> None:
    titled = [["By region", ""], *SALES], [["By product", ""], *UNITS]
    blank, title = [""] * 5, ["Issues", "", "", "", ""]
    below = [["No", "Issue", "Owner", "", ""], ["1", "Rust", "Kim", "", ""]]

    *tables, rest = parted([*beside(*titled), blank, title, *below])

    assert [list(filter(any, table)) for table in tables] == list(titled)
    assert rest == [title, *below]


@pytest.mark.parametrize(
    "below",
    [
        pytest.param([["audited", *[""] * 7]], id="left of the tables"),
        pytest.param([[*[""] * 7, "Ann Lee"]], id="right of the tables"),
        pytest.param([["Item", "Qty", *[""] * 6], ["Pump", "3", *[""] * 6]], id="a wider table"),
    ],
)
def test_what_stands_beside_the_tables_further_down_is_not_lost(below: list[Row]) -> None:
    rows = [["", *row, "", ""] for row in beside(SALES, UNITS, 1)]

    *_, rest = parted([*rows, [""] * 8, *below])

    assert rest == below


def test_wider_tables_below_tables_are_others() -> None:
    above = [["", *row] for row in beside(SALES, UNITS, 1)]
    wider = [["Name", "School", "Class"], *([*row, "1 a"] for row in PUPILS[1:])]
    below = [[*row, "", *other] for row, other in zip(wider, STAFF, strict=True)]

    *_, left, right = parted([*above, [""] * 6, *below])

    assert (left, right) == (wider, STAFF)


def test_each_table_below_tables_may_be_wider_than_those() -> None:
    above = [["", *row] for row in beside(SALES, UNITS, 1)]
    below = [["By day", *[""] * 3, "5", "6", "7"], ["1", "2", "3", "", "e", "f", "g"]]

    left, right = parted([*above, [""] * 7, *below])

    assert left[-2:] == [["By day", "", ""], ["1", "2", "3"]]
    assert right[-2:] == [["5", "6", "7"], ["e", "f", "g"]]
