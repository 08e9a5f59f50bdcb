"""What speaks for a mention being the value that a field asks for, as numbers.

* meaning: the share of what the field means that the label means too
* foreign: how many things a label in its own row means that the field does not, 2 or more are 1
* precision: the share of the label's words that are words of the field
* unmet: the share of what is special about the field's name of which nothing is said around
* said: the same as meaning, of the whole sentence or row
* context: the share of the words of name and description that its sentence has
* column: 1 where the head of its column means what the field means, -1 where something else
* after: the same of the words right behind it ("29.99 incl. VAT")
* defined: the words right behind it are a word of the field's name, as in 'Ann Lee ("Tenant")'
* early: how near it is to the beginning of its source
* form: how much it looks like what its finder looks for
* alone: 1 over how many different values there are
* largest, settled, adds_up: of an amount, see `amounts`
* followed: an address stands below it, as below the name of its owner
* nearness: of its sentence to the field, by their vectors
"""

import math

from extraction.built_in.concepts import Concept, concepts
from extraction.built_in.mentions import Mention
from extraction.built_in.wanted import Wanted
from indexing.terms import terms

NAMES = (
    "meaning",
    "foreign",
    "precision",
    "unmet",
    "said",
    "context",
    "column",
    "after",
    "defined",
    "early",
    "form",
    "alone",
    "largest",
    "settled",
    "adds_up",
    "followed",
    "nearness",
)

EARLY_SCALE = 6.0
"""Passages: one that stands so far from the beginning counts for 1 / e."""

Signs = dict[str, float]


def read_signs(wanted: Wanted, mention: Mention, order: int) -> Signs:
    """Return the signs that need only the mention; `order` counts the passages before it."""
    around = mention.around
    label, column, after = (concepts(one) for one in (around.label, around.column, around.after))
    sentence_terms = around.sentence_terms
    return {
        "meaning": _coverage(wanted, label),
        "foreign": min(1.0, len(concepts(around.own_label) - wanted.concepts.keys()) / 2),
        "precision": _share(around.label_terms, wanted.terms),
        "unmet": _unmet(wanted, label | column | after, around.label_terms | sentence_terms),
        "said": _coverage(wanted, concepts(around.sentence)),
        "context": _share(wanted.terms, sentence_terms),
        "column": _agreement(wanted, column),
        "after": _agreement(wanted, after),
        "defined": float(not wanted.name_terms.isdisjoint(terms(around.definition))),
        "early": math.exp(-order / EARLY_SCALE),
        "form": mention.form,
    }


def _coverage(wanted: Wanted, said: frozenset[Concept]) -> float:
    whole = sum(wanted.concepts.values())
    return sum(wanted.concepts.get(concept, 0.0) for concept in said) / whole if whole else 0.0


def _unmet(wanted: Wanted, said: frozenset[Concept], words: frozenset[str]) -> float:
    of = len(wanted.special) + len(wanted.unknown_terms)
    missing = len(wanted.special - said) + len(wanted.unknown_terms - words)
    return missing / of if of else 0.0


def _agreement(wanted: Wanted, said: frozenset[Concept]) -> float:
    if not said:
        return 0.0
    return 1.0 if said & wanted.concepts.keys() else -1.0


def _share(of: frozenset[str], among: frozenset[str]) -> float:
    return len(of & among) / len(of) if of else 0.0
