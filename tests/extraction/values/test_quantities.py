from decimal import Decimal

import pytest

from extraction.values.quantities import number, quantities, with_sign
from tests.extraction.values.fields import NO_HABIT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("2.5 million", ["2500000"], id="million"),
        pytest.param("3 Mio. Stück", ["3000000"], id="short million"),
        pytest.param("1.2k", ["1200"], id="k"),
        pytest.param("5 km", ["5"], id="no k"),
        pytest.param("10 lakh, 2 crore", ["1000000", "20000000"], id="indian"),
        pytest.param("3億円", ["300000000"], id="japanese"),
        pytest.param("12½", ["12.5"], id="fraction sign"),
        pytest.param("12 1/2", ["12.5"], id="written fraction"),
        pytest.param("4/3", ["4", "3"], id="no fraction"),
        pytest.param("thirty (30) days", ["30"], id="said twice"),
        pytest.param("two three (3)", ["3"], id="only the digits are a number"),
        pytest.param("2018-12-25 14:33 07-350-740", [], id="date, time, telephone"),
        pytest.param("INV-2024-001 A12 12B34", [], id="identifiers"),
        pytest.param("RM60 USD-5", ["60", "5"], id="joined to a currency"),
        pytest.param("TOTAL60.30", ["60.30"], id="cents, the space was lost"),
        pytest.param("2-3 weeks", ["2", "3"], id="range"),
    ],
)
def test_quantities_are_found(text: str, expected: list[str]) -> None:
    sizes = [quantity.size for quantity in quantities(text, NO_HABIT)]

    assert sizes == [Decimal(size) for size in expected]


@pytest.mark.parametrize(
    ("text", "expected", "value"),
    [
        pytest.param("at -5 degrees", "-5", -5, id="minus"),
        pytest.param("from 2-5", "2", 2, id="range"),
        pytest.param("sum 100.00-", "100.00-", -100, id="minus behind"),
        pytest.param("Net loss (1,234)", "(1,234)", -1234, id="accounts"),
        pytest.param("dollars ($1,234)", "1,234", 1234, id="said again"),
        pytest.param("see note (5)", "(5)", 5, id="number of a list"),
        pytest.param("(2018)", "(2018)", -2018, id="nothing else is there"),
        pytest.param("Smith (2018)", "(2018)", 2018, id="year"),
        pytest.param("(555) 1234567", "(555)", 555, id="telephone"),
    ],
)
def test_sign_is_found(text: str, expected: str, value: int) -> None:
    quantity = next(quantities(text, NO_HABIT))

    start, end, signed = with_sign(text, quantity, quantity.start, quantity.end)

    assert (text[start:end], signed) == (expected, value)


def test_whole_numbers_have_no_point() -> None:
    assert repr([number(Decimal("30.0")), number(Decimal("30.5"))]) == "[30, 30.5]"
