import pytest

from agents.quantities import quantities, values


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        pytest.param("1250.5 EUR", "1,250.50 EUR", id="comma between thousands"),
        pytest.param("1,250.50 EUR", "1.250,5 EUR", id="point between thousands"),
        pytest.param("10 000 units", "10,000 units", id="blank between thousands"),
        pytest.param("10'000", "10\u202f000", id="other marks between thousands"),
        pytest.param("1.234", "1,234", id="thousands or decimals"),
        pytest.param("3.5 million", "3,500,000", id="power written out"),
        pytest.param("177,866 million", "in millions: 177,866", id="power named above a table"),
        pytest.param("5 metres", "5 m", id="unit that looks like a power"),
        pytest.param("12 days", "Twelve days", id="in words"),
        pytest.param("500 and 600", "500 600", id="side by side in a table"),
        pytest.param("007", "7", id="leading zeros"),
        pytest.param("FY2017, Q3", "2017, 3", id="glued to letters"),
        pytest.param("٢٠", "20", id="digits of another script"),
        pytest.param("31 March 2024", "2024-03-31", id="ISO date"),
        pytest.param("March 31, 2024", "31.03.2024", id="German date"),
        pytest.param("March 31st, 2024", "the 31st of March 2024", id="English dates"),
        pytest.param("3/31/2024", "31 März 2024", id="American date"),
        pytest.param("2024年3月31日", "31 mars 2024", id="Chinese date"),
    ],
)
def test_same_number_is_found_however_it_is_written(statement: str, source: str) -> None:
    found = quantities(statement)

    assert found
    assert all(one.values & values(source) for one in found)


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        pytest.param("1,350", "1,250", id="another digit"),
        pytest.param("19", "1900", id="part of another"),
        pytest.param("2.5", "25", id="point left out"),
        pytest.param("3.5 billion", "3.5 million", id="another power"),
        pytest.param("30 March 2024", "31 March 2024, 30 days", id="another day"),
        pytest.param("31 May 2024", "31 March 2024", id="another month"),
        pytest.param("2024-03-31", "31 March 2023, 2024", id="another year"),
        pytest.param("1.2.3", "1.2.4", id="another version"),
    ],
)
def test_another_number_is_not_taken_for_it(statement: str, source: str) -> None:
    assert not all(one.values & values(source) for one in quantities(statement))


def test_number_is_named_as_it_is_written() -> None:
    found = quantities("From 31 March 2024 the rent is 1,250.50 EUR; 30.2.2024 is no day.")

    assert [(one.written, one.is_date) for one in found] == [
        ("31 March 2024", True),
        ("1,250.50", False),
        ("30.2.2024", False),
    ]
