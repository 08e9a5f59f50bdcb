"""How good rankings are, question by question, and how sure a difference between two of them is.

What is relevant to a question is given with its gain: how much so.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

RESAMPLES = 5000

Item = TypeVar("Item", bound=Hashable)


def ndcg(ranked: Sequence[Item], relevant: Mapping[Item, float], depth: int) -> float:
    """Return the discounted gain of the first `depth`, as a share of the best there could be."""
    gained = _discounted([relevant.get(one, 0.0) for one in ranked[:depth]])
    best = _discounted(sorted(relevant.values(), reverse=True)[:depth])
    return gained / best if best else 0.0


def recall(ranked: Sequence[Item], relevant: Mapping[Item, float], depth: int) -> float:
    """Return the share of what is relevant that stands among the first `depth`."""
    return len(relevant.keys() & set(ranked[:depth])) / len(relevant)


def hit(ranked: Sequence[Item], relevant: Mapping[Item, float], depth: int) -> float:
    """Return 1 if anything relevant stands among the first `depth`, else 0."""
    return float(any(one in relevant for one in ranked[:depth]))


def reciprocal_rank(ranked: Sequence[Item], relevant: Mapping[Item, float]) -> float:
    """Return 1 by the rank of the first that is relevant, 0 if none is."""
    return next((1 / rank for rank, one in enumerate(ranked, 1) if one in relevant), 0.0)


def paired_interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return the bootstrap interval, at 95 %, of the mean of differences question by question."""
    values = np.asarray(differences, dtype=np.float64)
    chosen = np.random.default_rng(1)  # the same interval in every run
    means = [values[chosen.integers(0, len(values), len(values))].mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
