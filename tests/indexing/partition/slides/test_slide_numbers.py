import pytest
from lxml import etree

from indexing.partition.slides.slide_numbers import leave_out_slide_numbers

A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def run(text: str) -> str:
    return f"<a:r><a:t>{text}</a:t></a:r>"


def field(kind: str, text: str) -> str:
    return f'<a:fld type="{kind}"><a:t>{text}</a:t></a:fld>'


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(field("slidenum", "7"), "", id="alone"),
        pytest.param(run("– ") + field("slidenum", "7") + run(" –"), "", id="between signs"),
        pytest.param(run("Step ") + field("slidenum", "7"), "Step 7", id="in a text"),
        pytest.param(field("datetime1", "5/1/2024"), "5/1/2024", id="a date"),
    ],
)
def test_the_number_of_a_slide_is_no_text_of_it(content: str, text: str) -> None:
    slide = etree.fromstring(f'<p:b xmlns:p="urn:p" xmlns:a="{A}"><a:p>{content}</a:p></p:b>')

    leave_out_slide_numbers(slide)

    assert "".join(slide.itertext()) == text
