"""BM25 over postings, exact, in numpy; and how well whole documents fit.

The score is Lucene's. A word of the query is looked for in each segment as what it is in the
language of that segment; how rare it is counts over all segments together.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexing.postings import POSTING
from indexing.terms import QueryTerm

K1 = 1.2
B = 0.75

SMOOTHING = 10
"""Chunks that every document is taken to have besides its own, with none of the words."""

# As PostgreSQL packs them. Terms and languages are numbered from 1 in the order they were asked
# for; 0 is a language nobody asked for.
RUN = np.dtype([("term", ">i4"), ("segment", ">i4"), ("size", ">i4")])
SPAN = np.dtype(
    [
        ("segment", ">i4"),
        ("language", ">i4"),
        ("first_chunk", ">i4"),
        ("chunk_count", ">i4"),
        ("first_position", ">i4"),
        ("is_wanted", ">i4"),
    ]
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search read: all spans of the engine, and the runs of the query's terms.

    The postings are those of the runs in segments with a wanted span, in the order of the runs.
    """

    data_source_ids: Sequence[str]
    spans: NDArray[np.void]
    token_count: int
    runs: NDArray[np.void]
    postings: NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a search found: the best chunks, and how well each document fits as a whole."""

    chunks: Sequence[tuple[str, int, float]]  # data source, position and score, best first
    fits: Mapping[str, float]  # by data source, 0 to 1; the others do not fit at all


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each chunk's score stands: segment after segment, in each by chunk number."""

    segments: NDArray[Any]
    languages: NDArray[Any]
    bases: NDArray[Any]
    size: int
    span_segments: NDArray[Any]
    span_starts: NDArray[Any]
    spans_in_order: NDArray[Any]  # by where they start


@dataclass(frozen=True, slots=True)
class _Runs:
    """What the runs are of: all of them, then those whose postings were sent, then these."""

    languages: NDArray[Any]
    are_sent: NDArray[np.bool_]
    sizes: NDArray[np.int64]  # of those that were sent, in postings
    chunks: NDArray[np.int64]  # of each posting, where the score of its chunk stands


def distinct_terms(words: Iterable[QueryTerm]) -> list[str]:
    """Return the terms of a query; a run names them by their place here, from 1."""
    return list(dict.fromkeys(term for word in words for term in word if term is not None))


def rank(query: Counter[QueryTerm], found: Found, limit: int) -> Ranked:
    """Return the best chunks of the wanted spans, and the fits of documents where all are wanted.

    Chunks of equal score come by data source and position.
    """
    if not len(found.postings):
        return Ranked([], {})
    layout = _lay_out(found.spans)
    runs = _read(found, layout)
    scores = _scores(query, found, runs, layout.size)
    if found.spans["is_wanted"].all():
        fits = _fits(query, found, runs, layout)
    else:
        scores[~_wanted(found.spans, layout)] = 0
        fits = {}
    return Ranked(_best_chunks(scores, found, layout, limit), fits)


def _best_chunks(
    scores: NDArray[np.float64], found: Found, layout: _Layout, limit: int
) -> list[tuple[str, int, float]]:
    chunks = _highest(scores, limit)
    starts = layout.span_starts[layout.spans_in_order]
    owners = layout.spans_in_order[np.searchsorted(starts, chunks, side="right") - 1]
    positions = chunks - layout.span_starts[owners] + found.spans["first_position"][owners]
    ids = np.array([found.data_source_ids[owner] for owner in owners])
    order = np.lexsort((positions, ids, -scores[chunks]))[:limit]
    return [(str(ids[at]), int(positions[at]), float(scores[chunks[at]])) for at in order]


def _fits(
    query: Counter[QueryTerm], found: Found, runs: _Runs, layout: _Layout
) -> dict[str, float]:
    """Judge each document by the words of the query, rare ones above all, and by their density.

    A word counts by its rarity among documents, times the share of the document's chunks that have
    it; short documents are held back. Without a rare word no document stands out, so the best one
    is given as much as its words are rare. (Our own; `benchmarks/retrieval_quality.py` has what it
    is worth.)
    """
    count = len(found.spans)
    # A number for each pair of a word and a document.
    pairs = np.repeat(_words_of_runs(query, found.runs, runs.languages) * count, runs.sizes)
    pairs += _owners(layout)[runs.chunks]
    holding = np.bincount(pairs, minlength=(len(query) + 1) * count)
    holding = holding.reshape(len(query) + 1, count)[1:]
    with_word = np.count_nonzero(holding, axis=1)
    rarity = np.log(1 + (count - with_word + 0.5) / (with_word + 0.5))
    fits = rarity @ (holding / (found.spans["chunk_count"] + SMOOTHING))
    rarest = np.log(1 + (count - 0.5) / 1.5)
    best = fits.max() or 1.0
    fits *= min(1.0, best / rarest) / best
    return dict(zip(found.data_source_ids, fits.tolist(), strict=True))


def _owners(layout: _Layout) -> NDArray[np.int64]:
    """Return the span that each chunk lies in; a chunk that was deleted is given any."""
    ends = np.append(layout.span_starts[layout.spans_in_order][1:], layout.size)
    counts = np.diff(ends, prepend=0)
    return np.repeat(layout.spans_in_order, counts)


def _words_of_runs(
    query: Counter[QueryTerm], runs: NDArray[np.void], run_languages: NDArray[Any]
) -> NDArray[np.int64]:
    """Return the number of the word that each run answers, from 1; 0 where it answers none."""
    numbers = {term: number for number, term in enumerate(distinct_terms(query), start=1)}
    shape = (len(next(iter(query))) + 1, len(numbers) + 1)
    words = np.zeros(shape, np.int64)
    for number, word in enumerate(query, start=1):
        for language, term in enumerate(word, start=1):
            if term is not None:
                words[language, numbers[term]] = number
    found: NDArray[np.int64] = words[run_languages, runs["term"]]
    return found


def _lay_out(spans: NDArray[np.void]) -> _Layout:
    segments, first_span, of_span = np.unique(
        spans["segment"], return_index=True, return_inverse=True
    )
    extents = np.zeros(len(segments), np.int64)
    np.maximum.at(extents, of_span, spans["first_chunk"] + spans["chunk_count"])
    bases = np.cumsum(extents) - extents
    span_starts = bases[of_span] + spans["first_chunk"]
    return _Layout(
        segments=segments,
        languages=spans["language"][first_span],
        bases=bases,
        size=int(extents.sum()),
        span_segments=of_span,
        span_starts=span_starts,
        spans_in_order=np.argsort(span_starts),
    )


def _read(found: Found, layout: _Layout) -> _Runs:
    segments = np.searchsorted(layout.segments, found.runs["segment"])
    was_sent = np.zeros(len(layout.segments), bool)
    was_sent[layout.span_segments[found.spans["is_wanted"] == 1]] = True
    are_sent = was_sent[segments]
    sizes = found.runs["size"][are_sent] // POSTING.itemsize
    chunks = np.repeat(layout.bases[segments[are_sent]], sizes)
    chunks += found.postings["chunk"]
    return _Runs(layout.languages[segments], are_sent, sizes, chunks)


def _scores(
    query: Counter[QueryTerm], found: Found, runs: _Runs, chunk_count: int
) -> NDArray[np.float64]:
    weights = _run_weights(query, found, runs.languages)[runs.are_sent]
    average_length = found.token_count / found.spans["chunk_count"].sum()
    # In place, for to take new memory costs more than the arithmetic.
    slowness = found.postings["length"] * (K1 * B / average_length)
    slowness += K1 * (1 - B)
    slowness /= found.postings["frequency"]
    slowness += 1
    gains = np.repeat(weights, runs.sizes)
    gains /= slowness
    scores = np.bincount(runs.chunks, gains, chunk_count)
    return scores.astype(np.float64, copy=False)


def _run_weights(
    query: Counter[QueryTerm], found: Found, run_languages: NDArray[Any]
) -> NDArray[np.float64]:
    """Weigh each run by the rarity of the words it answers and their counts in the query."""
    numbers = {term: number for number, term in enumerate(distinct_terms(query), start=1)}
    shape = (len(next(iter(query))) + 1, len(numbers) + 1)
    cells = run_languages * shape[1] + found.runs["term"]
    holders = np.bincount(cells, found.runs["size"], shape[0] * shape[1]) / POSTING.itemsize
    chunk_count = int(found.spans["chunk_count"].sum())
    weights = np.zeros(len(holders))
    for word, count in query.items():
        own = [
            language * shape[1] + numbers[term]
            for language, term in enumerate(word, start=1)
            if term is not None
        ]
        with_word = holders[own].sum()
        weights[own] += count * np.log(1 + (chunk_count - with_word + 0.5) / (with_word + 0.5))
    run_weights: NDArray[np.float64] = weights[cells]
    return run_weights


def _wanted(spans: NDArray[np.void], layout: _Layout) -> NDArray[np.bool_]:
    """Tell for each chunk whether it lies in a wanted span."""
    wanted = spans["is_wanted"] == 1
    starts = layout.span_starts[wanted]
    edges = np.bincount(starts, minlength=layout.size + 1)
    edges -= np.bincount(starts + spans["chunk_count"][wanted], minlength=layout.size + 1)
    inside: NDArray[np.bool_] = np.cumsum(edges[: layout.size]) > 0
    return inside


def _highest(scores: NDArray[np.float64], limit: int) -> NDArray[np.intp]:
    """Return the places of the highest scores above 0, and of all that equal the last of them.

    At least `limit` scores reach the `limit`-th best of the maxima of as many blocks or more. So
    few are left to choose from, which takes a tenth of the time.
    """
    candidates = np.flatnonzero(scores >= max(_bound(scores, limit), np.nextafter(0, 1)))
    if limit >= len(candidates):
        return candidates
    lowest = np.partition(scores[candidates], -limit)[-limit]
    highest: NDArray[np.intp] = candidates[scores[candidates] >= lowest]
    return highest


def _bound(scores: NDArray[np.float64], limit: int) -> float:
    block_count = 4 * limit
    block_size = len(scores) // block_count
    if not block_size:
        return 0.0
    blocks = scores[: block_count * block_size].reshape(block_count, block_size)
    return float(np.partition(blocks.max(axis=1), -limit)[-limit])
