import pytest

from indexing.partition.texts.drawn_tables import drawn_tables
from indexing.types import Block, BlockKind

LAMPS = Block(BlockKind.TABLE, "Deck | 61\nMast | 70", header="Lamp | Price")
DATABASE = """
 Lamp | Price
------+-------
 Deck |    61
 Mast |    70
"""
TERMINAL = """
+------+-------+
| Lamp | Price |
+------+-------+
| Deck |    61 |
| Mast |    70 |
+------+-------+
"""
BOX = """
╔══════╤═══════╗
║ Lamp │ Price ║
╟──────┼───────╢
║ Deck │    61 ║
║ Mast │    70 ║
╚══════╧═══════╝
"""
ORG = """
| Lamp | Price |
|------+-------|
| Deck |    61 |
| Mast |    70 |
"""
GRID = """
+------+--------------+
| Lamp | Remark       |
+======+==============+
| Deck | burns oil    |
|      | and gas      |
|      |              |
|      | and wood     |
+------+--------------+
| Mast | is broken    |
+------+--------------+
"""
FLOW = """
+------+   +------+
| Deck |-->| Mast |
+------+   +------+
"""


@pytest.mark.parametrize(
    "text", [DATABASE, TERMINAL, BOX, ORG], ids=["database", "terminal", "box", "org"]
)
def test_what_lines_are_drawn_around_is_a_table(text: str) -> None:
    assert drawn_tables(text.strip("\n").splitlines()) == [LAMPS]


def test_rows_of_several_lines_are_one_where_rules_part_all_rows() -> None:
    [table] = drawn_tables(GRID.strip().splitlines()) or []

    assert table == Block(
        BlockKind.TABLE,
        "Deck | burns oil and gas and wood\nMast | is broken",
        header="Lamp | Remark",
    )


def test_lines_around_a_table_stay_text() -> None:
    lines = ["SELECT * FROM lamps;", *DATABASE.strip("\n").splitlines(), "(2 rows)"]

    assert drawn_tables(lines) == [lines[:1], LAMPS, lines[-1:]]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(FLOW, id="boxes of a drawing"),
        pytest.param("Deck | Mast\nlamp | lamp\noil | gas", id="no rule"),
        pytest.param("+------+\n| Deck |\n| Mast |\n+------+", id="one column"),
        pytest.param("---+---\na | b\nc | d | e", id="uneven"),
    ],
)
def test_other_lines_are_no_table(text: str) -> None:
    assert drawn_tables(text.strip("\n").splitlines()) is None
