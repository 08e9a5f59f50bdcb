"""What `retrieval_speed.py` measures, and how it is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.report import table
from indexing.embedding import Vectors

TOP_K = 20
CLIENTS = 32

Case = tuple[int, str]
"""How many chunks an engine has, and which of them a search is to look at."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query found: with the service, and with each of its peers."""

    query: str
    vector: Vectors
    found: Sequence[str]
    by_peers: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Beside:
    """The milliseconds of one client's calls, and of what was done beside each of them."""

    service: list[float] = field(default_factory=list)
    embedding: list[float] = field(default_factory=list)
    as_trained: list[float] = field(default_factory=list)  # embedded by the model not quantised
    search: list[float] = field(default_factory=list)
    peers: dict[str, list[float]] = field(default_factory=dict)  # without the embedding
    answers: list[Answer] = field(default_factory=list)

    @property
    def bare(self) -> list[float]:
        """The least a call can take: embedding and search."""
        return _sums(self.embedding, self.search)


@dataclass(frozen=True, slots=True)
class Recall:
    """How much of what is there was found, in the mean."""

    service: float
    peers: Mapping[str, float]
    short_lists: int  # answers of the service with fewer chunks than there are


@dataclass(frozen=True, slots=True)
class Load:
    """The calls of several clients at once."""

    milliseconds: Sequence[float]
    errors: int
    seconds: float


def percentiles(milliseconds: Sequence[float]) -> list[str]:
    """Return p50, p95 and p99 as they are shown."""
    return [f"{value:.1f}" for value in np.percentile(milliseconds, [50, 95, 99])]


def _p50(milliseconds: Sequence[float]) -> float:
    return float(np.percentile(milliseconds, 50))


def summary(
    alone: dict[Case, Beside], recalls: dict[Case, Recall], crowded: dict[Case, Load]
) -> str:
    """Compare the figures that have a target with it."""
    sizes = sorted({size for size, _ in alone})
    middle = sizes[min(1, len(sizes) - 1)]
    middle_one = alone[middle, "none"]
    over_bare = _p50(middle_one.service) / _p50(middle_one.bare)
    over_trained = _p50(middle_one.service) / (
        _p50(middle_one.as_trained) + _p50(middle_one.search)
    )
    growth = _p50(alone[sizes[-1], "none"].service) / _p50(alone[sizes[0], "none"].service)
    recall = min(one.service for one in recalls.values())
    short = sum(one.short_lists for one in recalls.values())
    tail = max(
        float(np.percentile(one.milliseconds, 99)) / _p50(one.milliseconds)
        for one in crowded.values()
    )
    rows = [
        (
            f"p50 over HTTP by (embedding + bare SQL), {middle:,} chunks",
            "≤ 1.25",
            f"{over_bare:.2f}",
        ),
        ("the same, embedded by the model as trained", "", f"{over_trained:.2f}"),
        (f"p50 at {sizes[-1]:,} chunks by p50 at {sizes[0]:,}", "≤ 2.0", f"{growth:.2f}"),
        (f"lowest recall@{TOP_K} of any size and filter", "≥ 0.99", f"{recall:.3f}"),
        ("answers with fewer chunks than there are", "0", short),
        (f"errors with {CLIENTS} clients", "0", sum(one.errors for one in crowded.values())),
        (f"highest p99 by p50 with {CLIENTS} clients", "≤ 3", f"{tail:.2f}"),
    ]
    return table(("figure", "target", "measured"), rows)


def beside_table(alone: dict[Case, Beside]) -> str:
    """Tell how long one client waits, and how long the rest would take."""
    peers = list(next(iter(alone.values())).peers)
    rows = [
        (
            f"{size:,}",
            name,
            *percentiles(one.service),
            f"{_p50(one.embedding):.1f}",
            f"{_p50(one.search):.1f}",
            f"{_p50(one.service) / _p50(one.bare):.2f}",
            *(f"{_p50(_sums(one.embedding, one.peers[peer])):.1f}" for peer in peers),
        )
        for (size, name), one in alone.items()
    ]
    header = ("chunks", "filter", "p50", "p95", "p99", "embedding p50", "bare SQL p50")
    further = ("p50 by both", *(f"{peer} p50" for peer in peers))
    return f"One client:\n\n{table((*header, *further), rows)}"


def recall_table(recalls: dict[Case, Recall]) -> str:
    """Tell how much of what is there was found."""
    peers = list(next(iter(recalls.values())).peers)
    rows = [
        (
            f"{size:,}",
            name,
            f"{one.service:.4f}",
            one.short_lists,
            *(f"{one.peers[peer]:.4f}" for peer in peers),
        )
        for (size, name), one in recalls.items()
    ]
    header = ("chunks", "filter", f"recall@{TOP_K}", "short answers")
    return table((*header, *(f"recall of {peer}" for peer in peers)), rows)


def load_table(crowded: dict[Case, Load]) -> str:
    """Tell how long each of several clients waits."""
    rows = [
        (
            f"{size:,}",
            name,
            *percentiles(one.milliseconds),
            f"{np.percentile(one.milliseconds, 99) / _p50(one.milliseconds):.2f}",
            f"{len(one.milliseconds) / one.seconds:.0f}",
            one.errors,
        )
        for (size, name), one in crowded.items()
    ]
    header = ("chunks", "filter", "p50", "p95", "p99", "p99 by p50", "answers a second", "errors")
    return f"{CLIENTS} clients at once:\n\n{table(header, rows)}"


def _sums(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [sum(pair) for pair in zip(one, other, strict=True)]
