from indexing.partition.office_tables import table_blocks, table_rows
from indexing.types import Block, BlockKind

MERGED = """<table><tr><td rowspan="2">Region</td><td colspan="2">2024</td></tr>
<tr><td>Sales</td><td>Profit</td></tr>
<tr><td rowspan="2">North</td><td>5</td><td>1</td></tr><tr><td>6</td><td>2</td></tr></table>"""


def test_merged_cells_are_written_where_they_belong() -> None:
    assert table_rows(MERGED) == [
        ["", "", ""],
        ["Region", "2024 Sales", "2024 Profit"],
        ["North", "5", "1"],
        ["North", "6", "2"],
    ]


def test_a_table_has_the_header_of_its_two_rows() -> None:
    (block,) = table_blocks(MERGED)

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


def html_of(rows: list[list[str]]) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
