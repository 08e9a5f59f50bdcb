import time

import pytest

from extraction.habits import read_habit
from extraction.types import Habit
from indexing.types import Block, BlockKind, Page


@pytest.mark.parametrize(
    ("text", "day_first"),
    [
        pytest.param("25/12/2018 and 05/06/2018", True, id="a day above twelve"),
        pytest.param("12/25/2018, 1 May 2018, RM 5", False, id="before names and currency"),
        pytest.param("05/06/2018 on May 5, 2018", False, id="names of months"),
        pytest.param("05/06/2018 on 5 May 2018, $ 5", True, id="names before currency"),
        pytest.param("05/06/2018: $ 5.00", False, id="US dollars"),
        pytest.param("05/06/2018: RM 5.00", True, id="another currency"),
        pytest.param("05/06/2018: 1.234,50", True, id="comma"),
        pytest.param("05/06/2018: 1,234.50", None, id="nothing to tell"),
        pytest.param("25/12/2018, 12/25/2018", None, id="both"),
    ],
)
def test_order_of_dates_is_learnt(text: str, day_first: bool | None) -> None:
    assert read_habit(pages(text)).day_first is day_first


@pytest.mark.parametrize(
    ("text", "decimal_comma"),
    [
        pytest.param("1.234,56 and 5.000", True, id="comma"),
        pytest.param("1,234.56 and 5,000", False, id="point"),
        pytest.param("12,50 12,60 12.70", True, id="most"),
        pytest.param("1,234 and 1.234", None, id="ambiguous"),
        pytest.param("on 25.12.2018", None, id="date"),
    ],
)
def test_decimal_sign_is_learnt(text: str, decimal_comma: bool | None) -> None:
    assert read_habit(pages(text)).decimal_comma is decimal_comma


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        pytest.param("$ 5, $ 6, prices in CAD", "CAD", id="dollars of Canada"),
        pytest.param("US$ 5, € 5, € 6", "EUR", id="most"),
        pytest.param("$ 5 and $ 6", "USD", id="usual"),
        pytest.param("5 kr, Bankgiro 123-4567", "SEK", id="swedish"),
        pytest.param("5 kr ekskl. mva", "NOK", id="norwegian"),
        pytest.param("5 kr, CVR 12345678", "DKK", id="danish"),
        pytest.param("5 kr", None, id="crowns of nobody knows where"),
        pytest.param("no money", None, id="none"),
    ],
)
def test_currency_is_learnt(text: str, currency: str | None) -> None:
    assert read_habit(pages(text)).currency == currency


def test_all_pages_and_headers_are_read() -> None:
    table = Page(2, (Block(BlockKind.TABLE, "5,00", header="EUR"),))

    assert read_habit([*pages("25/12/2018"), table]) == Habit(True, True, "EUR")


def test_figures_are_found_among_many_words() -> None:
    prose = "whereas the parties agree to what follows " * 50
    text = f"{prose}Paid on the {prose}2024-01-02, May {prose} 5 {prose}twenty-fifth of May, 2024"

    assert read_habit(pages(f"{text}{prose}1.234,50 {prose}")) == Habit(True, True, None)
    assert read_habit(pages(f"{prose}25 {prose}/12/2018{prose}")) == Habit()


def test_nothing_is_learnt_from_nothing() -> None:
    assert read_habit([]) == Habit()


def test_groups_of_digits_without_end_take_no_time() -> None:
    began = time.process_time()

    assert read_habit(pages("333 " * 100_000)).decimal_comma is None
    # Gone through from each of them, they would take minutes.
    assert time.process_time() - began < 10


def pages(text: str) -> list[Page]:
    return [Page(1, (Block(BlockKind.TEXT, text),))]
