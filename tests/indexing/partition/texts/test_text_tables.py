import pytest

from indexing.partition.texts.text_tables import text_table
from indexing.types import Block, BlockKind

RULED = """
Lamp       Kg    Price
---------  ---  ------
Deck lamp    2   61.00
Mast             70.00
                ------
Sum             131.00
"""


def test_cells_that_tabs_part_make_a_table() -> None:
    block = text_table(["Lamp\tKg\tPrice\n", "Deck\t\t 61\n", "Mast\t2\t\n"])

    assert block == Block(BlockKind.TABLE, "Deck |  | 61\nMast | 2", header="Lamp | Kg | Price")


def test_a_broken_rule_below_its_header_makes_a_table() -> None:
    block = text_table(RULED.splitlines())

    assert block == Block(
        BlockKind.TABLE,
        "Deck lamp | 2 | 61.00\nMast |  | 70.00\nSum |  | 131.00",
        header="Lamp | Kg | Price",
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\tif a:\n\tb = 1\n\tc = 2", id="indented"),
        pytest.param("Ann:\tMorning.\nBob:\tHello.\nAnn:\tLate?", id="who speaks"),
        pytest.param("Lamp\tKg\nDeck\t2", id="too few"),
        pytest.param("Lamp\tKg\nDeck\t2\nand more\nMast\t3", id="uneven"),
        pytest.param("Lamps\n-----\nThey burn oil.", id="heading"),
        pytest.param("Lamp Kg\n---- --\nA long remark", id="across the columns"),
        pytest.param("      Kg\n---- --\nDeck  2", id="one name"),
    ],
)
def test_other_lines_are_no_table(text: str) -> None:
    assert text_table(text.splitlines()) is None
