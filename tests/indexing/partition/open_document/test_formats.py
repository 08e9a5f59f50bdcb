import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.open_document.formats import format_codes

NAMES = (
    'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
)
FIGURES = '<number:number number:min-integer-digits="1"/>'


def style(kind: str, content: str, name: str = "N1") -> str:
    return f'<number:{kind}-style style:name="{name}">{content}</number:{kind}-style>'


@pytest.mark.parametrize(
    ("styles", "code"),
    [
        pytest.param(style("number", FIGURES), "0", id="number"),
        pytest.param(
            style("percentage", f"{FIGURES}<number:text> %</number:text>"), "0%", id="percentage"
        ),
        pytest.param(style("number", f"{FIGURES}<number:text> kg</number:text>"), '0" kg"'),
        pytest.param(
            style("currency", f"<number:currency-symbol>€</number:currency-symbol>{FIGURES}"),
            '"€"0',
            id="currency",
        ),
        pytest.param(style("date", "<number:day/>"), "yyyy-mm-dd", id="date"),
        pytest.param(
            style("number", '<number:number number:min-integer-digits="x"/>'), "0", id="not sound"
        ),
        pytest.param(
            style("number", f"{FIGURES}<number:text> t</number:text>", "N1P0")
            + style(
                "number",
                f"<number:text>-</number:text>{FIGURES}"
                '<style:map style:condition="value()&gt;=0" style:apply-style-name="N1P0"/>',
            ),
            '0" t"',
            id="by sign",
        ),
    ],
)
def test_a_format_is_written_as_its_code(styles: str, code: str) -> None:
    assert format_codes(parse(f"<all {NAMES}>{styles}</all>".encode()))["N1"] == code
