import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.types import FieldType, Habit
from extraction.values.currencies import is_short_mark, marks_of, resolve
from extraction.values.currency_names import currency_codes
from tests.extraction.values.fields import NO_HABIT, found, normalised


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("RM60.30", [("RM", "MYR")], id="joined"),
        pytest.param("Rs. 500", [("Rs", "INR")], id="rupees"),
        pytest.param("US$ 5, US $5", [("US$", "USD"), ("US $", "USD")], id="US dollars"),
        pytest.param("C$5 A$5 HK$5", [("C$", "CAD"), ("A$", "AUD"), ("HK$", "HKD")], id="others"),
        pytest.param("in US dollars", [("US dollars", "USD")], id="name"),
        pytest.param("in U.S. Dollars", [("U.S. Dollars", "USD")], id="dots"),
        pytest.param("Schweizer Franken", [("Schweizer Franken", "CHF")], id="german"),
        pytest.param("livres sterling", [("livres sterling", "GBP")], id="french"),
        pytest.param("Betrag in EUR", [("EUR", "EUR")], id="code"),
        pytest.param("ALL 5 TRY", [], id="words"),
        pytest.param("ALL 500", [("ALL", "ALL")], id="a word beside an amount"),
        pytest.param("SDN BHD (123456-K) BHD 12.500", [("BHD", "BHD")], id="a company"),
        pytest.param("10.00 SVC", [], id="a charge"),
        pytest.param("HELADEF1GEL", [], id="in a code"),
        pytest.param("R 5 and R 5.00", [("R", "ZAR")], id="rand"),
        pytest.param("5 kr", [], id="crowns of nobody knows where"),
    ],
)
def test_currencies_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(FieldType.CURRENCY_SYMBOL, text) == expected


@pytest.mark.parametrize(
    ("text", "own", "expected"),
    [
        pytest.param("$ 5", "CAD", "CAD", id="canadian"),
        pytest.param("$ 5", "EUR", "USD", id="not among the dollars"),
        pytest.param("5 kr", "SEK", "SEK", id="swedish"),
        pytest.param("¥ 5", "CNY", "CNY", id="yuan"),
        pytest.param("Rs 5", "PKR", "PKR", id="pakistan"),
        pytest.param("US$ 5", "CAD", "USD", id="certain"),
    ],
)
def test_document_decides_what_is_ambiguous(text: str, own: str, expected: str) -> None:
    [(_, code)] = found(FieldType.CURRENCY_SYMBOL, text, Habit(currency=own))

    assert code == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("EUR", "EUR", id="code"),
        pytest.param("eur", "EUR", id="small"),
        pytest.param("DEM", "DEM", id="of the past"),
        pytest.param("€", "EUR", id="sign"),
        pytest.param("Rs.", "INR", id="abbreviation"),
        pytest.param("RM", "MYR", id="letters"),
        pytest.param("Euro (€)", "EUR", id="twice the same"),
        pytest.param("EUR or USD", None, id="two"),
        pytest.param("XXX", None, id="no money"),
        pytest.param("money", None, id="no currency"),
        pytest.param("", None, id="empty"),
        pytest.param(5, None, id="number"),
    ],
)
def test_currency_is_normalised(raw: object, expected: str | None) -> None:
    assert normalised(FieldType.CURRENCY_SYMBOL, raw) == expected


@given(st.text())
def test_nothing_but_codes_comes_out(text: str) -> None:
    codes = {code for _, code in found(FieldType.CURRENCY_SYMBOL, text)}

    assert codes <= currency_codes()


def test_marks_keep_all_they_may_stand_for() -> None:
    [mark] = marks_of("5 kr")

    assert (mark.start, mark.end) == (2, 4)
    assert {"SEK", "NOK", "DKK"} <= set(mark.currencies)
    assert resolve(mark.currencies, NO_HABIT) is None


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        pytest.param("ten US$ or 5 C$", ["US$", "C$"], id="signs with letters"),
        pytest.param("5 Swiss francs, 6 francs", ["Swiss francs", "francs"], id="a name once"),
        pytest.param("A CHARGE OF £5, cf. SUE", ["£"], id="words that begin as signs do"),
    ],
)
def test_marks_are_found_once_each(text: str, marks: list[str]) -> None:
    assert [text[mark.start : mark.end] for mark in marks_of(text)] == marks


def test_number_may_be_joined_to_a_currency_only() -> None:
    assert is_short_mark("RM")
    assert not is_short_mark("INV")
