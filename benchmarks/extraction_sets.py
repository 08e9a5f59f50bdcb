"""Documents with known values of their fields: receipts, agreements and invoices."""

import hashlib
import json
import pickle
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from rapidfuzz import fuzz

from extraction.habits import read_habit
from extraction.types import FieldType, Habit, RequestedField, SourcePages, Value
from indexing.partition.formats import DocumentFormat
from indexing.partition.reader import open_document
from indexing.types import Page

DATA = Path(__file__).parents[2] / "shared" / "data" / "extraction"

SETS = ("sroie", "kleister_nda", "invoices")

ALIKE = 85
"""Of 100: texts at least this like are the same, recognition faults and punctuation aside."""

# Each field may be called one thing or another; what a set calls it comes first.
_FIELDS: dict[str, tuple[FieldType, tuple[tuple[str, str], ...]]] = {
    "company": (
        FieldType.TEXT,
        (
            ("company", "Name of the company that issued the receipt"),
            ("merchant_name", "The shop, restaurant or business the receipt is from"),
            ("Seller", ""),
        ),
    ),
    "address": (
        FieldType.TEXT,
        (
            ("address", "Address of the company that issued the receipt"),
            ("merchant_address", "Street, postcode and town of the shop"),
            ("Address of the seller", ""),
        ),
    ),
    "date": (
        FieldType.DATE,
        (
            ("date", "Date of the document"),
            ("Issued on", "The day on which it was issued"),
            ("invoice_date", ""),
        ),
    ),
    "total": (
        FieldType.CURRENCY,
        (
            ("total", "Total amount to be paid"),
            ("grand_total", "The amount due, with tax and after rounding"),
            ("Amount paid", ""),
        ),
    ),
    "effective_date": (
        FieldType.DATE,
        (
            ("effective_date", "Date on which the agreement takes effect"),
            ("Date of agreement", "When was the agreement made?"),
            ("effective date", ""),
        ),
    ),
    "jurisdiction": (
        FieldType.TEXT,
        (
            ("jurisdiction", "State under whose law the agreement stands"),
            ("governing_law", "The state whose laws govern the agreement"),
            ("Governing law", ""),
        ),
    ),
    "party": (
        FieldType.TEXT,
        (
            ("party", "Name of a party to the agreement"),
            ("contracting_party", "A company or person that enters into the agreement"),
            ("Party", ""),
        ),
    ),
    "term": (
        FieldType.TEXT,
        (
            ("term", "How long the obligations of the agreement last"),
            ("duration", "Term of the agreement, in years or months"),
            ("Term", ""),
        ),
    ),
    "invoice_number": (
        FieldType.ID_ALPHANUMERIC,
        (
            ("invoice_number", "Number of the invoice"),
            ("invoice id", "By which the invoice is identified"),
            ("Invoice no.", ""),
        ),
    ),
    "amount": (
        FieldType.CURRENCY,
        (
            ("amount", "Total amount of the invoice, with tax"),
            ("total_amount", "What has to be paid in all"),
            ("Invoice total", ""),
        ),
    ),
    "amount_untaxed": (
        FieldType.CURRENCY,
        (
            ("amount_untaxed", "Amount of the invoice without tax"),
            ("net_amount", "The sum before VAT"),
            ("Subtotal", ""),
        ),
    ),
    "issuer": (
        FieldType.TEXT,
        (
            ("issuer", "Company that issued the invoice"),
            ("supplier", "Who sends the invoice"),
            ("Vendor", ""),
        ),
    ),
    "currency": (
        FieldType.CURRENCY_SYMBOL,
        (
            ("currency", "Currency of the invoice"),
            ("currency_code", "The currency in which the amounts are"),
            ("Currency", ""),
        ),
    ),
}

_SET_FIELDS = {
    "sroie": ("company", "address", "date", "total"),
    "kleister_nda": ("effective_date", "jurisdiction", "party", "term"),
    "invoices": ("invoice_number", "date", "amount", "amount_untaxed", "issuer", "currency"),
}

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_OTHER_MONTHS = {
    **{"januari": 1, "maart": 3, "mei": 5, "augustus": 8, "oktober": 10, "mai": 5, "juillet": 7},
    **{"januar": 1, "märz": 3, "juni": 6, "juli": 7, "dezember": 12, "octobre": 10},
}
_NUMBERS = {"1": "one", "2": "two", "3": "three", "5": "five", "18": "eighteen"}
_SIGNS = {"EUR": "€", "INR": "Rs"}

DATE_WINDOW = 50
"""Characters between day, month and year, at most."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The value of a field, as people annotated it; any of several where a field has them."""

    name: str
    values: tuple[Value, ...]  # empty where the document has none
    written: tuple[str, ...]  # as the annotation writes them

    def accepts(self, value: Value | None) -> bool:
        """Tell whether a value is right."""
        if value is None or not self.values:
            return value is None and not self.values
        return any(_is_same(value, truth) for truth in self.values)

    def resembles(self, value: Value) -> bool:
        """Tell whether a value is right, or has the right one in it, or is a part of it."""
        if self.accepts(value) or not isinstance(value, str):
            return self.accepts(value)
        said = _letters(value)
        return any(
            fuzz.partial_ratio(said, _letters(str(way))) >= ALIKE
            for truth in self.values
            for way in (truth, *self.written)
        )


@dataclass(frozen=True, eq=False)
class LabelledDocument:
    """A document as the service reads it, and what is known of it."""

    id: str
    set_name: str
    source: SourcePages
    truths: tuple[Truth, ...]

    @cached_property
    def habit(self) -> Habit:
        """How it writes dates and numbers."""
        return read_habit(self.source.pages)

    @cached_property
    def text(self) -> str:
        """All that the reader found, whatever it made of it."""
        blocks = (block for page in self.source.pages for block in page.blocks)
        return "\n".join(f"{block.header}\n{block.text}" for block in blocks)

    @property
    def is_short(self) -> bool:
        """Tell whether it is made of lines, as a receipt or an invoice is, and not of prose."""
        return self.set_name != "kleister_nda"

    def holds(self, truth: Truth) -> bool:
        """Tell whether the text has the value in some way of writing it, or truly has none.

        This does not ask the extraction: it looks for the digits and letters.
        """
        if not truth.values:
            return True
        text = self.text
        if any(_letters(written) in _letters(text) for written in truth.written):
            return True
        match _FIELDS[truth.name][0]:
            case FieldType.DATE:
                return any(_holds_date(text, str(value)) for value in truth.values)
            case FieldType.CURRENCY_SYMBOL:
                return any(_SIGNS[str(value)] in text for value in truth.values)
            case FieldType.CURRENCY:
                return any(_letters(f"{value:.2f}") in _letters(text) for value in truth.values)
        return truth.name == "term" and any(_holds_term(text, one) for one in truth.written)


def requested(name: str, phrasing: int = 0) -> RequestedField:
    """Return a field as somebody would ask for it, in one of several ways."""
    kind, phrasings = _FIELDS[name]
    asked, description = phrasings[phrasing % len(phrasings)]
    return RequestedField(asked, description, kind)


def read_documents(data: Path, cache: Path | None) -> list[LabelledDocument]:
    """Read all sets by the service's own readers.

    Args:
        data: the folder of the sets.
        cache: a folder that keeps the pages by the content of their file, for the next time.
    """
    return [
        LabelledDocument(
            label["id"],
            name,
            SourcePages(
                label["id"], Path(label["file"]).name, _pages(data / name / label["file"], cache)
            ),
            tuple(_truth(field, label) for field in _SET_FIELDS[name]),
        )
        for name in SETS
        for label in _labels(data / name)
    ]


def _labels(folder: Path) -> Iterator[dict[str, object]]:
    with (folder / "ground_truth.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _pages(path: Path, cache: Path | None) -> Sequence[Page]:
    kept = cache and cache / f"{hashlib.sha256(path.read_bytes()).hexdigest()}.pickle"
    if kept and kept.exists():
        pages: Sequence[Page] = pickle.loads(kept.read_bytes())
        return pages
    is_pdf = path.suffix == ".pdf"
    pages = tuple(open_document(path, DocumentFormat.PDF if is_pdf else DocumentFormat.JPG).pages)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(pages))
    return pages


def _truth(name: str, label: dict[str, object]) -> Truth:
    fields, typed = label["fields"], label.get("typed", {})
    said = fields.get(name)
    written = said if isinstance(said, list) else [] if said is None else [said]
    values = [typed[name]] if typed.get(name) and name in ("date", "total") else written
    return Truth(name, tuple(values), tuple(map(str, written)))


def _is_same(value: Value, truth: Value) -> bool:
    if isinstance(truth, int | float):
        return isinstance(value, int | float) and abs(value - truth) < 0.005
    if not isinstance(value, str):
        return False
    one, other = _letters(value), _letters(truth)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", truth):
        return value == truth
    if any(map(str.isdigit, other)) and re.findall(r"\d", one) != re.findall(r"\d", other):
        return False
    return one == other or fuzz.ratio(one, other) >= ALIKE


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, folded))


def _holds_term(text: str, written: str) -> bool:
    """Tell whether a number of years or months stands there, in digits or in words."""
    number, _, unit = written.partition(" ")
    ways = rf"{number}|{_NUMBERS.get(number, number)}"
    return bool(re.search(rf"\b(?:{ways})\b.{{0,12}}?{unit[:4]}", text, re.IGNORECASE | re.DOTALL))


def _holds_date(text: str, value: str) -> bool:
    """Tell whether day, month and year stand together, in digits or with the month's name."""
    day = date.fromisoformat(value)
    names = [_MONTHS[day.month - 1], *(n for n, m in _OTHER_MONTHS.items() if m == day.month)]
    month = "|".join([rf"0?{day.month}(?!\d)", *(f"{n[:3]}" for n in names), *names])
    numeral = rf"(?<!\d)0?{day.day}(?!\d)"
    year = rf"(?<!\d)(?:{day.year}|{day.year % 100:02d})(?!\d)"
    between = rf".{{0,{DATE_WINDOW}}}?"
    parts = (numeral, rf"(?<![^\W_])(?:{month})", year)
    orders = ((0, 1, 2), (1, 0, 2), (2, 1, 0))
    return any(
        re.search(between.join(parts[n] for n in order), text, re.IGNORECASE | re.DOTALL)
        for order in orders
    )
