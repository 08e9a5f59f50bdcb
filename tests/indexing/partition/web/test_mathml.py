import pytest
from lxml import etree

from indexing.partition.web.markup import html_blocks
from indexing.partition.web.mathml import mathml_text

NAMESPACE = 'xmlns="http://www.w3.org/1998/Math/MathML"'
HALF = "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow> <mn>2</mn></mfrac>"
SUM = "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
MATRIX = "<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd>4</mtd></mtr></mtable>"


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        pytest.param(HALF, "(a+b)/2", id="fraction"),
        pytest.param(f"<msup>{HALF}<mn>2</mn></msup>", "((a+b)/2)^2", id="power of a fraction"),
        pytest.param("<msup><mi>f</mi><mo>′</mo></msup>", "f′", id="prime"),
        pytest.param("<msub><mi>x</mi><mi>i</mi></msub>", "xi", id="index"),
        pytest.param("<msub><mn>11</mn><mn>2</mn></msub>", "11_2", id="base of a number"),
        pytest.param(f"{SUM}<mi>i</mi>", "∑_(i=1)^ni", id="sum"),
        pytest.param("<msqrt><mn>4</mn><mi>a</mi></msqrt>", "√4a", id="root"),
        pytest.param("<mroot><mi>x</mi><mn>3</mn></mroot>", "3√x", id="third root"),
        pytest.param("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a,b)", id="brackets"),
        pytest.param(f"<mo>(</mo>{MATRIX}<mo>)</mo>", "(1 2; 3 4)", id="matrix"),
        pytest.param("<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "sin x", id="function"),
        pytest.param("<mi>x</mi><mtext>if</mtext><mn>1</mn>", "x if 1", id="words"),
        pytest.param('<mfrac linethickness="0">n<mi>k</mi></mfrac>', "n k", id="no line"),
        pytest.param("<mfrac><mn>1</mn></mfrac>", "1", id="half a fraction"),
        pytest.param(
            "<semantics><mi>a</mi><annotation>\\alpha</annotation></semantics>", "a", id="once"
        ),
    ],
)
def test_a_formula_is_written_in_one_line(parts: str, text: str) -> None:
    assert mathml_text(etree.fromstring(f"<math {NAMESPACE}>{parts}</math>")) == text


def test_depth_costs_nothing() -> None:
    (block,) = html_blocks("<math>" + "<msup><mrow>" * 100_000 + "<mi>a</mi>")

    assert block.text == "a"
