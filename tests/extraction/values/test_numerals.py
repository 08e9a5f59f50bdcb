import re
from decimal import Decimal

import pytest

from extraction.types import Habit
from extraction.values.numerals import LONGEST_NUMERAL, numeral_pattern, read_numeral
from tests.extraction.values.fields import COMMA, NO_HABIT, POINT


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("1.234,56", "1234.56", id="german"),
        pytest.param("1,234.56", "1234.56", id="english"),
        pytest.param("12,34,567.00", "1234567.00", id="indian"),
        pytest.param("1\u00a0234,56", "1234.56", id="french"),
        pytest.param("1'234.56", "1234.56", id="swiss"),
        pytest.param("1.234.567", "1234567", id="thousands alone"),
        pytest.param("0,125", "0.125", id="nothing before the comma"),
        pytest.param("1234.567", "1234.567", id="too long before the point for thousands"),
        pytest.param(".5", "0.5", id="point first"),
        pytest.param("5.-", "5", id="whole amount"),
        pytest.param("1.2.3", None, id="version"),
        pytest.param("25.12.2018", None, id="date"),
        pytest.param("1,2.3,4", None, id="mixed"),
    ],
)
def test_numeral_is_read(written: str, expected: str | None) -> None:
    assert read_numeral(written, NO_HABIT) == (expected and Decimal(expected))


@pytest.mark.parametrize(
    ("written", "habit", "expected"),
    [
        pytest.param("1,234", NO_HABIT, "1234", id="comma, no habit"),
        pytest.param("1,234", POINT, "1234", id="comma, decimal point"),
        pytest.param("1,234", COMMA, "1.234", id="comma, decimal comma"),
        pytest.param("1.234", NO_HABIT, "1.234", id="point, no habit"),
        pytest.param("1.234", POINT, "1.234", id="point, decimal point"),
        pytest.param("1.234", COMMA, "1234", id="point, decimal comma"),
        pytest.param("12,5", POINT, "12.5", id="not ambiguous, in spite of habit"),
    ],
)
def test_habit_decides_what_is_ambiguous(written: str, habit: Habit, expected: str) -> None:
    assert read_numeral(written, habit) == Decimal(expected)


def test_endless_digits_are_no_number() -> None:
    assert read_numeral("9" * (LONGEST_NUMERAL + 1), NO_HABIT) is None


@pytest.mark.parametrize(
    ("text", "habit", "expected"),
    [
        pytest.param("12 500 km", NO_HABIT, "12 500", id="no habit"),
        pytest.param("12 500 km", COMMA, "12 500", id="decimal comma"),
        pytest.param("12 500 km", POINT, "12", id="two columns"),
        pytest.param("3 120.00", NO_HABIT, "3", id="quantity and price"),
        pytest.param("3 120 500.00", NO_HABIT, "3", id="three columns"),
        pytest.param("1 234,56", NO_HABIT, "1 234,56", id="comma behind"),
        pytest.param("1\u00a0234.56", POINT, "1\u00a0234.56", id="narrow space"),
    ],
)
def test_plain_space_joins_thousands_or_parts_columns(
    text: str, habit: Habit, expected: str
) -> None:
    match = re.match(numeral_pattern(habit), text)

    assert match
    assert match.group() == expected
