"""Learn from a document how it writes dates, numbers and money."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from extraction.types import Habit
from extraction.values import dates
from extraction.values.currencies import marks_of, resolve
from extraction.values.writing import folded, plain
from indexing.types import Page

# Numbers that can be read in one way only: cents behind one sign, thousands before the other.
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:[. ]\d{3}){1,8},\d{1,2}|\d+,\d\d?)(?![\d.,])")
_DECIMAL_POINT = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:[, ]\d{3}){1,8}\.\d{1,2}|\d+\.\d\d)(?![\d.,])"
)
_COUNTRY_OF_CROWNS = {
    "NOK": re.compile(r"\b(?:mva|norge|norway|kontonummer|kid-nummer)\b"),
    "DKK": re.compile(r"\b(?:cvr|danmark|denmark|ore)\b"),
    "SEK": re.compile(r"\b(?:bankgiro|plusgiro|momsreg|sverige|sweden|f-skatt)"),
    "ISK": re.compile(r"\b(?:kennitala|island|iceland)\b"),
}
_MONTH_FIRST_CURRENCIES = frozenset({"USD"})

# No number or date is longer than what is left beside its digits.
_FAR_FROM_DIGITS = re.compile(r"(?<!\D)(\D{80})\D+(\D{80})")


def read_habit(pages: Iterable[Page]) -> Habit:
    """Return how the pages of one document, or of a few alike, write what is ambiguous.

    Dates tell by those that have a day above 12, by whether days stand before the names of
    months, by their currency, and by the comma before decimals, in this order.
    """
    text = plain("\n".join(block_text for page in pages for block_text in _texts(page)))
    figures = _FAR_FROM_DIGITS.sub(r"\1\n\2", text)
    decimal_comma = _majority(_decimal_commas(figures))
    currency = _currency(text)
    day_first = _majority(dates.orders(figures))
    if day_first is None:
        day_first = _majority(dates.spelled_orders(figures))
    if day_first is None and currency:
        day_first = currency not in _MONTH_FIRST_CURRENCIES
    if day_first is None and decimal_comma:
        day_first = True
    return Habit(day_first=day_first, decimal_comma=decimal_comma, currency=currency)


def _texts(page: Page) -> Iterator[str]:
    for block in page.blocks:
        yield block.header
        yield block.text


def _decimal_commas(text: str) -> Iterator[bool]:
    yield from (True for _ in _DECIMAL_COMMA.finditer(text))
    yield from (False for _ in _DECIMAL_POINT.finditer(text))


def _majority(votes: Iterable[bool]) -> bool | None:
    """Return what most say; None where as many say the one as the other."""
    counts = Counter(votes)
    return None if counts[True] == counts[False] else counts[True] > counts[False]


def _currency(text: str) -> str | None:
    """Return the currency that is marked most often.

    Marks of one currency only decide which one the others stand for: in a document that says
    CAD once, every $ is Canadian.
    """
    marks = [mark.currencies for mark in marks_of(text)]
    certain = Counter(currencies[0] for currencies in marks if len(currencies) == 1)
    unclear = {code for currencies in marks if len(currencies) > 1 for code in currencies}
    if found := next((code for code, _ in certain.most_common() if code in unclear), None):
        return found
    if certain:
        return certain.most_common(1)[0][0]
    are_crowns = any(not _COUNTRY_OF_CROWNS.keys().isdisjoint(currencies) for currencies in marks)
    crown = Habit(currency=_crown(text) if are_crowns else None)
    usual = Counter(resolve(currencies, crown) for currencies in marks)
    del usual[None]
    return usual.most_common(1)[0][0] if usual else None


def _crown(text: str) -> str | None:
    """Return whose crowns a text means with "kr", by the words of its country."""
    text = folded(text)
    return next((code for code, words in _COUNTRY_OF_CROWNS.items() if words.search(text)), None)
