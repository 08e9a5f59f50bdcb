import pytest

from indexing.partition.texts.spaced_tables import spaced_table
from indexing.types import Block, BlockKind

STOCK = """
Lamp        Pieces   Price
Deck lamp       10   61.00
Mast lamp        2   70.00
Oil can               1.50
"""
LEDGER = """
ACCOUNT  NAME             DEBIT    CREDIT
                            EUR       EUR
-----------------------------------------
1000     Cash          1,234.00
1200     Bank of Oslo              500.00
1400     Debtors          99.00     10.00
                       --------  --------
         Sum           1,333.00    510.00
"""
WIDE = """
品名        数量    単価
デッキ灯      10   61.00
灯             2   70.00
"""


def test_cells_that_spaces_set_below_each_other_make_a_table() -> None:
    assert spaced_table(STOCK.strip("\n").splitlines()) == [
        Block(
            BlockKind.TABLE,
            "Deck lamp | 10 | 61.00\nMast lamp | 2 | 70.00\nOil can |  | 1.50",
            header="Lamp | Pieces | Price",
        )
    ]


def test_the_names_above_a_rule_are_one_header() -> None:
    [table] = spaced_table(LEDGER.strip("\n").splitlines()) or []

    assert table == Block(
        BlockKind.TABLE,
        "1000 | Cash | 1,234.00\n1200 | Bank of Oslo |  | 500.00\n1400 | Debtors | 99.00 | 10.00\n"
        " | Sum | 1,333.00 | 510.00",
        header="ACCOUNT | NAME | DEBIT EUR | CREDIT EUR",
    )


def test_wide_letters_take_the_room_of_two() -> None:
    [table] = spaced_table(WIDE.strip("\n").splitlines()) or []

    assert isinstance(table, Block)
    assert (table.header, table.text) == (
        "品名 | 数量 | 単価",
        "デッキ灯 | 10 | 61.00\n灯 | 2 | 70.00",
    )


def test_a_title_right_above_stays_text() -> None:
    lines = ["The stock of all our lamps as of May 2024", *STOCK.strip("\n").splitlines()]

    parts = spaced_table(lines) or []

    assert parts[0] == lines[:1]
    assert isinstance(parts[1], Block)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Left words  right words\nand so on   go on here\nto the end  too", id="text"),
        pytest.param("int  a   = 5;\nlong bb  = 7;\nchar ccc = 1;", id="program"),
        pytest.param("Ann  12\nBob  14\nCid  17", id="no header"),
        pytest.param("Lamp  Price\nDeck     61", id="too few"),
        pytest.param("Lamp  Price\nDeck  a lot\nMast  little", id="no figures"),
        pytest.param("Lamp\tPrice  EUR\nDeck\t61  62\nMast\t70  71", id="tabs"),
    ],
)
def test_other_lines_are_no_table(text: str) -> None:
    assert spaced_table(text.splitlines()) is None
