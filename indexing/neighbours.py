"""Passages for an answer: the best chunks, joined with those beside them in their section.

Chunks are cut for searching. What one says may begin in the one before, and end in the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from indexing.boxes import union
from indexing.chunk_ids import chunk_id
from indexing.chunking import OVERLAP_CHARACTERS
from indexing.types import Chunk

EXTENDED = 3
"""How many of the best chunks are joined with their neighbours, whatever these say."""


def neighbour_ids(ranked: Sequence[Chunk]) -> list[str]:
    """Return the ids of the chunks before and behind the best, as far as there are such."""
    return [
        chunk_id(chunk.data_source_id, beside)
        for chunk in ranked[:EXTENDED]
        for beside in (position(chunk) - 1, position(chunk) + 1)
        if beside >= 0
    ]


def join_neighbours(ranked: Sequence[Chunk], neighbours: Sequence[Chunk]) -> list[Chunk]:
    """Return the passages, in the order of their best chunks; each is the text of one page."""
    ranks = {chunk.chunk_id: rank for rank, chunk in enumerate(ranked)}
    known = {chunk.chunk_id: chunk for chunk in (*neighbours, *ranked)}
    runs = [run for run in _runs(list(known.values())) if any(one.chunk_id in ranks for one in run)]
    runs.sort(key=lambda run: _best_rank(run, ranks))
    return [_joined(run, ranked[_best_rank(run, ranks)]) for run in runs]


def position(chunk: Chunk) -> int:
    """Return the place of a chunk in its data source."""
    return int(chunk.chunk_id.rpartition("_")[2])


def _runs(chunks: list[Chunk]) -> Iterator[list[Chunk]]:
    """Yield the chunks that stand one behind the other on a page, under one heading, together."""
    chunks.sort(key=lambda chunk: (chunk.data_source_id, position(chunk)))
    run = chunks[:1]
    for one, following in pairwise(chunks):
        if not _is_next(one, following):
            yield run
            run = []
        run.append(following)
    if run:
        yield run


def _is_next(one: Chunk, other: Chunk) -> bool:
    return (
        other.data_source_id == one.data_source_id
        and (other.page_number, other.section) == (one.page_number, one.section)
        and position(other) == position(one) + 1
    )


def _best_rank(run: Sequence[Chunk], ranks: Mapping[str, int]) -> int:
    return min(ranks[chunk.chunk_id] for chunk in run if chunk.chunk_id in ranks)


def _joined(run: Sequence[Chunk], best: Chunk) -> Chunk:
    content = run[0].content
    for chunk in run[1:]:
        content += _behind(content, chunk.content)
    return replace(best, content=content, box=union(chunk.box for chunk in run))


def _behind(text: str, following: str) -> str:
    """Return what a chunk adds to the one before, of which it may repeat the end."""
    for size in range(min(OVERLAP_CHARACTERS, len(following)), 0, -1):
        if text.endswith(following[:size]):
            return following[size:]
    return f"\n{following}"
