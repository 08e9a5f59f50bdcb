"""Which values may be the answer: those of the field's type, or of what a text field asks for."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from extraction.built_in.addresses import addresses
from extraction.built_in.concepts import Concept, concepts
from extraction.built_in.durations import durations
from extraction.built_in.jurisdictions import jurisdictions
from extraction.built_in.labelled import behind_labels, labelled, passages_of_text
from extraction.built_in.layout import Passage
from extraction.built_in.mentions import Mention
from extraction.built_in.organisations import organisations
from extraction.built_in.parties import parties
from extraction.built_in.wanted import Wanted
from extraction.fields import FIELD_KINDS
from extraction.types import SELECT_TYPES, FieldType, Habit, RequestedField

Finder = Callable[[Sequence[Passage]], Iterator[Mention]]

_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_PHONE = re.compile(r"\+?\(?\d[\d ()./-]{5,24}\d")


def emails(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield addresses of electronic mail."""
    return _matches(_EMAIL, passages)


def phone_numbers(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield what may be the number of a telephone."""
    return _matches(_PHONE, passages)


NAMES_ORGANISATION = frozenset(
    {Concept.SELLER, Concept.ORGANISATION, Concept.CUSTOMER, Concept.ROLE}
)
"""What a field asks for that asks for the name of a company, or of a person in its stead."""

MOST_MENTIONS = 20_000
"""Values of a kind that are looked at; so long a list has no labels that tell them apart."""

LONGEST_ANNOUNCED = 120
"""Characters of what stands behind a label and may be of the kind that is looked for."""

# The first row of which the field means one thing decides.
TEXTS: tuple[tuple[frozenset[Concept], Finder], ...] = (
    (frozenset({Concept.EMAIL}), emails),
    (frozenset({Concept.PHONE, Concept.FAX}), phone_numbers),
    (frozenset({Concept.ADDRESS}), addresses),
    (frozenset({Concept.LAW}), jurisdictions),
    (frozenset({Concept.PARTY}), parties),
    (NAMES_ORGANISATION, organisations),
    (frozenset({Concept.PERIOD}), durations),
)
# What a text field may ask for that is of another type; its text is as it stands on the page.
TYPED_TEXTS: tuple[tuple[frozenset[Concept], FieldType], ...] = (
    (frozenset({Concept.REGISTRATION, Concept.BANK}), FieldType.ID_ALPHANUMERIC),
    (frozenset({Concept.DATE, Concept.DUE}), FieldType.DATE),
    (frozenset({Concept.NUMBER}), FieldType.ID_ALPHANUMERIC),
    (frozenset({Concept.WEBSITE}), FieldType.URL),
    (frozenset({Concept.CURRENCY}), FieldType.CURRENCY_SYMBOL),
    (
        frozenset({Concept.TOTAL, Concept.NET, Concept.TAX, Concept.PRICE}),
        FieldType.CURRENCY,
    ),
)


class Finders:
    """Finds the values of each kind on some pages, once for all fields."""

    def __init__(self, passages: Sequence[Passage], habit: Habit) -> None:
        self._passages = passages
        self._habit = habit
        self._found: dict[str, list[Mention]] = {}

    def find(self, wanted: Wanted) -> tuple[str, list[Mention]]:
        """Return what is looked for, and every value that may be it, in reading order."""
        field = wanted.field
        if field.type in SELECT_TYPES:
            return field.type, list(islice(self._of_type(field.type, field), MOST_MENTIONS))
        if field.type is FieldType.VERBATIM:
            return passages_of_text.__name__, self._by(passages_of_text)
        if field.type is not FieldType.TEXT:
            return field.type, self._typed(field.type, field)
        for means, find in TEXTS:
            if wanted.means(*means):
                return find.__name__, [*self._by(find), *self._announced(wanted)]
        for means, kind in TYPED_TEXTS:
            if wanted.means(*means):
                return kind, [mention.as_text() for mention in self._typed(kind, field)]
        return labelled.__name__, self._by(labelled)

    def _announced(self, wanted: Wanted) -> Iterator[Mention]:
        """Yield what stands behind a label that means what the name of the field means."""
        for mention in self._by(behind_labels):
            if mention.end - mention.start <= LONGEST_ANNOUNCED and (
                wanted.special & concepts(mention.around.before)
            ):
                yield mention

    def _by(self, find: Finder) -> list[Mention]:
        kind = find.__name__
        if kind not in self._found:
            self._found[kind] = list(islice(find(self._passages), MOST_MENTIONS))
        return self._found[kind]

    def _typed(self, kind: FieldType, field: RequestedField) -> list[Mention]:
        if kind not in self._found:
            self._found[kind] = list(islice(self._of_type(kind, field), MOST_MENTIONS))
        return self._found[kind]

    def _of_type(self, kind: FieldType, field: RequestedField) -> Iterator[Mention]:
        find = FIELD_KINDS[kind].find
        for passage in self._passages:
            for found in find(passage.text, field, self._habit):
                yield Mention(passage, found.start, found.end, found.value)


def _matches(pattern: re.Pattern[str], passages: Sequence[Passage]) -> Iterator[Mention]:
    for passage in passages:
        for match in pattern.finditer(passage.text):
            yield Mention(passage, match.start(), match.end(), match[0])
