import time
from pathlib import Path

import pytest

from indexing.partition.web.markup import open_markdown
from indexing.partition.web.piped_tables import MAX_NAMELESS, with_whole_tables
from indexing.types import Block, BlockKind


def blocks_of(text: str, path: Path) -> list[Block]:
    (path / "page.md").write_text(text)
    return [block for page in open_markdown(path / "page.md").pages for block in page.blocks]


def test_cells_without_a_name_are_kept(tmp_path: Path) -> None:
    text = "Lamp | Price\n--- | ---\nDeck | 61 | sold\n| Mast | 70 | |\n"

    (table,) = blocks_of(text, tmp_path)

    assert table.text == "Deck | 61 | sold\nMast | 70"


def test_a_bar_in_code_parts_no_cells(tmp_path: Path) -> None:
    text = "| Type | Note |\n|---|---|\n| `int|None` | none or a `str` |\n\nUse `a|b`.\n"

    assert blocks_of(text, tmp_path) == [
        Block(BlockKind.TABLE, "int|None | none or a str", "Type | Note"),
        Block(BlockKind.TEXT, "Use a|b."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("-|-\n" * 50_000, id="rules below each other"),
        pytest.param("a|b\n" + " " * 50_000 + "-|x" + " " * 50_000 + "|y\n", id="blanks"),
        pytest.param("a|b\n" + "-" * 100_000 + "x|\n", id="a long rule"),
        pytest.param("`a`" * 50_000 + "|\n", id="code"),
    ],
)
def test_no_text_takes_long(text: str) -> None:
    begin = time.process_time()

    assert with_whole_tables(text) == text
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a|b\n-|-\n1|2\n", id="no cell too many"),
        pytest.param("a|b\n-|-\n1|2\n\n1|2|3\n", id="other lines below"),
        pytest.param("```\na|b\n-|-\n1|2|3\n```\n", id="a program"),
        pytest.param("a|b|c\n-|-\n1|2|3\n", id="no table"),
        pytest.param("a|b\n-|-\n" + "1|" * MAX_NAMELESS + "2|3|4\n", id="no row of it"),
    ],
)
def test_other_lines_are_left_as_they_are(text: str) -> None:
    assert with_whole_tables(text) == text
