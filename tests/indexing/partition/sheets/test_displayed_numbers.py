import pytest

from indexing.partition.sheets.displayed_numbers import as_displayed


@pytest.mark.parametrize(
    ("value", "displayed", "text"),
    [
        pytest.param(5, "5 kg", "5 kg", id="unit"),
        pytest.param(-5, "USD -5", "USD -5", id="unit before it"),
        pytest.param(3, "Q3", "Q3", id="name of a quarter"),
        pytest.param(-3.5, "-3,5°C", "-3.5°C", id="decimal comma"),
        pytest.param(12345, "12 345 kg", "12345 kg", id="thousands grouped"),
        pytest.param(1234.5678, "1,234.57 km", "1234.5678 km", id="rounded"),
        pytest.param(3.25, "3.3 kg", "3.25 kg", id="rounded at a half"),
        pytest.param(0.5, ".5 m", "0.5 m", id="no digit before the point"),
        pytest.param(1234, "01234", "01234", id="leading zeros"),
        pytest.param(7, "No. 007", "No. 007", id="leading zeros after a word"),
        pytest.param(555123456, "555-12-3456", "555-12-3456", id="digits parted"),
        pytest.param(1, "TRUE", "TRUE", id="truth"),
        pytest.param(1234567, "12,34,567 kg", "1234567 kg", id="lakhs grouped"),
        pytest.param(0.125, "12.5 %", "12.5 %", id="percentage"),
        pytest.param(-0.12345, "-12,3%", "-12.345%", id="percentage rounded"),
        pytest.param(12.5, "1.250 %", "1250 %", id="percentage grouped"),
        pytest.param(0.001, "0%", "0.1%", id="percentage rounded to nothing"),
        pytest.param(12.5, "12.50%", "12.5%", id="percent sign as a text"),
        pytest.param(12.5, "≤ 13 mm", "≤ 12.5 mm", id="limit that is the value"),
        pytest.param(0.125, "≤ 12.5%", "≤ 12.5%", id="percentage that is a limit"),
        pytest.param(-0.05, "▼5%", "-5%", id="arrow for a sign"),
        pytest.param(4255551234, "(425) 555-1234", "(425) 555-1234", id="telephone"),
    ],
)
def test_numbers_keep_what_is_displayed_around_their_digits(
    value: float, displayed: str, text: str
) -> None:
    assert as_displayed(value, displayed) == text


@pytest.mark.parametrize(
    ("value", "displayed", "text"),
    [
        pytest.param(1234.5, "1,234.50", "1234.5", id="grouped and padded"),
        pytest.param(0, "0.00", "0", id="zero"),
        pytest.param(-5, "(5)", "-5", id="negative in brackets"),
        pytest.param(1234567, "1.2M", "1234567", id="scaled"),
        pytest.param(0.0001, "<0.1%", "0.0001", id="limit"),
        pytest.param(-0.125, "-<0.1%", "-0.125", id="limit of the same digits"),
        pytest.param(45000, "2023-03-15", "45000", id="date"),
        pytest.param(1.5, "1 1/2", "1.5", id="fraction"),
        pytest.param(1500, "1.5E+03", "1500", id="exponent"),
        pytest.param(5, "five", "5", id="word"),
        pytest.param(5, "٥ kg", "5", id="digits of another script"),
        pytest.param(5, "5 " + "x" * 100, "5", id="long text"),
        pytest.param(5, "", "5", id="nothing"),
    ],
)
def test_other_digits_than_those_of_the_value_are_not_taken(
    value: float, displayed: str, text: str
) -> None:
    assert as_displayed(value, displayed) == text
