import pytest

from indexing.partition.block_builder import BlockBuilder
from indexing.partition.markup import html_blocks
from indexing.types import Block, BlockKind


def heading(text: str) -> Block:
    return Block(BlockKind.HEADING, text)


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, words)


def table(rows: str, header: str = "") -> Block:
    return Block(BlockKind.TABLE, rows, header)


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        pytest.param("<h2>Gate\n3</h2>is <b>closed</b>", [heading("Gate 3"), text("is closed")]),
        pytest.param("<p>one<br>two", [text("one\ntwo")], id="line break"),
        pytest.param(
            "<div><b role=row><i role=cell>a</i><i role=cell>b</i></b><b role=row><i role=cell>c",
            [text("a b\nc")],
            id="cells by their roles",
        ),
        pytest.param("<div>a<div>b</div>c</div>", [text("a"), text("b"), text("c")], id="nested"),
        pytest.param("<pre>a\n  b</pre>", [text("a\n b")], id="preformatted"),
        pytest.param("a<script>if (1 < 2) x</script><style>p</style>b", [text("ab")], id="script"),
        pytest.param("a<noscript><img><br></noscript>b", [text("ab")], id="dropped with content"),
        pytest.param('<img alt="A lamp"> burns', [text("A lamp burns")], id="picture"),
        pytest.param('a<a epub:type="noteref">1</a>', [text("a")], id="sign of a note"),
        pytest.param("in <st1:place>Bath</st1:place> now", [text("in Bath now")], id="tag of Word"),
        pytest.param(
            "<ol start=3><li>a<ul><li>b</ul><li><p>c<p>d<li value=9>e<li>1) f<li></ol>g",
            [text(words) for words in ("3. a", "b", "4. c", "d", "9. e", "1) f", "g")],
            id="numbered list",
        ),
        pytest.param("<ol type=a><li>a<ol class=x><li>b", [text("a. a"), text("b")], id="letters"),
        pytest.param("10<sup>6</sup>, 10<sup>-3</sup>", [text("10^6, 10^-3")], id="powers"),
        pytest.param("1<sup>st</sup> m<sup>2</sup>", [text("1st m2")], id="raised"),
        pytest.param("5<sup>1</sup>/<sub>2</sub>", [text("5 1/2")], id="mixed number"),
        pytest.param("<ruby>東<rp>(<rt>とう<rp>)</ruby>", [text("東")], id="how it is read"),
        pytest.param("a <m:math><m:mi>x</m:mi></m:math> b", [text("a x b")], id="formula"),
        pytest.param('<math alttext="a/b"></math>', [text("a/b")], id="formula in words"),
        pytest.param("<math><mfrac><mi>a", [text("a")], id="formula without end"),
        pytest.param('<i class="x katex-html">y</i>', [], id="drawn formula"),
        pytest.param("&lt;b&gt; &unknown;", [text("<b> &unknown;")], id="entities"),
    ],
)
def test_tags_make_blocks(html: str, blocks: list[Block]) -> None:
    assert html_blocks(html) == blocks


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
            "<tr><th colspan=3>Stock<tr><th>Lamp<th>Year<th>Left<tr><td>Deck<td>1930<td>2",
            [text("Stock"), table("Deck | 1930 | 2", "Lamp | Year | Left")],
            id="title over the header",
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
            "<tr><th>Lessor<td>Hale<tr><th rowspan=2>Lessees<td>Reed<tr><td>Marsh",
            [table("Lessor | Hale\nLessees | Reed\nLessees | Marsh")],
            id="labels",
        ),
        pytest.param("<tr><td>alone", [text("alone")], id="a single cell"),
        pytest.param(f"<tr><td>{'x' * 5000}<td>b", [text("x" * 5000), text("b")], id="columns"),
    ],
)
def test_tables_keep_their_cells(html: str, blocks: list[Block]) -> None:
    assert html_blocks(f"<table>{html}</table>") == blocks


def test_depth_costs_nothing() -> None:
    deep = "<div>" * 50_000 + "words" + "<table><tr><td>" * 5_000 + "cell"

    assert html_blocks(deep) == [text("words"), text("cell")]


def test_spans_without_bound_are_cut() -> None:
    (block,) = html_blocks("<table><tr><td colspan=99999999 rowspan=99999999>a<td>b</table>")

    assert block == table("a | b")


def test_blocks_can_be_taken_as_they_are_finished() -> None:
    builder = BlockBuilder()

    builder.start("p", {})
    builder.data("first")
    builder.end_block()
    builder.data("second")

    assert builder.take() == [text("first")]
    builder.close()
    assert builder.take() == [text("second")]
