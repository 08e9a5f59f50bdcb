from decimal import Decimal

import pytest
from babel.numbers import format_currency
from hypothesis import given
from hypothesis import strategies as st

from extraction.types import FieldType, Habit
from tests.extraction.values.fields import COMMA, NO_HABIT, POINT, found, normalised


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("US$ 2.5 million", [("US$ 2.5 million", 2_500_000)], id="million"),
        pytest.param("EUR 1.234,56", [("EUR 1.234,56", 1234.56)], id="code"),
        pytest.param("RM 60.30", [("RM 60.30", 60.3)], id="ringgit"),
        pytest.param("Total RM60", [("RM60", 60)], id="joined"),
        pytest.param("1.234,56 €", [("1.234,56 €", 1234.56)], id="sign behind"),
        pytest.param("1 234,56 €", [("1 234,56 €", 1234.56)], id="space"),
        pytest.param("1.234 €", [("1.234 €", 1234)], id="money has no three decimals"),
        pytest.param("£(1,234)", [("£(1,234)", -1234)], id="parentheses"),
        pytest.param("($1,234)", [("($1,234)", -1234)], id="sign in parentheses"),
        pytest.param("five dollars ($5)", [("five dollars", 5), ("($5)", 5)], id="said again"),
        pytest.param("$-5.00", [("$-5.00", -5)], id="minus behind the sign"),
        pytest.param("-$5.00", [("-$5.00", -5)], id="minus before the sign"),
        pytest.param("RM-5.00", [("RM-5.00", -5)], id="minus behind letters"),
        pytest.param("$5m", [("$5m", 5_000_000)], id="letter of millions"),
        pytest.param("€3bn", [("€3bn", 3_000_000_000)], id="billions"),
        pytest.param("Rs. 319", [("Rs. 319", 319)], id="dot"),
        pytest.param("CHF 1’234.—", [("CHF 1’234.—", 1234)], id="swiss"),
        pytest.param("R1 234.56", [("R1 234.56", 1234.56)], id="rand"),
        pytest.param("5 million US dollars", [("5 million US dollars", 5_000_000)], id="name"),
        pytest.param("10 € 20 €", [("10 €", 10), ("20 €", 20)], id="each its own"),
        pytest.param("5 $6", [("$6", 6)], id="the sign is joined to the other"),
        pytest.param("TOTAL 60.30", [("60.30", 60.3)], id="no currency, two decimals"),
        pytest.param("6.00% 1.50 kg 7 1.2.30", [], id="no money"),
    ],
)
def test_amounts_are_found(text: str, expected: list[tuple[str, float]]) -> None:
    assert found(FieldType.CURRENCY, text) == expected


@pytest.mark.parametrize(
    ("habit", "expected"),
    [
        pytest.param(COMMA, 1234, id="comma"),
        pytest.param(POINT, 1.234, id="point"),
        pytest.param(NO_HABIT, 1234, id="none"),
    ],
)
def test_habit_decides_what_is_ambiguous(habit: Habit, expected: float) -> None:
    assert found(FieldType.CURRENCY, "€ 1.234", habit) == [("€ 1.234", expected)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(60.3, 60.3, id="float"),
        pytest.param("RM 60.30", 60.3, id="text"),
        pytest.param("60", 60, id="bare"),
        pytest.param("USD 1 234.50", 1234.5, id="space"),
        pytest.param("$5 or $6", None, id="two"),
        pytest.param("free", None, id="none"),
        pytest.param(True, None, id="bool"),
        pytest.param(float("inf"), None, id="infinite"),
    ],
)
def test_amount_is_normalised(raw: object, expected: float | None) -> None:
    assert normalised(FieldType.CURRENCY, raw) == expected


@given(
    st.decimals("0.01", 10_000_000, places=2),
    st.sampled_from(("en_US", "en_GB", "de_DE", "fr_FR", "nl_NL", "it_IT", "es_ES", "pl_PL")),
    st.sampled_from(("EUR", "USD", "GBP", "CHF")),
)
def test_amount_of_any_country_is_found(value: Decimal, locale: str, currency: str) -> None:
    written = format_currency(value, currency, locale=locale)

    assert [amount for _, amount in found(FieldType.CURRENCY, f"({written}")] == [float(value)]
