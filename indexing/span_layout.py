"""Whose the chunks of an engine's segments are, kept from one search to the next.

An engine may have a hundred thousand data sources. To read whose each chunk is for every search
takes longer than the search, and what a segment holds hardly ever changes: under the stamp that it
was written with, its spans only become fewer, and then no posting points to those that are gone.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

# As PostgreSQL packs them. Languages are numbered from 1 in the order they were asked for; 0 is a
# language nobody asked for.
COUNTS = np.dtype(
    [
        ("segment", ">i4"),
        ("stamp", ">i8"),
        ("language", ">i4"),
        ("extent", ">i4"),
        ("span_count", ">i4"),
        ("chunk_count", ">i4"),
        ("token_count", ">i8"),
    ]
)
SPAN = np.dtype(
    [
        ("segment", ">i4"),
        ("first_chunk", ">i4"),
        ("chunk_count", ">i4"),
        ("first_position", ">i4"),
    ]
)

CONTENTS = ("stamp", "span_count", "chunk_count")
"""The counts that tell one state of a segment from every other: under a stamp it only loses."""

MOST_SPANS = 1_000_000
"""How many spans a process keeps, of all engines together: some hundred bytes each."""


@dataclass(frozen=True, slots=True)
class EngineContents:
    """Which chunks an engine has: equal only to that of a time when it had the very same."""

    chunk_count: int = 0
    state: bytes = b""  # of its segments

    @classmethod
    def of(cls, counts: NDArray[np.void]) -> "EngineContents":
        """Tell it from the counts of all segments, ascending."""
        state = b"".join(counts[name].tobytes() for name in CONTENTS)
        return cls(int(counts["chunk_count"].sum()), state)


@dataclass(frozen=True, slots=True)
class SegmentSpans:
    """The spans of a segment, in the order of their chunks."""

    data_source_ids: NDArray[np.object_]
    first_chunks: NDArray[np.int64]
    first_positions: NDArray[np.int64]
    chunk_counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Layout:
    """All spans of an engine, its segments one after the other: a place for every chunk."""

    segments: NDArray[np.int64]  # their ids, ascending
    bases: NDArray[np.int64]  # of each segment, the place of its chunk 0
    size: int  # in places
    data_source_ids: NDArray[np.object_]  # of each span
    starts: NDArray[np.int64]  # of each span, the place of its first chunk, ascending
    first_positions: NDArray[np.int64]
    chunk_counts: NDArray[np.int64]
    owners: NDArray[np.int32]  # of each place, the span; any where a chunk was deleted


@dataclass(frozen=True, slots=True)
class _Held:
    spans: Mapping[int, SegmentSpans]  # by the stamp of their segment
    stamps: bytes
    layout: Layout


class SpanLayouts:
    """The layouts of the engines that were searched last; any thread may ask."""

    def __init__(self, most_spans: int = MOST_SPANS) -> None:
        self._most_spans = most_spans
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._lock = threading.Lock()

    def spans(self, engine_id: str) -> Mapping[int, SegmentSpans]:
        """Return the spans that are known of an engine, by the stamp of their segment."""
        held = self._held.get(engine_id)
        return held.spans if held else {}

    def layout(
        self,
        engine_id: str,
        counts: NDArray[np.void],
        known: Mapping[int, SegmentSpans],
        new: NDArray[np.void],
        data_source_ids: Sequence[str],
    ) -> Layout:
        """Return the layout of an engine, and keep it.

        `counts` are of its segments, ascending; `known` is what `spans` returned; `new` are the
        spans of all other segments, ordered by segment and chunk, with their data sources.
        """
        stamps = counts["stamp"].tobytes()
        held = self._held.get(engine_id)
        if held is None or held.stamps != stamps:
            spans = {**known, **_by_stamp(counts, new, data_source_ids)}
            spans = {stamp: spans[stamp] for stamp in counts["stamp"].tolist()}
            held = _Held(spans, stamps, _lay_out(counts, list(spans.values())))
        with self._lock:
            self._held[engine_id] = held
            self._held.move_to_end(engine_id)
            while len(self._held) > 1 and self._span_count() > self._most_spans:
                self._held.popitem(last=False)
        return held.layout

    def _span_count(self) -> int:
        return sum(len(held.layout.starts) for held in self._held.values())


def _by_stamp(
    counts: NDArray[np.void], spans: NDArray[np.void], data_source_ids: Sequence[str]
) -> dict[int, SegmentSpans]:
    owners = np.array(data_source_ids, object)
    segments, firsts = np.unique(spans["segment"], return_index=True)
    stamps = counts["stamp"][np.searchsorted(counts["segment"], segments)].tolist()
    edges = [*firsts.tolist(), len(spans)]
    return {
        stamp: SegmentSpans(
            owners[first:end],
            spans["first_chunk"][first:end].astype(np.int64),
            spans["first_position"][first:end].astype(np.int64),
            spans["chunk_count"][first:end].astype(np.int64),
        )
        for stamp, (first, end) in zip(stamps, pairwise(edges), strict=True)
    }


def _lay_out(counts: NDArray[np.void], segments: Sequence[SegmentSpans]) -> Layout:
    extents = counts["extent"].astype(np.int64)
    bases = np.cumsum(extents) - extents
    size = int(extents.sum())
    starts = _joined([one.first_chunks for one in segments])
    starts += np.repeat(bases, [len(one.first_chunks) for one in segments])
    ends = np.append(starts[1:], size)
    return Layout(
        segments=counts["segment"].astype(np.int64),
        bases=bases,
        size=size,
        data_source_ids=np.concatenate(
            [np.empty(0, object), *(s.data_source_ids for s in segments)]
        ),
        starts=starts,
        first_positions=_joined([one.first_positions for one in segments]),
        chunk_counts=_joined([one.chunk_counts for one in segments]),
        owners=np.repeat(np.arange(len(starts), dtype=np.int32), np.diff(ends, prepend=0)),
    )


def _joined(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.empty(0, np.int64), *parts])
