import pytest

from indexing.partition.web.markup import html_blocks
from indexing.types import Block, BlockKind


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, words)


def table(rows: str, header: str = "") -> Block:
    return Block(BlockKind.TABLE, rows, header)


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        pytest.param(
            "<tr><th>Lamp<th>Year<tr><td>Deck<td>1930",
            [table("Deck | 1930", "Lamp | Year")],
            id="header",
        ),
        pytest.param(
            "<tr><th>7<th>8<tr><td>a<td>b", [table("a | b", "7 | 8")], id="header of numbers"
        ),
        pytest.param(
            "<tr><th rowspan=2>Lamp<th colspan=2>Sold<tr><th>2023<th>2024<tr><td>Deck<td>7<td>9",
            [table("Deck | 7 | 9", "Lamp | Sold 2023 | Sold 2024")],
            id="header of two rows",
        ),
        pytest.param(
            "<tr><th>Age<th>n<th>%<tr><th colspan=3>Asia<tr><th>0-9<td>1<td>2<tr><th>10+<td>3<td>4",
            [table("Asia\n0-9 | 1 | 2\n10+ | 3 | 4", "Age | n | %")],
            id="group of rows",
        ),
        pytest.param(
            "<thead><tr><th><th>n<th>%<tr><th>Age<th><th><tbody><tr><th>0-9<td>1<td>2",
            [table("0-9 | 1 | 2", "Age | n | %")],
            id="name of the first column in a row of its own",
        ),
        pytest.param(
            "<tr><th colspan=3>Stock<tr><th>Lamp<th>Year<th>Left<tr><td>Deck<td>1930<td>2",
            [text("Stock"), table("Deck | 1930 | 2", "Lamp | Year | Left")],
            id="title over the header",
        ),
        pytest.param(
            "<tr><td colspan=3>Stock<tr><td>Lamp<td>Year<td>Left<tr><td>Deck<td>1930<td>2",
            [text("Stock"), table("Deck | 1930 | 2", "Lamp | Year | Left")],
            id="title over names that no tag tells",
        ),
        pytest.param(
            "<thead><tr><td>7<td>8<tfoot><tr><td>e<td>f<tbody><tr><td>a<td>b<tr><td>c<td>d",
            [table("a | b\nc | d\ne | f", "7 | 8")],
            id="head and foot",
        ),
        pytest.param(
            "<thead><tr><td>x<td>y</thead><tr><td>7<td>8", [table("7 | 8", "x | y")], id="no body"
        ),
        pytest.param(
            "<tbody><tr><td rowspan=0>Lamp<td>3<tr><td>4<tbody><tr><td>Rug<td>5",
            [table("Lamp | 3\nLamp | 4\nRug | 5")],
            id="merged to the end of a section",
        ),
        pytest.param(
            "<tr><td rowspan=2>Lamp<td>3<tr><td>4<tr><td colspan=2>sum",
            [table("Lamp | 3\nLamp | 4\nsum")],
            id="merged cells",
        ),
        pytest.param(
            "<caption>Stock</caption><tr><td>a<td>1<tr><td>b<td>2",
            [text("Stock"), table("a | 1\nb | 2")],
            id="caption",
        ),
        pytest.param(
            "<tr><td>menu<td><table><tr><td>a<td>1</table>",
            [text("menu"), table("a | 1")],
            id="layout",
        ),
        pytest.param(
            "<tr><th>Plan<th>Has<tr><td>A<td>lamps<tr><td>B<td>rugs<table><tr><td>a<td>1</table>",
            [table("A | lamps\nB | rugs", header="Plan | Has"), table("a | 1")],
            id="in a cell below names",
        ),
        pytest.param(
            "<tr><th>one<th>two<tr><th>news<th><table><tr><td>a<td>1</table>",
            [text("one"), text("two"), text("news"), table("a | 1")],
            id="layout in headings",
        ),
        pytest.param(
            "<tr><th>Lessor<td>Hale<tr><th rowspan=2>Lessees<td>Reed<tr><td>Marsh",
            [table("Lessor | Hale\nLessees | Reed\nLessees | Marsh")],
            id="labels",
        ),
        pytest.param(
            "<tr><th>Lessor<td>Hale<th>Since<td>1930<tr><th>Lessee<td>Reed<th>Until<td>",
            [table("Lessor | Hale | Since | 1930\nLessee | Reed | Until")],
            id="pairs of labels and values",
        ),
        pytest.param("<tr><td>alone", [text("alone")], id="a single cell"),
        pytest.param(f"<tr><td>{'x' * 5000}<td>b", [text("x" * 5000), text("b")], id="columns"),
    ],
)
def test_tables_keep_their_cells(html: str, blocks: list[Block]) -> None:
    assert html_blocks(f"<table>{html}</table>") == blocks


def test_spans_without_bound_are_cut() -> None:
    (block,) = html_blocks("<table><tr><td colspan=99999999 rowspan=99999999>a<td>b</table>")

    assert block == table("a | b")
