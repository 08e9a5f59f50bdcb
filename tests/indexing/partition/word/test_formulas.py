import pytest
from lxml import etree

from indexing.partition.word.formulas import M, formula_text


def part(name: str, *content: str) -> str:
    return f"<m:{name}>{''.join(content)}</m:{name}>"


def letters(text: str) -> str:
    return part("r", part("t", text))


def read(formula: str) -> str:
    return formula_text(etree.fromstring(f'<m:oMath xmlns:m="{M[1:-1]}">{formula}</m:oMath>'))


SUM = part("num", letters("a+b"))
BRACE = '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>'
ELSE = part("e", letters("0 else"))
SIGMA = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'
FROM_ONE = part("sub", letters("i=1"))
TWO = part("den", letters("2"))


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        pytest.param(part("f", part("num", letters("1")), TWO), "1/2", id="fraction"),
        pytest.param(part("f", SUM, TWO), "(a+b)/2", id="fraction of a sum"),
        pytest.param(
            part("sSup", part("e", letters("10")), part("sup", letters("6"))), "10^6", id="power"
        ),
        pytest.param(
            part("sSub", part("e", letters("x")), part("sub", letters("1"))), "x1", id="index"
        ),
        pytest.param(
            part("rad", part("deg"), part("e", part("f", SUM, TWO))), "√((a+b)/2)", id="root"
        ),
        pytest.param(part("d", part("e", letters("a+b"))) + letters("c"), "(a+b)c", id="brackets"),
        pytest.param(
            part(
                "d",
                '<m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr>',
                part("e", letters("x")),
            ),
            "|x|",
            id="other brackets",
        ),
        pytest.param(
            part("nary", '<m:naryPr><m:chr m:val="∑"/></m:naryPr>', part("e", letters("x"))),
            "∑x",
            id="sum",
        ),
        pytest.param(
            part("func", part("fName", letters("sin")), part("e", letters("x"))),
            "sin x",
            id="function",
        ),
        pytest.param(
            part(
                "m",
                part("mr", part("e", letters("1")), part("e", letters("0"))),
                part("mr", part("e"), part("e", letters("2"))),
            ),
            "1 0;  2",
            id="matrix",
        ),
        pytest.param(
            part("d", BRACE, part("e", part("eqArr", part("e", letters("1 if p")), ELSE))),
            "{1 if p; 0 else",
            id="equations below each other",
        ),
        pytest.param(
            part("nary", SIGMA, FROM_ONE, part("sup", letters("n")), part("e", letters("x"))),
            "∑_(i=1)^n x",
            id="sum with limits",
        ),
        pytest.param(
            part("limLow", part("e", letters("lim")), part("lim", letters("n→∞"))),
            "lim_(n→∞)",
            id="limit",
        ),
        pytest.param(
            part("sSub", part("e", letters("x")), part("sub", letters("i+1"))),
            "x_(i+1)",
            id="index of several signs",
        ),
        pytest.param(
            part("sSub", part("e", letters("10")), part("sub", letters("2"))),
            "10_2",
            id="index of a number",
        ),
        pytest.param(
            part("sSub", part("e", letters("x")), part("sub", letters("′"))), "x′", id="prime"
        ),
    ],
)
def test_layout_is_written_as_signs(formula: str, text: str) -> None:
    assert read(formula) == text


def test_part_that_is_missing_does_no_harm() -> None:
    assert read(part("f") + part("sSup") + letters("x")) == "x"
