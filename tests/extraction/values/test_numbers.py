import math
from decimal import Decimal

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from extraction.types import FieldType, Habit
from extraction.values.numbers import json_number, only_number
from tests.extraction.values.fields import COMMA, POINT, found, normalised

LOCALES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "de_CH", "en_IN", "ru")


def test_numbers_are_found_where_they_stand() -> None:
    text = "Between −5 and two (2) of 1’234.56 km"

    assert found(FieldType.NUMBER, text) == [("−5", -5), ("two (2)", 2), ("1’234.56", 1234.56)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(5, 5, id="int"),
        pytest.param(5.5, 5.5, id="float"),
        pytest.param(Decimal("5.50"), 5.5, id="decimal"),
        pytest.param("1.234,56", 1234.56, id="german"),
        pytest.param("1 234.56", 1234.56, id="space and point"),
        pytest.param("30 days", 30, id="unit"),
        pytest.param("thirty (30) days", 30, id="words"),
        pytest.param("(500)", -500, id="accounts"),
        pytest.param("30 to 40 days", None, id="two numbers"),
        pytest.param("none", None, id="no number"),
        pytest.param(True, None, id="true is not 1"),
        pytest.param(math.nan, None, id="nan"),
        pytest.param("-inf", None, id="infinite, in words"),
        pytest.param(math.inf, None, id="infinite"),
        pytest.param(None, None, id="nothing"),
        pytest.param([5], None, id="list"),
    ],
)
def test_number_is_normalised(raw: object, expected: float | None) -> None:
    assert normalised(FieldType.NUMBER, raw) == expected


@given(
    st.decimals(-10_000_000, 10_000_000, places=2).filter(lambda value: value % 1),
    st.sampled_from(LOCALES),
)
def test_number_of_any_country_is_found(value: Decimal, locale: str) -> None:
    written = format_decimal(value, "#,##0.00", locale=locale)

    assert found(FieldType.NUMBER, f"x: {written};") == [(written, float(value))]


@given(st.integers(-10_000_000, 10_000_000), st.sampled_from(LOCALES))
def test_whole_number_is_found_by_the_habit_of_its_country(value: int, locale: str) -> None:
    written = format_decimal(value, locale=locale)
    habit = COMMA if "," in format_decimal(0.5, locale=locale) else POINT

    assert found(FieldType.NUMBER, f"x: {written};", habit) == [(written, value)]


@given(st.text())
def test_no_text_is_read_as_anything_but_a_finite_number(text: str) -> None:
    for written, value in found(FieldType.NUMBER, text):
        assert written
        assert not isinstance(value, bool | str)
        assert math.isfinite(value)


@pytest.mark.parametrize("habit", [Habit(), COMMA, POINT])
def test_empty_text_has_no_number(habit: Habit) -> None:
    assert found(FieldType.NUMBER, "", habit) == []


def test_number_is_the_only_one_or_none() -> None:
    assert [only_number({5}), only_number({5, 6}), only_number(set())] == [5, None, None]


def test_number_of_json_is_whole_where_it_can_be() -> None:
    assert repr(json_number(30.0)) == "30"
