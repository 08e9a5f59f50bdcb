import pytest
from lxml import etree

from indexing.partition.slides.numbers import write_out_numbers

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
PLAIN = ""
COUNTED = '<a:buAutoNum type="arabicPeriod"/>'
LETTERED = '<a:buAutoNum type="alphaLcParenR"/>'


def paragraph(text: str, kind: str, level: int = 0) -> str:
    run = f"<a:r><a:t>{text}</a:t></a:r>" if text else ""
    return f'<a:p><a:pPr lvl="{level}">{kind}</a:pPr>{run}</a:p>'


def numbered(*paragraphs: str) -> list[str]:
    """Return the texts of a slide's paragraphs with their numbers."""
    body = f'<p:sp xmlns:p="urn:p" xmlns:a="{A}"><p:txBody>{"".join(paragraphs)}</p:txBody></p:sp>'
    slide = etree.fromstring(body)
    write_out_numbers(slide)
    return ["".join(one.itertext()) for one in slide.iter(f"{{{A}}}p")]


def test_paragraphs_are_counted_by_their_levels() -> None:
    texts = numbered(
        paragraph("Pack", COUNTED),
        paragraph("wrap", LETTERED, 1),
        paragraph("tie", LETTERED, 1),
        paragraph("", COUNTED),
        paragraph("Send", COUNTED),
        paragraph("label", LETTERED, 1),
    )

    assert texts == ["1. Pack", "a) wrap", "b) tie", "", "2. Send", "a) label"]


def test_a_paragraph_without_number_ends_a_list() -> None:
    texts = numbered(paragraph("Pack", COUNTED), paragraph("Now", PLAIN), paragraph("Go", COUNTED))

    assert texts == ["1. Pack", "Now", "1. Go"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        pytest.param('type="romanUcPeriod" startAt="4"', "IV. Pack", id="roman, from four"),
        pytest.param('type="arabicParenBoth"', "(1) Pack", id="brackets"),
        pytest.param('type="ea1ChsPeriod" startAt="12"', "十二. Pack", id="Chinese"),
        pytest.param('type="romanLcPlain" startAt="99999"', "Pack", id="too many"),
        pytest.param('type="unheardOf"', "Pack", id="unknown"),
    ],
)
def test_numbers_are_of_many_kinds(kind: str, text: str) -> None:
    assert numbered(paragraph("Pack", f"<a:buAutoNum {kind}/>")) == [text]
