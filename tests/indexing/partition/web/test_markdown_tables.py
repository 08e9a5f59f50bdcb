import time
from pathlib import Path

import pytest

from indexing.partition.web.markup import open_markdown
from indexing.types import Block, BlockKind

LAMPS = Block(BlockKind.TABLE, "Deck | 61\nMast | 70", header="Lamp | Price")
GRID = """
+----------+-------+
| Lamp     | Price |
+==========+=======+
| **Deck** | 61    |
+----------+-------+
| Mast     | 70    |
+----------+-------+
"""
SIMPLE = """
  Lamp        Price
  ---------- ------
  **Deck**       61
  Mast           70
"""


def blocks_of(text: str, path: Path) -> list[Block]:
    (path / "page.md").write_text(text)
    return [block for page in open_markdown(path / "page.md").pages for block in page.blocks]


@pytest.mark.parametrize("table", [GRID, SIMPLE], ids=["grid", "simple"])
def test_a_table_of_pandoc_is_one(table: str, tmp_path: Path) -> None:
    assert blocks_of(f"Our lamps\n\n{table}\n: Prices\n\nNo oil.\n", tmp_path) == [
        Block(BlockKind.TEXT, "Our lamps"),
        LAMPS,
        Block(BlockKind.TEXT, ": Prices"),
        Block(BlockKind.TEXT, "No oil."),
    ]


def test_usual_tables_stay(tmp_path: Path) -> None:
    table = "| Lamp | Price |\n| --- | --- |\n| Deck | 61 |\n| Mast | 70 |"

    assert blocks_of(table, tmp_path) == [LAMPS]


def test_lines_that_only_look_like_rules_are_soon_read(tmp_path: Path) -> None:
    began = time.process_time()

    blocks_of("a\n- - -\n" * 5000, tmp_path)

    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        pytest.param("Lamps\n- - -\nOil", ["Lamps", "Oil"], id="rule between texts"),
        pytest.param("Lamps\n-----\nOil", ["Lamps", "Oil"], id="heading"),
        pytest.param("```\n+--+--+\n| a | b |\n```", ["+--+--+\n| a | b |"], id="program"),
    ],
)
def test_other_texts_stay(text: str, texts: list[str], tmp_path: Path) -> None:
    assert [block.text for block in blocks_of(text, tmp_path)] == texts
