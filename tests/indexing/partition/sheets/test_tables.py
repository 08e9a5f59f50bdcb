import pytest

from indexing.partition.merged_cells import Row
from indexing.partition.sheets.column_names import BoldText, ColumnName
from indexing.partition.sheets.tables import open_tables, split_tables
from indexing.types import Block, BlockKind


def test_a_table_with_its_own_header_is_a_table_of_its_own() -> None:
    rows = [["Name", "Price"], ["Lamp", "61"], ["", ""], ["City", "Pieces"], ["Bath", "4"]]

    assert split_tables(rows) == (
        Block(BlockKind.TABLE, "Lamp | 61", header="Name | Price"),
        Block(BlockKind.TABLE, "Bath | 4", header="City | Pieces"),
    )


def test_a_blank_row_does_not_end_a_table() -> None:
    rows = [["Name", "Price"], ["", ""], ["Lamp", "61"], ["", ""], ["Wick", "2"]]

    assert split_tables(rows) == (
        Block(BlockKind.TABLE, "Lamp | 61\nWick | 2", header="Name | Price"),
    )


def test_titles_and_notes_are_text() -> None:
    rows = [["Prices", ""], ["Name", "Price"], ["Lamp", "61"], ["", ""], ["Without tax", ""]]

    assert split_tables(rows) == (
        Block(BlockKind.TEXT, "Prices"),
        Block(BlockKind.TABLE, "Lamp | 61", header="Name | Price"),
        Block(BlockKind.TEXT, "Without tax"),
    )


def test_a_column_of_values_is_a_table() -> None:
    (block,) = split_tables([[str(n)] for n in range(10)])

    assert block.text.splitlines() == [str(n) for n in range(10)]


def test_a_header_without_rows_is_text() -> None:
    assert split_tables([["Name", "Price"]]) == (Block(BlockKind.TEXT, "Name | Price"),)


def test_a_header_among_the_rows_begins_a_table() -> None:
    rows = [["Item", "2023"], ["Cash", "1"], ["Debts", ""], ["Name", "Rate"], ["Loan", "5"]]

    assert split_tables(rows) == (
        Block(BlockKind.TABLE, "Cash | 1", header="Item | 2023"),
        Block(BlockKind.TEXT, "Debts"),
        Block(BlockKind.TABLE, "Loan | 5", header="Name | Rate"),
    )


def test_a_header_that_is_repeated_begins_a_table() -> None:
    header = ["Item", "2023"]

    blocks = split_tables([header, ["Cash", "1"], header, ["Loan", "5"]])

    assert [(block.header, block.text) for block in blocks] == [
        ("Item | 2023", "Cash | 1"),
        ("Item | 2023", "Loan | 5"),
    ]


def test_a_heading_within_a_table_stays_in_it() -> None:
    rows = [["Item", "2023"], ["Assets", ""], ["Cash", "1"], ["Debts", ""], ["Loan", "none"]]

    (block,) = split_tables(rows)

    assert block.text == "Assets\nCash | 1\nDebts\nLoan | none"


def test_a_table_goes_on_under_its_header_of_two_rows() -> None:
    rows = [["", "2023", "", "2024", ""], ["", *["Sales", "Costs"] * 2], ["North", *"1234"]]

    _, header = open_tables(rows)

    assert header == ["", "2023 Sales", "2023 Costs", "2024 Sales", "2024 Costs"]


def test_a_table_that_the_file_tells_of_begins_at_its_header() -> None:
    names = [*map(ColumnName, ["Code", "Country"])]
    rows = [["Term", "Meaning"], ["Lessee", "who rents"], names, ["GB", "Britain"]]

    assert split_tables(rows) == (
        Block(BlockKind.TABLE, "Lessee | who rents", header="Term | Meaning"),
        Block(BlockKind.TABLE, "GB | Britain", header="Code | Country"),
    )


TERMS = [["Term", "Meaning", "Note"], ["Lessee", "who rents", "see 4"], ["Lessor", "who lets", ""]]


def bold(*texts: str) -> list[str]:
    return [BoldText(text) for text in texts]


def test_a_table_of_words_with_more_columns_than_the_one_above_has_its_own_header() -> None:
    rows = [["Name", "City"], ["Hale", "Bath"], [""], *TERMS]

    assert [block.header for block in split_tables(rows)] == [
        "Name | City",
        "Term | Meaning | Note",
    ]


@pytest.mark.parametrize(
    ("group", "headers"),
    [
        pytest.param(
            [["Clerk", "Mail"], ["Ann", "a@b.uk"], ["Bob", "b@b.uk"]],
            ["Shop | Sold", "Clerk | Mail"],
            id="another table",
        ),
        pytest.param(
            [["York", "closed"], ["Hull", "sold"], ["Ryde", "sold"]], ["Shop | Sold"], id="remarks"
        ),
        pytest.param([["York", "closed"], ["Hull", "sold"]], ["Shop | Sold"], id="too few"),
    ],
)
def test_a_table_of_words_below_figures_has_its_own_header(
    group: list[Row], headers: list[str]
) -> None:
    rows = [["Shop", "Sold"], ["Bath", "4"], ["Ryde", "6"], [""], *group]

    assert [block.header for block in split_tables(rows)] == headers


def test_a_table_of_words_has_its_own_header_where_that_is_in_bold_print_as_the_one_above() -> None:
    rows = [
        bold("Name", "City"),
        ["Hale", "Bath"],
        [""],
        bold("Term", "Meaning"),
        ["Lessee", "who rents"],
    ]

    assert [block.header for block in split_tables(rows)] == ["Name | City", "Term | Meaning"]


@pytest.mark.parametrize(
    "group",
    [
        pytest.param([["Reed", "York"], ["Marsh", "Hull"]], id="plain"),
        pytest.param([["Reed", "York"], ["Marsh", "Hull", "left"]], id="a remark"),
        pytest.param([["York", "York", "left"], ["Hull", "Hull", ""]], id="a name twice"),
        pytest.param([bold("Reed", "York"), bold("Marsh", "Hull")], id="all in bold print"),
        pytest.param([[*bold("Reed"), "York"], ["Marsh", "Hull"]], id="one in bold print"),
        pytest.param([["Reed", "York", "left"]], id="a single row"),
    ],
)
def test_a_group_of_words_behind_a_blank_row_goes_on_with_the_table(group: list[Row]) -> None:
    rows = [bold("Name", "City"), ["Hale", "Bath"], [""], *group]

    (block,) = split_tables(rows)

    assert block.header == "Name | City"


def test_a_header_in_bold_print_right_below_its_title_begins_a_table() -> None:
    rows = [
        bold("Name", "City"),
        ["Hale", "Bath"],
        bold("Terms", ""),
        bold("Term", "Meaning"),
        ["Lessee", "who rents"],
    ]

    assert [(block.header, block.text) for block in split_tables(rows)] == [
        ("Name | City", "Hale | Bath"),
        ("", "Terms"),
        ("Term | Meaning", "Lessee | who rents"),
    ]


def test_bold_print_alone_makes_no_header_where_the_one_above_is_plain() -> None:
    rows = [["Name", "City"], ["Hale", "Bath"], [""], bold("Reed", "York"), ["Marsh", "Hull"]]

    (block,) = split_tables(rows)

    assert block.header == "Name | City"
