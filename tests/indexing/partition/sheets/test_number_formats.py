import pytest

from indexing.partition.sheets.format_codes import MAX_CODE_CHARACTERS
from indexing.partition.sheets.number_formats import (
    MAX_UNIT_CHARACTERS,
    number_text,
    parse_number_format,
    shown,
)

ACCOUNTING = r'_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)'
ACCOUNTING_OF_GERMANY = r'_-* #,##0.00\ "€"_-;\-* #,##0.00\ "€"_-;_-* "-"??\ "€"_-'


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        pytest.param("0.0%", 0.125, "12.5%", id="percentage"),
        pytest.param("0%", 0.07, "7%", id="percentage with float noise"),
        pytest.param("0%", 0.12345, "12.345%", id="percentage with more digits than shown"),
        pytest.param('0"%"', 5, "5%", id="percent sign as a text"),
        pytest.param(ACCOUNTING, -1234.5, "-$1234.5", id="accounting"),
        pytest.param(ACCOUNTING_OF_GERMANY, 1234.5, "1234.5 €", id="German accounting"),
        pytest.param("[$€-407]#,##0.00", 5, "€5", id="currency of a language"),
        pytest.param("[$USD]* #,##0", -5, "USD -5", id="currency by its code"),
        pytest.param('"CHF"#,##0', 5, "CHF 5", id="currency as a text"),
        pytest.param('"FY"0', 2024, "FY2024", id="name of a year"),
        pytest.param('"Week "0', 7, "Week 7", id="name of a week"),
        pytest.param('"No. "0', 12, "No. 12", id="short for a word"),
        pytest.param("£#,##0.00;[Red]-£#,##0.00", -1.5, "-£1.5", id="red when negative"),
        pytest.param('0.0"°C"', -3.5, "-3.5°C", id="unit"),
        pytest.param('0" (est.)"', 5, "5 (est.)", id="brackets within a text"),
        pytest.param(r'#\ ##0\ "zł"', 12345, "12345 zł", id="spaces between thousands"),
        pytest.param('0.0,,"M"', 1234567, "1.234567M", id="millions"),
        pytest.param("0" + "," * 200, 1234567, "0", id="more commas than a float has room for"),
        pytest.param("#,##0,", 1234567, "1234.567", id="thousands"),
        pytest.param("00000", 1234, "01234", id="leading zeros"),
        pytest.param("000.0", -1.5, "-001.5", id="leading zeros before a point"),
        pytest.param(r'General\ "pcs"', 5.5, "5.5 pcs", id="general"),
        pytest.param("▲0%;▼0%;-", -0.125, "-12.5%", id="arrows"),
        pytest.param('[Green]"▲"0.0%;[Red]"▼"0.0%', 0.125, "12.5%", id="coloured arrows"),
        pytest.param('"+"0%;"-"0%', 0.125, "12.5%", id="signs as texts"),
        pytest.param('"+"0.0%', -0.125, "-12.5%", id="plus sign as a text"),
        pytest.param('0%" up";0%" down"', -0.05, "-5%", id="percentage with texts for either sign"),
        pytest.param('[<0.001]"<0.1%";0.0%', 0.125, "12.5%", id="a text below a limit"),
        pytest.param('[>1]0.0%;[<0]-0.0%;"none"', 0.125, "12.5%", id="a text for what is left"),
        pytest.param('"▲"0" kg";"▼"0" kg"', -5, "-5 kg", id="unit behind arrows"),
        pytest.param("0%;@", 0.5, "50%", id="texts have a section of their own"),
        pytest.param("000-00-0000", 5123456, "005-12-3456", id="digits parted"),
    ],
)
def test_numbers_are_written_as_shown_with_all_their_digits(
    code: str, value: float, text: str
) -> None:
    number_format = parse_number_format(code)

    assert number_format is not None
    assert shown(value, number_format) == text


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("", id="none"),
        pytest.param("General", id="general"),
        pytest.param("#,##0.00_);[Red](#,##0.00)", id="digits alone"),
        pytest.param("yyyy-mm-dd", id="date"),
        pytest.param("[h]:mm:ss", id="elapsed time"),
        pytest.param("0.00E+00", id="exponent"),
        pytest.param("# ?/?", id="fraction"),
        pytest.param("@", id="text"),
        pytest.param('[>=1000]0,"K";0', id="condition"),
        pytest.param('0,"K up";0,"K down"', id="thousands with texts for either sign"),
        pytest.param('0%;0" of 1"', id="percentage on one side"),
        pytest.param('"Profit "0;"Loss "0', id="texts for either sign"),
        pytest.param(f'0"{"x" * (MAX_UNIT_CHARACTERS + 1)}"', id="long text"),
        pytest.param("0" * (MAX_UNIT_CHARACTERS + 1), id="row of zeros"),
        pytest.param("," * MAX_CODE_CHARACTERS + "0%", id="long code"),
        pytest.param('0"never ends', id="text without an end"),
        pytest.param('"no digits"', id="no digits"),
    ],
)
def test_what_shows_nothing_more_than_the_number_is_no_format(code: str) -> None:
    assert parse_number_format(code) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(5, "5", id="integer"),
        pytest.param(61.0, "61", id="whole number"),
        pytest.param(0.1 + 0.2, "0.3", id="float noise"),
        pytest.param(-0.000001, "-0.000001", id="small number"),
        pytest.param(1.25e-10, "0.000000000125", id="smaller number"),
        pytest.param(-1.5e-12, "-1.5E-12", id="number that sheets write with an exponent"),
        pytest.param(6.02e23, "602000000000000000000000", id="larger than a float tells exactly"),
        pytest.param(4111111111111111.0, "4111111111111111", id="number of a card"),
        pytest.param(float("inf"), "inf", id="infinite"),
    ],
)
def test_a_number_without_format_is_typed_plainly(value: float, text: str) -> None:
    assert number_text(value) == text
