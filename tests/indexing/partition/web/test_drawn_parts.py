from pathlib import Path

import pytest

from indexing.partition.web.drawn_parts import part_of_table
from indexing.partition.web.markup import open_html
from indexing.types import Block, BlockKind

LAMPS = Block(BlockKind.TABLE, "Deck | 61\nMast | 70", header="Lamp | Price")
ROWS = [("Lamp", "Price"), ("Deck", "61"), ("Mast", "70")]


def blocks_of(page: str, path: Path) -> list[Block]:
    (path / "page.html").write_text(page)
    return [block for page in open_html(path / "page.html").pages for block in page.blocks]


def drawn(table: str, row: str, cell: str, tag: str = "div") -> str:
    rows = (
        f"<div {row}>{''.join(f'<{tag} {cell}>{text}</{tag}>' for text in texts)}</div>"
        for texts in ROWS
    )
    return f"<div {table}><div>{''.join(rows)}</div></div>"


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(drawn("role=table", "role=row", "role=cell", "span"), id="table"),
        pytest.param(drawn("role=grid", "role=row", "role=gridcell"), id="grid"),
        pytest.param(
            drawn('style="display: table"', "style=display:table-row", "style=display:table-cell"),
            id="style",
        ),
    ],
)
def test_what_is_drawn_as_a_table_is_one(page: str, tmp_path: Path) -> None:
    assert blocks_of(f"<p>Our lamps</p>{page}<p>No oil.</p>", tmp_path) == [
        Block(BlockKind.TEXT, "Our lamps"),
        LAMPS,
        Block(BlockKind.TEXT, "No oil."),
    ]


def test_a_table_within_a_cell_that_is_drawn_has_its_own_rows(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>{lamp}</td><td>{price}</td></tr>" for lamp, price in ROWS)
    page = f"<div role=table><div role=row><p role=cell>a</p><table>{rows}</table></div></div>"

    assert LAMPS in blocks_of(page, tmp_path)


def test_rows_without_a_table_are_text(tmp_path: Path) -> None:
    assert blocks_of("<div role=row><p role=cell>a</p><p role=cell>b</p></div>", tmp_path) == [
        Block(BlockKind.TEXT, "a"),
        Block(BlockKind.TEXT, "b"),
    ]


@pytest.mark.parametrize(
    ("attributes", "part"),
    [
        pytest.param({"role": "columnheader"}, "th", id="role"),
        pytest.param({"style": "color: red; DISPLAY:Table-Cell"}, "td", id="style"),
        pytest.param({"style": "display: block"}, "", id="another display"),
        pytest.param({"role": "button"}, "", id="another role"),
    ],
)
def test_a_part_is_told_by_its_role_or_style(attributes: dict[str, str], part: str) -> None:
    assert part_of_table(attributes) == part
