"""What a field asks for: the words of its name and description, and what they mean."""

from collections.abc import Mapping
from dataclasses import dataclass

from extraction.built_in.concepts import BASE, Concept, concepts, read
from extraction.types import FieldType, RequestedField
from indexing.terms import terms

NAME_WEIGHT = 1.0
DESCRIPTION_WEIGHT = 0.5
"""A description explains, and in explaining speaks of other things too."""

# They say that something is asked for, not what.
_WORDS_OF_NAMES = frozenset(
    terms("amount value name full text field gross final first last main rate percentage")
)

LONGEST_DESCRIPTION = 600  # characters that are looked at


@dataclass(frozen=True)
class Wanted:
    """A requested field, as it is compared with what stands on the pages."""

    field: RequestedField
    text: str  # name and description, to be embedded
    name_concepts: frozenset[Concept]
    concepts: Mapping[Concept, float]  # each with its weight
    name_terms: frozenset[str]
    terms: frozenset[str]
    unknown_terms: frozenset[str]  # the words of its name whose meaning is not known

    @property
    def special(self) -> frozenset[Concept]:
        """What its name means beyond what a document is about as a whole."""
        return self.name_concepts - BASE

    @property
    def asks_for_amount(self) -> bool:
        """Whether its value is a number or an amount of money."""
        return self.field.type in (FieldType.CURRENCY, FieldType.NUMBER)

    def means(self, *wanted: Concept) -> bool:
        """Tell whether the name means one of them; if it means nothing, the description."""
        return not (self.name_concepts or self.concepts.keys()).isdisjoint(wanted)


def read_field(field: RequestedField) -> Wanted:
    """Return what a field asks for."""
    description = field.description[:LONGEST_DESCRIPTION]
    name = read(field.name)
    named, described = concepts(name), concepts(description)
    if Concept.TOTAL in named:
        # What is paid is the total; what is handed over is labelled by the same words.
        described -= {Concept.PAID}
    weights = dict.fromkeys(described, DESCRIPTION_WEIGHT)
    weights |= dict.fromkeys(named, NAME_WEIGHT)
    name_terms = frozenset(terms(name))
    return Wanted(
        field=field,
        text=f"{name}: {description}",
        name_concepts=named,
        concepts=weights,
        name_terms=name_terms,
        terms=name_terms | frozenset(terms(description)),
        unknown_terms=frozenset(
            term for word in name.split() if not concepts(word) for term in terms(word)
        )
        - _WORDS_OF_NAMES,
    )
