"""What a scripted model says of a document: the truth, or one of several kinds of lies."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from benchmarks.extraction_sets import LabelledDocument, Truth, requested
from benchmarks.scripted_extractor import Saying
from extraction.fields import FIELD_KINDS
from extraction.types import FieldType, RequestedField, Value
from indexing.evidence import page_text

PHRASINGS = 3


class Kind(StrEnum):
    """What the model does with a field."""

    TRUTH = "truth"
    SAME_DOCUMENT = "another value of the same document"
    OTHER_DOCUMENT = "the value of another document"
    INVENTED = "invented"


_ODDS = {Kind.SAME_DOCUMENT: 3, Kind.OTHER_DOCUMENT: 2, Kind.INVENTED: 2}

_NUMBERS = frozenset({FieldType.CURRENCY, FieldType.NUMBER, FieldType.PERCENTAGE})
_NAMES = ("Harbour", "Quillfeather", "Obermann", "Vastergaard", "Larkspur", "Tindale", "Moreno")
_LINE = re.compile(r"^.{6,60}$", re.MULTILINE)
_NAME = re.compile(r"[A-Z][a-z]+(?: (?:of|and|the|[A-Z][\w.]+)){0,3} [A-Z][\w.]+")
_FORMS = ("Holdings", "Trading Co.", "Sdn Bhd", "LLC", "Estates", "Logistics Inc.")


@dataclass(frozen=True, slots=True)
class Scripted:
    """A field, what is true of it, and what the model says."""

    field: RequestedField
    truth: Truth
    kind: Kind
    saying: Saying


class Author:
    """Writes what a model says of documents; the same for the same seed."""

    def __init__(self, documents: Sequence[LabelledDocument], seed: int) -> None:
        self.documents = documents
        self._random = random.Random(seed)
        self._found: dict[tuple[str, FieldType], list[tuple[Saying, Value]]] = {}

    def script(self, document: LabelledDocument, lies: float) -> list[Scripted]:
        """Return what is said of each field of a document, so many of them lies."""
        phrasing = self._random.randrange(PHRASINGS)
        return [self._scripted(document, truth, phrasing, lies) for truth in document.truths]

    def sayings_for(
        self, document: LabelledDocument, fields: Sequence[RequestedField]
    ) -> Iterator[tuple[str, Saying]]:
        """Yield for each field, by its name, some value of its type that the document has."""
        for field in fields:
            if found := self._values(document, field):
                yield field.name, self._random.choice(found)[0]

    def _scripted(
        self, document: LabelledDocument, truth: Truth, phrasing: int, lies: float
    ) -> Scripted:
        field = requested(truth.name, phrasing)
        if self._random.random() < lies:
            kinds = list(_ODDS)
            while kinds:
                kind = self._random.choices(kinds, [_ODDS[one] for one in kinds])[0]
                if saying := self._lie(document, truth, field, kind):
                    return Scripted(field, truth, kind, saying)
                kinds.remove(kind)
        return Scripted(field, truth, Kind.TRUTH, self._truth(document, truth))

    def _truth(self, document: LabelledDocument, truth: Truth) -> Saying:
        if not truth.values:
            return Saying(None)
        number = self._random.randrange(len(truth.values))
        said = self._random.choice((truth.values[number], truth.written[number]))
        return Saying(said, _line_with(document, truth.written[number]))

    def _lie(
        self, document: LabelledDocument, truth: Truth, field: RequestedField, kind: Kind
    ) -> Saying | None:
        """Return a lie of a kind, None where there is none for this field."""
        match kind:
            case Kind.SAME_DOCUMENT:
                found = self._values(document, field)
                wrong = [saying for saying, value in found if not truth.resembles(value)]
                return self._random.choice(wrong) if wrong else None
            case Kind.OTHER_DOCUMENT:
                others = [
                    Saying(value)
                    for other in self.documents
                    if other.set_name == document.set_name and other is not document
                    for one in other.truths
                    if one.name == truth.name
                    for value in one.values
                    if not truth.accepts(value)
                ]
                return self._random.choice(others) if others else None
        invented = self._invented(field.type, truth)
        return None if truth.accepts(invented) else Saying(invented)

    def _values(
        self, document: LabelledDocument, field: RequestedField
    ) -> Sequence[tuple[Saying, Value]]:
        """Return what a document has of a type, each with its line; of texts, names and lines."""
        key = (document.id, field.type)
        if key not in self._found:
            self._found[key] = list(_values_in(document, field))
        return self._found[key]

    def _invented(self, kind: FieldType, truth: Truth) -> Value:
        chance = self._random
        if kind in _NUMBERS:
            base = float(truth.values[0]) if truth.values else 100.0
            return round(base * chance.uniform(0.4, 2.5), 2)
        if kind is FieldType.DATE:
            day = date.fromisoformat(str(truth.values[0])) if truth.values else date(2010, 5, 5)
            return (day + timedelta(days=chance.randint(-700, 700))).isoformat()
        if kind is FieldType.CURRENCY_SYMBOL:
            return chance.choice(("CHF", "JPY", "SEK"))
        if kind is FieldType.ID_ALPHANUMERIC:
            return f"{chance.choice('ABCDEF')}{chance.randrange(10**6, 10**8)}"
        return f"{chance.choice(_NAMES)} {chance.choice(_NAMES)} {chance.choice(_FORMS)}"


def _values_in(document: LabelledDocument, field: RequestedField) -> Iterator[tuple[Saying, Value]]:
    for page in map(page_text, document.source.pages):
        if field.type is FieldType.TEXT:
            pattern = _LINE if document.is_short else _NAME
            spans = [(match.span(), match[0]) for match in pattern.finditer(page.text)]
        else:
            every = FIELD_KINDS[field.type].find(page.text, field, document.habit)
            spans = [((found.start, found.end), found.value) for found in every]
        for (start, end), value in spans:
            line = page.lines_of(start, end)[0]
            yield Saying(page.text[start:end], page.text[line.start : line.end]), value


def _line_with(document: LabelledDocument, written: str) -> str:
    lines = (line for line in document.text.split("\n") if written.casefold() in line.casefold())
    return next(lines, "")
