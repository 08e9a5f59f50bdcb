import pytest

from indexing.partition.texts.rich_text import rtf_blocks
from indexing.partition.texts.rtf_formulas import write_out_formulas


def run(text: str) -> str:
    return rf"{{\mr\mscr0\msty2{{\rtlch\af0 \ltrch\f34 {text}}}}}"


def power(base: str, exponent: str) -> str:
    return rf"{{\msSup{{\msSupPr{{\mctrlPr\f34 }}}}{{\me{run(base)}}}{{\msup{run(exponent)}}}}}"


def fraction(above: str, below: str, properties: str = "") -> str:
    return rf"{{\mf{properties}{{\mnum{above}}}{{\mden{below}}}}}"


NO_LINE = r"{\mfPr{\mtype noBar}}"
ROOM = r"{\mdPr{\mbegChr [}{\mendChr }}"
SUM = r"{\mnary{\mnaryPr{\mchr \u8721?}}{\msub" + run("k=1") + r"}{\msup}{\me" + run("k") + "}}"
ROWS = rf"{{\mm{{\mmr{{\me{run('a')}}}{{\me{run('b')}}}}}}}"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        pytest.param(run(r"A=\u960?") + power("r", "2"), "A=πr^2", id="power"),
        pytest.param(power("10", r"\u8722?6"), "10^(−6)", id="negative power"),
        pytest.param(fraction(run("a+b"), run("2")), "(a+b)/2", id="fraction"),
        pytest.param(fraction(run("n"), run("k"), NO_LINE), "n k", id="without a line"),
        pytest.param(rf"{{\md{ROOM}{{\me{run('0,1')}}}}}", "[0,1", id="brackets"),
        pytest.param(SUM, "∑_(k=1) k", id="sum"),
        pytest.param(ROWS, "a b", id="matrix"),
        pytest.param(rf"{{\mrad{{\mdeg}}{{\me{run('x')}}}}}", "√x", id="root"),
        pytest.param(run(r"\u-10187?\u-9138?=1"), "a=1", id="slanted letters"),
        pytest.param(run(r"\uc2\u945\'61\'61b\'b1\{c\}"), "αb±{c}", id="codes"),
        pytest.param(run("a\x01\r\nb\\~c"), "ab c", id="signs that are none"),
        pytest.param("{" * 5000 + run("deep") + "}" * 5000, "", id="too deep"),
    ],
)
def test_a_formula_is_read_in_its_sentence(formula: str, text: str) -> None:
    rtf = rf"{{\rtf1\ansi It is {{\mmath{{\*\moMath {formula}}}}} here.}}".encode("cp1252")

    (block,) = rtf_blocks(rtf)

    assert block.text == f"It is {text} here.".replace("  ", " ")


@pytest.mark.parametrize(
    "rtf", [rb"{\rtf1{\*\mmathPr\mmathFont34}a}", rb"{\rtf1 a}"], ids=["settings", "none"]
)
def test_a_text_without_formulas_stays_itself(rtf: bytes) -> None:
    assert write_out_formulas(rtf) is rtf


def test_a_formula_that_is_cut_off_is_read_to_its_end() -> None:
    cut_off = rb"{\rtf1 a {\mmath{\*\moMath{\mr b\u120"

    assert write_out_formulas(cut_off) == rb"{\rtf1 a {\uc1 bx}"


def test_letters_of_any_script_are_written() -> None:
    formula = rb"{\mmath{\*\moMath{\mr \u-9204?\u-10179?\u-8704?\u-255?}}}"

    assert write_out_formulas(formula) == rb"{\uc1 \u-10179?\u-8704?\u-255?}"
