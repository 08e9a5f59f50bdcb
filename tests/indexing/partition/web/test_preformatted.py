from indexing.partition.web.preformatted import preformatted, preformatted_blocks
from indexing.types import Block, BlockKind

STOCK = "Name      Qty   Price\nBolt       10    1.50\nNut\u00a0       20    2.50\n"


def test_a_table_that_is_set_with_spaces_is_one_between_the_lines_around_it() -> None:
    assert preformatted_blocks(f"\nStock of March\n\n{STOCK}\n  All in euros\n") == [
        Block(BlockKind.TEXT, "Stock of March"),
        Block(BlockKind.TABLE, "Bolt | 10 | 1.50\nNut | 20 | 2.50", "Name | Qty | Price"),
        Block(BlockKind.TEXT, "  All in euros"),
    ]


def test_a_program_has_no_tables() -> None:
    assert preformatted_blocks("if a:\n    b = 1    # one\n    c = 22   # two\n\nelse:\n") == []


def test_lines_keep_their_indentation() -> None:
    assert preformatted("\nif a:\n\tb  =  1\n") == "if a:\n    b = 1"
