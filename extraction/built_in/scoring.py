"""How likely each mention is the answer, and that none is: a conditional logit over their signs.

`weights.json` holds the weights, and how they were fitted: those for everything that is looked for,
and what is added to them for some of it. `python -m benchmarks.extraction --fit` writes the file.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from extraction.built_in.signs import Signs

NONE = "none"
"""The weight of there being no answer; to the others it is a sign that no mention has."""

UNMEASURED = 0.5
"""The most that a value is trusted of a kind that the development data has no values of."""


BY_HAND: Mapping[str, Mapping[str, float]] = {
    "labelled": {"context": 4.0, "precision": 2.0},
    "passages_of_text": {"context": 5.0, "nearness": 6.0},
    "organisations": {"defined": 4.0},
}
"""What the development data has no fields of: any text behind a label, whole sentences, and those
who are called by their role. The field's own words count, for no kind of value tells one from
another."""


@dataclass(frozen=True)
class Weights:
    """What each sign is worth, and which share of the values with a score was right."""

    common: Mapping[str, float]
    own: Mapping[str, Mapping[str, float]]  # by what is looked for; added to the common ones
    scores: Sequence[float] = ()  # ascending; between two of them the share is interpolated
    shares: Sequence[float] = ()

    def of(self, kind: str) -> dict[str, float]:
        """Return the weights for what is looked for."""
        own, by_hand = self.own.get(kind, {}), BY_HAND.get(kind, {})
        return {
            name: weight + own.get(name, 0.0) + by_hand.get(name, 0.0)
            for name, weight in self.common.items()
        }


def logits(kind: str, signs: Sequence[Signs], weights: Weights) -> NDArray[np.float64]:
    """Return a number for each mention, the higher the likelier."""
    worth = weights.of(kind)
    return np.array([sum(worth[name] * sign for name, sign in one.items()) for one in signs])


def probabilities(kind: str, signs: Sequence[Signs], weights: Weights) -> NDArray[np.float64]:
    """Return how likely each mention is the answer; what is left to 1 is that none is."""
    scores = np.append(logits(kind, signs, weights), weights.of(kind)[NONE])
    shares = np.exp(scores - scores.max())
    return np.asarray(shares[:-1] / shares.sum())


def confidence(kind: str, score: float, weights: Weights | None = None) -> float:
    """Return the share of values with such a score that are right."""
    weights = weights or stored_weights()
    share = float(np.interp(score, weights.scores, weights.shares))
    return share if kind in weights.own else min(share, UNMEASURED)


@cache
def stored_weights() -> Weights:
    """Return the weights that come with this package."""
    stored = json.loads((files("extraction.built_in") / "weights.json").read_text("utf-8"))
    return Weights(stored["common"], stored["own"], stored["scores"], stored["shares"])
