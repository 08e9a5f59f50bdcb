from indexing.partition.titled_tables import cut_table, titled_table
from indexing.types import Block, BlockKind

ROWS = [["Stock", ""], ["Name", "Kind"], ["Lamp", "storm"], ["", ""], ["Wick", "flat"]]
TITLE = Block(BlockKind.TEXT, "Stock")


def rows_of(text: str) -> Block:
    return Block(BlockKind.TABLE, text, header="Name | Kind")


def test_a_title_stands_above_its_table() -> None:
    assert titled_table(ROWS) == [TITLE, rows_of("Lamp | storm\nWick | flat")]
    assert titled_table([["", ""]]) == []


def test_each_part_of_a_table_has_the_header_and_the_first_its_title() -> None:
    parts = cut_table(titled_table(ROWS), [3, 0, 1])

    assert parts == [[TITLE, rows_of("Lamp | storm")], [], [rows_of("Wick | flat")]]


def test_a_part_of_titles_and_header_has_no_table() -> None:
    parts = cut_table(titled_table(ROWS), [1, 1, 2])

    assert parts == [[TITLE], [], [rows_of("Lamp | storm\nWick | flat")]]


def test_a_table_in_one_part_stays_as_it_is() -> None:
    alone = Block(BlockKind.TABLE, "", header="Name | Kind")

    assert cut_table([alone], [1]) == [[alone]]
    assert cut_table([], [0, 0]) == [[], []]
