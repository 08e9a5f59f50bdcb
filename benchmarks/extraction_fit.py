"""Fit what the built-in extractor weighs: its signs, and the share of right values by its score.

A conditional logit: of the mentions of a field, and that none is the answer, the right ones should
be likely together. The common weights and those of each kind that is looked for are fitted at once,
with a ridge that holds the latter near 0: only what the data shows often makes a difference. No
sign may count against what it speaks for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from benchmarks.calibrating import Floats
from benchmarks.extraction_sets import LabelledDocument, Truth, requested
from extraction.built_in.parties import MANY
from extraction.built_in.ranking import Embed, Reading
from extraction.built_in.scoring import NONE, Weights
from extraction.built_in.signs import NAMES
from extraction.habits import read_habit
from extraction.types import FieldType, RequestedField, Value

FURTHER_FIELDS = Path(__file__).parent / "extraction_fit_fields.yaml"

RIDGE = 0.5
OWN_RIDGE = 2.0
STEPS = 600
STEP = 0.08
LAST_STEPS = 0.6  # Behind this share of the steps they are a fifth as long.

ABSENT_WEIGHT = 0.5
"""Of a field that a whole set lacks, beside one that it has: there are many of them."""

ENOUGH_PARTIES = 2 / 3
"""F1 of the names in a value, from which on it counts as right to fit on."""

AGAINST = ("foreign", "unmet")
"""The signs that speak against a mention."""

SIDES = np.array([-1 if name in AGAINST else 1 for name in NAMES] + [0])


@dataclass(frozen=True, slots=True)
class Asked:
    """A field that a document is asked for, and what it is known to have."""

    field: RequestedField
    truth: Truth
    weight: float


@dataclass(frozen=True, slots=True)
class Example:
    """The mentions that a document has for a field, and which of them are right."""

    document: str
    kind: str
    signs: Floats  # a row for each mention, a column for each of NAMES
    right: Sequence[bool]
    weight: float


def party_field() -> RequestedField:
    """Return the field that asks for all parties in one text."""
    return RequestedField("parties", "Names of the parties to the agreement", FieldType.TEXT)


def asked_of(document: LabelledDocument) -> list[Asked]:
    """Return all fields that a document is asked for to fit on."""
    rows = yaml.safe_load(FURTHER_FIELDS.read_text("utf-8"))[document.set_name]
    truths = {truth.name: truth for truth in document.truths}
    phrasings = {name: 1 + sum(row.get("of") == name for row in rows) for name in truths}
    asked = [
        Asked(party_field() if name == "party" else requested(name), truth, 1 / phrasings[name])
        for name, truth in truths.items()
    ]
    for row in rows:
        field = RequestedField(row["name"], row["description"], FieldType(row["type"]))
        if name := row.get("of"):
            asked.append(Asked(field, truths[name], 1 / phrasings[name]))
        elif row.get("absent"):
            asked.append(Asked(field, Truth(row["name"], (), ()), ABSENT_WEIGHT))
        elif document.id in row["values"]:
            value = row["values"][document.id]
            known = () if value is None else (value,)
            asked.append(Asked(field, Truth(row["name"], known, tuple(map(str, known))), 1.0))
    return asked


def examples_of(document: LabelledDocument, embed: Embed, weights: Weights) -> list[Example]:
    """Return the shortlists of a document as examples; `weights` choose who is on them."""
    reading = Reading([document.source], read_habit(document.source.pages), embed, weights)
    asked = asked_of(document)
    return [
        Example(
            document.id,
            shortlist.kind,
            np.array([[sign.get(name, 0.0) for name in NAMES] for sign in shortlist.signs]).reshape(
                -1, len(NAMES)
            ),
            [is_right(one.truth, mention.value) for mention in shortlist.mentions],
            one.weight,
        )
        for one, shortlist in zip(
            asked, reading.shortlists([one.field for one in asked]), strict=True
        )
    ]


def is_right(truth: Truth, value: Value) -> bool:
    """Tell whether a value is right; of the names of parties most have to be."""
    if not truth.values:
        return False
    if truth.name != "party":
        return truth.accepts(value)
    hits, said, there = parties_right(truth, value)
    return 2 * hits / (said + there) >= ENOUGH_PARTIES


def parties_right(
    truth: Truth,
    value: Value | None,
    is_same: Callable[[str, str], bool] | None = None,
) -> tuple[int, int, int]:
    """Return how many names are right, how many are said, and how many there are."""
    names = str(value).split(MANY) if value is not None else []
    alike = is_same or (lambda name, party: Truth("party", (party,), (party,)).accepts(name))
    hits = sum(any(alike(name, str(party)) for name in names) for party in truth.values)
    return hits, len(names), len(truth.values)


def fit_weights(examples: Sequence[Example]) -> Weights:
    """Return the weights that make what is right likely, by Adam (arXiv:1412.6980)."""
    kinds = sorted({one.kind for one in examples if any(one.right)})
    rows, there, right = _padded(examples)
    own = np.array([[one.kind == kind for kind in kinds] for one in examples], dtype=float)
    uses = np.hstack([np.ones((len(examples), 1)), own])
    worth = np.array([one.weight for one in examples])
    ridge = np.array([RIDGE] + [OWN_RIDGE] * len(kinds))[:, None]
    weights = np.zeros((len(kinds) + 1, rows.shape[2]))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        logits = np.where(there, np.einsum("emf,ef->em", rows, uses @ weights), -np.inf)
        likely = _softmax(logits)
        wanted = _softmax(np.where(right, logits, -np.inf))
        pull = np.einsum("em,emf->ef", (likely - wanted) * worth[:, None], rows)
        gradient = uses.T @ pull + ridge * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        length = STEP if step < LAST_STEPS * STEPS else STEP / 5
        weights -= length * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weights = _on_their_sides(weights)
    names = (*NAMES, NONE)
    common, *rest = [
        {name: round(float(one), 3) for name, one in zip(names, row, strict=True)}
        for row in weights
    ]
    return Weights(common, dict(zip(kinds, rest, strict=True)))


def _on_their_sides(weights: Floats) -> Floats:
    """Return the weights, 0 where one would count against what its sign speaks for."""
    common = _on_side(weights[:1])
    return np.vstack([common, _on_side(weights[1:] + weights[:1]) - common])


def _on_side(weights: Floats) -> Floats:
    return np.where(SIDES == 0, weights, SIDES * np.maximum(SIDES * weights, 0))


def _padded(examples: Sequence[Example]) -> tuple[Floats, Floats, Floats]:
    """Return the signs of all mentions, which of them there are, and which are right.

    The last column of each example is that there is no answer; it is right where no mention is.
    """
    most = max(len(one.right) for one in examples) + 1
    rows = np.zeros((len(examples), most, len(NAMES) + 1))
    there, right = (np.zeros((len(examples), most), dtype=bool) for _ in range(2))
    rows[:, -1, -1] = 1
    there[:, -1] = True
    for number, one in enumerate(examples):
        count = len(one.right)
        rows[number, :count, :-1] = one.signs
        there[number, :count] = True
        right[number, :count] = one.right
        right[number, -1] = not any(one.right)
    return rows, there, right


def _softmax(logits: Floats) -> Floats:
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)
