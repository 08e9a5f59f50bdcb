import pytest

from indexing.partition.web.block_builder import BlockBuilder
from indexing.partition.web.markup import html_blocks
from indexing.types import Block, BlockKind


def heading(text: str) -> Block:
    return Block(BlockKind.HEADING, text)


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, words)


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
        pytest.param(
            "<pre>\n a:\n\tif  b:\n\n&nbsp;  c \n\n</pre>",
            [text(" a:\n    if b:\n\n   c")],
            id="preformatted",
        ),
        pytest.param("a<script>if (1 < 2) x</script><style>p</style>b", [text("ab")], id="script"),
        pytest.param("<template>a</template>b", [text("b")], id="template"),
        pytest.param(
            "<template shadowrootmode=open><p>a</template>b",
            [text("a"), text("b")],
            id="shown part",
        ),
        pytest.param("a<noscript><img><br></noscript>b", [text("ab")], id="dropped with content"),
        pytest.param('<img alt="A lamp"> burns', [text("A lamp burns")], id="picture"),
        pytest.param(
            "<select><option>Oslo<option selected>Rome</select>",
            [text("Oslo"), text("☒ Rome")],
            id="choice",
        ),
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


def test_depth_costs_nothing() -> None:
    deep = "<div>" * 50_000 + "words" + "<table><tr><td>" * 5_000 + "cell"

    assert html_blocks(deep) == [text("words"), text("cell")]


def test_blocks_can_be_taken_as_they_are_finished() -> None:
    builder = BlockBuilder()

    builder.start("p", {})
    builder.data("first")
    builder.end_block()
    builder.data("second")

    assert builder.take() == [text("first")]
    builder.close()
    assert builder.take() == [text("second")]


def test_a_table_that_is_set_with_spaces_is_a_table() -> None:
    stock = "<pre>Name   Qty\n<b>Bolt</b>    10\nNut     20\n</pre>"

    assert html_blocks(stock) == [Block(BlockKind.TABLE, "Bolt | 10\nNut | 20", "Name | Qty")]
