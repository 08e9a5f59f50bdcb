from indexing.partition.office.tables import (
    GOES_ON,
    IS_CUT,
    MERGED,
    NO_HEADER,
    blocks_of_tables,
    table_rows,
)
from indexing.types import Block, BlockKind

SPANS = """<table><tr><td rowspan="2">Region</td><td colspan="2">2024</td></tr>
<tr><td>Sales</td><td>Profit</td></tr>
<tr><td rowspan="2">North</td><td>5</td><td>1</td></tr><tr><td>6</td><td>2</td></tr></table>"""


def test_merged_cells_are_written_where_they_belong() -> None:
    assert table_rows([SPANS]) == [
        [
            ["", "", ""],
            ["Region", "2024 Sales", "2024 Profit"],
            ["North", "5", "1"],
            ["North", "6", "2"],
        ]
    ]


def test_a_table_has_the_header_of_its_two_rows() -> None:
    (block,) = table_blocks(SPANS)

    assert block.header == "Region | 2024 Sales | 2024 Profit"
    assert block.text == "North | 5 | 1\nNorth | 6 | 2"


def test_a_title_in_the_first_row_stands_above_the_table() -> None:
    rows = [["Prices", ""], ["Name", "Price"], ["Lamp", "61"]]

    blocks = table_blocks(html_of(rows))

    assert blocks == [
        Block(BlockKind.TEXT, "Prices"),
        Block(BlockKind.TABLE, "Lamp | 61", header="Name | Price"),
    ]


def test_a_table_without_header_keeps_every_row() -> None:
    assert table_blocks(html_of([["Lamp", "61"], ["Wick", "2"]])) == [
        Block(BlockKind.TABLE, "Lamp | 61\nWick | 2")
    ]
    assert table_blocks(html_of([["", ""]])) == []


def test_the_parts_of_a_table_have_the_header_of_the_whole() -> None:
    parts = [
        [["Prices", IS_CUT], ["Name", "Kind"]],
        [[f"{GOES_ON}Lamp{IS_CUT}", "storm"], ["Wick", "flat"]],
        [[f"{GOES_ON}Oil", "clear"]],
    ]

    blocks = blocks_of_tables(list(map(html_of, parts)))

    assert blocks == [
        [Block(BlockKind.TEXT, "Prices")],
        [Block(BlockKind.TABLE, "Lamp | storm\nWick | flat", header="Name | Kind")],
        [Block(BlockKind.TABLE, "Oil | clear", header="Name | Kind")],
    ]


def test_a_table_behind_one_that_is_cut_is_its_rest_only_if_it_says_so() -> None:
    names, lamps = [["Name", "Kind"], ["Lamp", "storm"]], [["City", "Land"], ["Oslo", "Norway"]]
    rest = [[GOES_ON + "Wick", "flat"]]

    blocks = blocks_of_tables([html_of(one) for one in ([[IS_CUT, ""], *names], lamps, rest, rest)])

    headers = [block.header for (block,) in blocks]
    assert headers == ["Name | Kind", "City | Land", "Name | Kind", ""]


def test_a_table_without_header_has_none_on_any_page() -> None:
    parts = [[[NO_HEADER + IS_CUT + "Lessor", "Hale"]], [[GOES_ON + "Lessee", "Reed"]]]

    blocks = blocks_of_tables(list(map(html_of, parts)))

    assert blocks == [
        [Block(BlockKind.TABLE, "Lessor | Hale")],
        [Block(BlockKind.TABLE, "Lessee | Reed")],
    ]


def test_a_name_beside_several_rows_stands_in_those_of_the_next_page_too() -> None:
    parts = [
        [["Office", "Name"], ["North" + IS_CUT, "Ana"], [MERGED, "Bo"]],
        [[GOES_ON + MERGED, "Cy"], ["South", "Di"], [MERGED, "Ed"]],
    ]

    blocks = blocks_of_tables(list(map(html_of, parts)))

    assert [block.text for (block,) in blocks] == [
        "North | Ana\nNorth | Bo",
        "North | Cy\nSouth | Di\nSouth | Ed",
    ]


def table_blocks(table: str) -> list[Block]:
    (blocks,) = blocks_of_tables([table])
    return blocks


def html_of(rows: list[list[str]]) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def test_a_name_stands_in_its_rows_though_the_border_below_was_dragged() -> None:
    table = (
        "<table><tr><td colspan=2>Town</td><td>Name</td></tr>"
        "<tr><td>Bonn</td><td colspan=2>Ann</td></tr>"
        f"<tr><td colspan=2>{MERGED}</td><td>Bob</td></tr></table>"
    )

    assert table_rows([table]) == [[["Town", "Name"], ["Bonn", "Ann"], ["Bonn", "Bob"]]]
