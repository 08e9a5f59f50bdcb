import pytest

from indexing.partition.sheets.digit_patterns import MAX_PATTERN_CHARACTERS, parse_digit_pattern

TELEPHONE = r"[<=9999999]###\-####;\(###\)\ ###\-####"


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        pytest.param("000-00-0000", 555123456, "555-12-3456", id="all digits there"),
        pytest.param("000-00-0000", 5123456, "005-12-3456", id="zeros before it"),
        pytest.param(r"00000\-0000;@", 123456789, "12345-6789", id="texts as they are"),
        pytest.param(TELEPHONE, 5551234, "555-1234", id="small enough for the first pattern"),
        pytest.param(TELEPHONE, 4255551234, "(425) 555-1234", id="too large for it"),
        pytest.param("+0 000 000-00-00", 74951234567, "+7 495 123-45-67", id="gaps and more"),
        pytest.param("00-00", 123456, "1234-56", id="more digits than places"),
        pytest.param('0"h "00"m"', 130, "1h 30m", id="texts between digits"),
        pytest.param("[Red]00-00", 1234, "12-34", id="coloured"),
        pytest.param("00-00", -1234, "-12-34", id="negative"),
        pytest.param("00-00;-00-00", -1234, "-12-34", id="negative in a section of its own"),
        pytest.param("[=1]0-0;[<>2]00-00;000-00", 2, "000-02", id="what no condition fits"),
        pytest.param("00-00", 12.5, None, id="no whole number"),
        pytest.param("[>5]00-00", 3, None, id="no pattern for it"),
    ],
)
def test_digits_are_parted_as_shown(code: str, value: float, text: str | None) -> None:
    pattern = parse_digit_pattern(code)

    assert pattern is not None
    assert pattern.shown(value) == text


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("", id="none"),
        pytest.param("General", id="general"),
        pytest.param("00000", id="zeros alone"),
        pytest.param("#,##0.00", id="an amount"),
        pytest.param(r"#\ ##0", id="spaces between thousands"),
        pytest.param('-0" kg"', id="a unit"),
        pytest.param("0-0%", id="a percentage"),
        pytest.param("yyyy-mm-dd", id="a date"),
        pytest.param("[h]:mm", id="an elapsed time"),
        pytest.param('00-00;"owes "00-00', id="another text when negative"),
        pytest.param('[<5]00-00;0" kg"', id="an amount in the other case"),
        pytest.param("0-" * MAX_PATTERN_CHARACTERS, id="a long row"),
        pytest.param('"no digits"', id="no digits"),
    ],
)
def test_what_does_not_part_digits_is_no_pattern(code: str) -> None:
    assert parse_digit_pattern(code) is None
