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
from indexing.span_layout import Layout
from indexing.terms import QueryTerm

K1 = 1.2
B = 0.75

SMOOTHING = 10
"""Chunks that every document is taken to have besides its own, with none of the words."""

# As PostgreSQL packs them. Terms are numbered from 1 in the order they were asked for.
RUN = np.dtype([("term", ">i4"), ("segment", ">i4"), ("size", ">i4")])
PLACE = np.dtype([("segment", ">i4"), ("first_chunk", ">i4"), ("chunk_count", ">i4")])


@dataclass(frozen=True, slots=True)
class Found:
    """What a search read: the counts of all segments, and the runs of the query's terms.

    The postings are those of the runs in segments with a wanted span, in the order of the runs.
    """

    layout: Layout
    counts: NDArray[np.void]  # of each segment, in the order of the layout
    runs: NDArray[np.void]
    postings: NDArray[np.void]
    wanted: NDArray[np.void] | None  # the spans asked for; None: all


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a search found: the best chunks, and how well each document fits as a whole."""

    chunks: Sequence[tuple[str, int, float]]  # data source, position and score, best first
    fits: Mapping[str, float]  # by data source, up to 1; the others do not fit at all


@dataclass(frozen=True, slots=True)
class _Runs:
    """What the runs are of: all of them, then those whose postings were sent, then these."""

    languages: NDArray[Any]
    are_sent: NDArray[np.bool_]
    sizes: NDArray[np.int64]  # of those that were sent, in postings
    places: NDArray[np.int64]  # of each posting, where the score of its chunk stands


def distinct_terms(words: Iterable[QueryTerm]) -> list[str]:
    """Return the terms of a query; a run names them by their place here, from 1."""
    return list(dict.fromkeys(term for word in words for term in word if term is not None))


def rank(query: Counter[QueryTerm], found: Found, limit: int) -> Ranked:
    """Return the best chunks of the wanted spans, and the fits of documents where all are wanted.

    Chunks of equal score come by data source and position.
    """
    if not len(found.postings):
        return Ranked([], {})
    runs = _read(found)
    scores = _scores(query, found, runs)
    fits = {}
    if found.wanted is None:
        fits = _fits(query, found, runs)
    else:
        scores[~_wanted(found.wanted, found.layout)] = 0
    return Ranked(_best_chunks(scores, found.layout, limit), fits)


def _best_chunks(
    scores: NDArray[np.float64], layout: Layout, limit: int
) -> list[tuple[str, int, float]]:
    places = _highest(scores, limit)
    owners = layout.owners[places]
    positions = places - layout.starts[owners] + layout.first_positions[owners]
    ids = layout.data_source_ids[owners].astype(str)
    order = np.lexsort((positions, ids, -scores[places]))[:limit]
    return [(str(ids[at]), int(positions[at]), float(scores[places[at]])) for at in order]


def _fits(query: Counter[QueryTerm], found: Found, runs: _Runs) -> dict[str, float]:
    """Judge each document by the words of the query, rare ones above all, and by their density.

    A word counts by its rarity among documents, times the share of the document's chunks that have
    it; short documents are held back. Without a rare word no document stands out, so the best one
    is given as much as its words are rare. (Our own; `benchmarks/retrieval_quality.py` has what it
    is worth.)
    """
    layout, count = found.layout, int(found.counts["span_count"].sum())
    words = np.repeat(_words_of_runs(query, found.runs, runs.languages), runs.sizes)
    words, owners, holding = _counted(words, layout.owners[runs.places])
    with_word = np.bincount(words, minlength=len(query) + 1)
    rarity = np.log(1 + (count - with_word + 0.5) / (with_word + 0.5))
    rarity[0] = 0  # Of what answers no word.
    density = holding / (layout.chunk_counts[owners] + SMOOTHING)
    fits = np.bincount(owners, rarity[words] * density, len(layout.starts))
    rarest = np.log(1 + (count - 0.5) / 1.5)
    best = fits.max() or 1.0
    fits *= min(1.0, best / rarest) / best
    fitting = np.flatnonzero(fits)
    ids = layout.data_source_ids[fitting].tolist()
    return dict(zip(ids, fits[fitting].tolist(), strict=True))


def _counted(
    words: NDArray[np.int64], owners: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Return each pair of a word and a document once, and how many chunks have them both.

    The chunks of a document stand together, in one run of a word.
    """
    is_first = np.ones(len(words), bool)
    is_first[1:] = (words[1:] != words[:-1]) | (owners[1:] != owners[:-1])
    firsts = np.flatnonzero(is_first)
    return words[firsts], owners[firsts], np.diff(firsts, append=len(words))


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


def _read(found: Found) -> _Runs:
    layout = found.layout
    segments = np.searchsorted(layout.segments, found.runs["segment"])
    was_sent = np.ones(len(layout.segments), bool)
    if found.wanted is not None:
        was_sent[:] = False
        was_sent[np.searchsorted(layout.segments, found.wanted["segment"])] = True
    are_sent = was_sent[segments]
    sizes = found.runs["size"][are_sent] // POSTING.itemsize
    places = np.repeat(layout.bases[segments[are_sent]], sizes)
    places += found.postings["chunk"]
    return _Runs(found.counts["language"][segments], are_sent, sizes, places)


def _scores(query: Counter[QueryTerm], found: Found, runs: _Runs) -> NDArray[np.float64]:
    weights = _run_weights(query, found, runs.languages)[runs.are_sent]
    average_length = found.counts["token_count"].sum() / found.counts["chunk_count"].sum()
    # In place, for to take new memory costs more than the arithmetic.
    slowness = found.postings["length"] * (K1 * B / average_length)
    slowness += K1 * (1 - B)
    slowness /= found.postings["frequency"]
    slowness += 1
    gains = np.repeat(weights, runs.sizes)
    gains /= slowness
    scores = np.bincount(runs.places, gains, found.layout.size)
    return scores.astype(np.float64, copy=False)


def _run_weights(
    query: Counter[QueryTerm], found: Found, run_languages: NDArray[Any]
) -> NDArray[np.float64]:
    """Weigh each run by the rarity of the words it answers and their counts in the query."""
    numbers = {term: number for number, term in enumerate(distinct_terms(query), start=1)}
    shape = (len(next(iter(query))) + 1, len(numbers) + 1)
    cells = run_languages * shape[1] + found.runs["term"]
    holders = np.bincount(cells, found.runs["size"], shape[0] * shape[1]) / POSTING.itemsize
    chunk_count = int(found.counts["chunk_count"].sum())
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


def _wanted(wanted: NDArray[np.void], layout: Layout) -> NDArray[np.bool_]:
    """Tell of each place whether its chunk lies in a wanted span."""
    starts = layout.bases[np.searchsorted(layout.segments, wanted["segment"])]
    starts = starts + wanted["first_chunk"]
    edges = np.bincount(starts, minlength=layout.size + 1)
    edges -= np.bincount(starts + wanted["chunk_count"], minlength=layout.size + 1)
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
