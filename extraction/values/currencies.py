"""Find which currency a text speaks of, and write it as ISO 4217."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from extraction.types import Found, Habit, RequestedField
from extraction.values.currency_names import (
    ABBREVIATIONS,
    COMMON_CODES,
    SIGNS,
    Currencies,
    currency_codes,
    currency_names,
)
from extraction.values.writing import plain

_ABBREVIATIONS = {plain(word): currencies for word, currencies in ABBREVIATIONS.items()}
_SMALL_CODES = frozenset({"usd", "eur", "gbp", "chf", "jpy", "inr", "cad", "aud", "myr", "Eur"})


def _any_of(signs: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(signs, key=len, reverse=True)))


_LED_BY_LETTERS = [sign for sign in SIGNS if sign[0].isascii() and sign[0].isalpha()]
_FIRST_OF_SIGNS = re.escape("".join(sorted({sign[0] for sign in SIGNS})))
_MARK = re.compile(
    # A look at the first character spares most words from being compared with every sign.
    # Letters belong to a sign only where no other letter is joined to them.
    rf"(?=[{_FIRST_OF_SIGNS}])"
    rf"(?P<sign>(?<![^\W\d_])(?:{_any_of(_LED_BY_LETTERS)}|US[ ]\$)|{_any_of(SIGNS)})"
    r"|(?P<word>[^\W\d_]+)"
)
_NAME = re.compile(r"[^\W\d_]+(?:[\s.'-]{1,3}[^\W\d_]+){0,5}")
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBER_BEFORE = re.compile(r"(?<![^\W\d_])\d[\d.,]*-{0,2}[ \u00a0]?$")
_NUMBER_BEHIND = re.compile(r"\.?[ \u00a0]?[-(]{0,2}\.?\d(?!\w*[^\W\d_])")
# Where a mark is a word as well, the number has to look like money.
_AMOUNT_BEFORE = re.compile(r"(?<![^\W\d_.,])(?:[\d.,' ]*\d[.,]\d\d\d?|\d{3,})[ \u00a0]?$")
_AMOUNT_BEHIND = re.compile(r"\.?[ \u00a0]?-?\d(?:[\d', \u00a0]*[.,](?:\d\d|-)|\d\d)")
_CENTS_BEHIND = re.compile(r"\.?[ \u00a0]?-?\d[\d', \u00a0]*[.,](?:\d\d(?!\d)|-)")
# On receipts the charge for service, in spite of the colón of El Salvador.
_OTHERWISE = frozenset({"SVC"})
# A letter and an abbreviation of Friday.
_NEED_CENTS = frozenset({"R", "P", "Fr"})
# Malaysian companies end so; it is no dinar of Bahrain.
_COMPANY = re.compile(r"\bsdn\b\W{1,2}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign, code or name of a currency in a text."""

    start: int
    end: int
    currencies: Currencies  # that it may stand for


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the currencies that a text marks, those of amounts among them."""
    marks = ((mark, resolve(mark.currencies, habit)) for mark in marks_of(plain(text)))
    return [Found(mark.start, mark.end, code) for mark, code in marks if code]


def normalise(raw: object, field: RequestedField, habit: Habit) -> str | None:
    """Return the ISO 4217 code that was meant, where one alone was."""
    if not isinstance(raw, str):
        return None
    text = plain(raw).strip(" .")
    if text.upper() in currency_codes():
        return text.upper()
    if currencies := SIGNS.get(text.replace(" ", "")) or _ABBREVIATIONS.get(text):
        return resolve(currencies, habit)
    codes = {str(found.value) for found in find(raw, field, habit)}
    return codes.pop() if len(codes) == 1 else None


def resolve(currencies: Currencies, habit: Habit) -> str | None:
    """Return which of the currencies is meant: the document's own, else the usual one."""
    if habit.currency in currencies:
        return habit.currency
    return currencies[0] or None


def marks_of(text: str) -> Iterator[Mark]:
    """Yield the marks of currencies in a `plain` text, left to right."""
    position = 0
    known = _known_words()
    for match in _MARK.finditer(text):
        word = match["word"]
        if match.start() < position or (word and word.lower() not in known):
            continue
        if mark := _word(match) if word else _sign(match):
            yield mark
            position = mark.end


@cache
def _known_words() -> frozenset[str]:
    """The words that a mark may begin with, in small letters; few of a text are among them."""
    codes = (code.lower() for code in currency_codes())
    letters = (word.lower() for word in (*_ABBREVIATIONS, *_SMALL_CODES))
    return frozenset({*currency_names(), *codes, *letters})


def is_short_mark(word: str) -> bool:
    """Tell whether a number may be joined to the word, as in RM60.30."""
    return word in _ABBREVIATIONS or word in currency_codes() or word in _SMALL_CODES


def _sign(match: re.Match[str]) -> Mark:
    return Mark(match.start(), match.end(), SIGNS[match["sign"].replace(" ", "")])


def _word(match: re.Match[str]) -> Mark | None:
    names = currency_names().get(match["word"].lower())
    return (_name(match, names) if names else None) or _abbreviation(match)


def _name(match: re.Match[str], names: dict[tuple[str, ...], Currencies]) -> Mark | None:
    """Return the longest of the names that stands where the match begins."""
    run = _NAME.match(match.string, match.start())
    words = list(_LETTERS.finditer(run.group())) if run else []
    for count in range(len(words), 0, -1):
        if currencies := names.get(tuple(word.group().lower() for word in words[:count])):
            return Mark(match.start(), match.start() + words[count - 1].end(), currencies)
    return None


def _abbreviation(match: re.Match[str]) -> Mark | None:
    word = match["word"]
    code = word.upper() if word in currency_codes() or word in _SMALL_CODES else ""
    currencies = _ABBREVIATIONS.get(word) or ((code,) if code else ())
    if not currencies or word in _OTHERWISE or _is_company(match):
        return None
    return Mark(*match.span(), currencies) if word in COMMON_CODES or _is_beside(match) else None


def _is_beside(match: re.Match[str]) -> bool:
    """Tell whether the word stands beside a number such as it stands for money beside."""
    text, word, (start, end) = match.string, match["word"], match.span()
    if word in _NEED_CENTS:
        return bool(_CENTS_BEHIND.match(text, end))
    known = word in _ABBREVIATIONS or word in _SMALL_CODES
    behind = _NUMBER_BEHIND if known else _AMOUNT_BEHIND
    before = _NUMBER_BEFORE if known else _AMOUNT_BEFORE
    return bool(behind.match(text, end) or before.search(text, max(0, start - 16), start))


def _is_company(match: re.Match[str]) -> bool:
    return match["word"] == "BHD" and bool(
        _COMPANY.search(match.string, max(0, match.start() - 6), match.start())
    )
