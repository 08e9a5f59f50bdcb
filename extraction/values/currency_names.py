"""What currencies are called: their ISO 4217 codes, signs, abbreviations and names."""

import re
from collections.abc import Mapping
from functools import cache

from babel import Locale
from babel.numbers import get_currency_name, get_territory_currencies, list_currencies

from extraction.values.writing import folded

Currencies = tuple[str, ...]
"""The ISO 4217 codes that a mark may stand for; the first is taken where nothing tells more.

It is "" where none of them is usual enough to be taken so.
"""

_DOLLARS = (
    *("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "JMD", "BSD"),
    *("BBD", "BMD", "BND", "BZD", "FJD", "GYD", "KYD", "LRD", "NAD", "SBD", "SRD", "TTD", "XCD"),
)
_CROWNS = ("", "SEK", "NOK", "DKK", "ISK", "CZK")
_FRANCS = ("CHF", "FRF", "BEF", "XOF", "XAF", "XPF")
_PESOS = ("", "MXN", "ARS", "CLP", "COP", "PHP", "UYU", "DOP", "CUP")
_POUNDS = ("GBP", "EGP", "GIP", "FKP", "LBP")
_RUPEES = ("INR", "PKR", "LKR", "NPR", "MUR", "SCR")

SIGNS: dict[str, Currencies] = {
    **{"$": _DOLLARS, "€": ("EUR",), "£": _POUNDS, "¥": ("JPY", "CNY"), "₹": ("INR",)},
    **{"US$": ("USD",), "$US": ("USD",), "C$": ("CAD",), "CA$": ("CAD",), "CAN$": ("CAD",)},
    **{"CDN$": ("CAD",), "$CA": ("CAD",), "$CAN": ("CAD",), "A$": ("AUD",), "AU$": ("AUD",)},
    **{"NZ$": ("NZD",), "HK$": ("HKD",), "S$": ("SGD",), "SG$": ("SGD",), "NT$": ("TWD",)},
    **{"R$": ("BRL",), "MX$": ("MXN",), "J$": ("JMD",), "EC$": ("XCD",), "TT$": ("TTD",)},
    **{"N$": ("NAD",), "B$": ("BND",), "CN¥": ("CNY",), "JP¥": ("JPY",), "E£": ("EGP",)},
    **{"₩": ("KRW",), "₪": ("ILS",), "₫": ("VND",), "฿": ("THB",), "₦": ("NGN",)},
    **{"₱": ("PHP",), "₽": ("RUB",), "₺": ("TRY",), "₴": ("UAH",), "₸": ("KZT",)},
    **{"₲": ("PYG",), "₵": ("GHS",), "₡": ("CRC",), "₭": ("LAK",), "₮": ("MNT",)},
    **{"₾": ("GEL",), "₼": ("AZN",), "元": ("CNY",), "円": ("JPY",), "원": ("KRW",)},
}
"""Marks that have a character of their own, with the letters that tell them apart."""

ABBREVIATIONS: dict[str, Currencies] = {
    **{"RM": ("MYR",), "Rs": _RUPEES, "RS": _RUPEES, "Rp": ("IDR",)},
    **{"R": ("ZAR",), "kr": _CROWNS, "Kr": _CROWNS, "KR": _CROWNS, "zł": ("PLN",)},
    **{"zl": ("PLN",), "Kč": ("CZK",), "Ft": ("HUF",), "TL": ("TRY",), "lei": ("RON",)},
    **{"Fr": _FRANCS, "SFr": ("CHF",), "sFr": ("CHF",), "Sfr": ("CHF",), "DM": ("DEM",)},
    **{"Dhs": ("AED",), "KSh": ("KES",), "Ksh": ("KES",)},
    **{"руб": ("RUB",), "грн": ("UAH",), "лв": ("BGN",), "Php": ("PHP",), "P": ("PHP",)},
    **{"Bs": ("BOB",), "FCFA": ("XOF", "XAF")},
}
"""Short words in exactly this writing."""

COMMON_CODES = frozenset(
    {"USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "CNY", "INR", "MYR", "SGD", "HKD"}
    | {"KRW", "TWD", "THB", "IDR", "PHP", "VND", "SEK", "NOK", "DKK", "ISK", "PLN", "CZK", "HUF"}
    | {"BRL", "MXN", "ZAR", "ILS", "AED", "RUB", "UAH", "NGN", "KES", "PKR", "BGN", "RSD", "CLP"}
)
"""Codes that are hardly ever anything else, so they count wherever they stand."""

_COMMON_NAMES: dict[str, Currencies] = {
    **dict.fromkeys(("dollar", "dollars", "dólares"), _DOLLARS),
    **dict.fromkeys(("pound", "pounds"), _POUNDS),
    **dict.fromkeys(("pound sterling", "pounds sterling", "sterling"), ("GBP",)),
    **dict.fromkeys(("rupee", "rupees"), _RUPEES),
    **dict.fromkeys(("ringgit", "ringgits", "ringgit malaysia"), ("MYR",)),
    **dict.fromkeys(("franc", "francs", "franken", "franchi"), _FRANCS),
    **dict.fromkeys(("krona", "kronor", "krone", "kroner", "kronen", "crowns"), _CROWNS),
    **dict.fromkeys(("peso", "pesos"), _PESOS),
    **dict.fromkeys(("euro", "euros"), ("EUR",)),
    **dict.fromkeys(("renminbi", "rmb", "yuan"), ("CNY",)),
    **dict.fromkeys(("yen",), ("JPY",)),
    **dict.fromkeys(("zloty", "złoty", "złotych"), ("PLN",)),
    **dict.fromkeys(("rouble", "roubles", "ruble", "rubles", "rubel"), ("RUB",)),
    **dict.fromkeys(("u s dollar", "u s dollars", "united states dollars"), ("USD",)),
    **dict.fromkeys(("schweizer franken", "swiss franc", "swiss francs"), ("CHF",)),
    **dict.fromkeys(("deutsche mark",), ("DEM",)),
}
# Languages whose names of currencies are known.
_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "cs", "fi", "tr")
# By these numbers of pieces the names differ: as a heading, singular, and two kinds of plural.
_COUNTS = (None, 1, 2, 5)
# Precious metals, units of account, the codes for tests and for nothing.
_NO_MONEY = re.compile(r"X(?!AF|OF|PF|CD|CG)..")
_WORDS = re.compile(r"[^\W\d_]+")
# Names that are other words more often.
_OTHER_WORDS = frozenset({"mark", "real", "won", "rand", "sol", "som", "sum", "gold", "lira"})


@cache
def currency_codes() -> frozenset[str]:
    """Return every code of money that is or was in ISO 4217."""
    return frozenset(code for code in list_currencies() if not _NO_MONEY.fullmatch(code))


@cache
def codes_in_use() -> frozenset[str]:
    """Return the codes that are legal tender somewhere today."""
    territories = [code for code in map(str, Locale("en").territories) if len(code) == 2]
    return currency_codes() & {
        currency for territory in territories for currency in get_territory_currencies(territory)
    }


@cache
def currency_names() -> Mapping[str, dict[tuple[str, ...], Currencies]]:
    """Return the names of currencies, as folded words, below their first word."""
    names: dict[str, dict[tuple[str, ...], Currencies]] = {}
    for name, currencies in [*_names_by_babel(), *_COMMON_NAMES.items()]:
        words = name_words(name)
        if words and words != ("",) and not (len(words) == 1 and words[0] in _OTHER_WORDS):
            names.setdefault(words[0], {})[words] = currencies
    return names


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name as names are compared."""
    return tuple(_WORDS.findall(folded(name)))


def _names_by_babel() -> list[tuple[str, Currencies]]:
    return [
        (get_currency_name(code, count, locale=locale), (code,))
        # The first language has the last word.
        for locale in map(Locale, reversed(_LANGUAGES))
        for code in codes_in_use()
        for count in _COUNTS
    ]
