"""Join the small segments of a keyword index, so that a search reads few rows per term.

A merge is one transaction: a search sees the old segments or the new one. It holds the lock of the
engine's segments, so deletions wait for it and it never waits for them; a new data source comes in
meanwhile. No segment grows beyond what a deletion can rewrite in about a tenth of a second.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ARRAY, Integer, Row, any_, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from indexing.lexical import delete_segments, new_segment
from indexing.lexical_tables import LexicalTables, lexical_tables, try_lock_segments
from indexing.postings import Segment, in_pieces, renumber

LARGEST_MERGED = 1_000
"""How many chunks a merged segment has at most; one of half as many is left alone."""

_FEWEST = 8


async def merge_segments(connection: AsyncConnection, engine_id: str) -> bool:
    """Join some small segments into one; False when there is nothing to join, or no chance to.

    Each call is a piece of work for a transaction of its own; call it until it returns False.
    """
    tables = lexical_tables(engine_id)
    if not await try_lock_segments(connection, engine_id):
        return False
    # The tables are dropped under the same lock, so they stay from here on.
    if (await connection.execute(select(func.to_regclass(tables.spans.fullname)))).scalar() is None:
        return False
    segment_ids = choose(await _sizes_by_language(connection, tables))
    if segment_ids:
        await _merge(connection, tables, segment_ids)
    return bool(segment_ids)


def choose(sizes_by_language: dict[str, dict[int, int]]) -> list[int]:
    """Choose the segments to join, of one language; empty where they are few enough.

    The smallest go together when they fill a segment. When they do not, at least eight must have
    gathered, none larger than the others together: so a chunk is moved a number of times that
    grows as the logarithm of what there is.
    """
    for sizes in sizes_by_language.values():
        small = sorted((size, one) for one, size in sizes.items() if size < LARGEST_MERGED // 2)
        totals = np.cumsum([size for size, _ in small])
        count = int(np.searchsorted(totals, LARGEST_MERGED, side="right"))
        if count and totals[count - 1] < LARGEST_MERGED // 2:
            while count and 2 * small[count - 1][0] > totals[count - 1]:
                count -= 1
            if count < _FEWEST:
                continue
        if count:
            return [one for _, one in small[:count]]
    return []


async def _sizes_by_language(
    connection: AsyncConnection, tables: LexicalTables
) -> dict[str, dict[int, int]]:
    counts = tables.counts.c
    statement = select(counts.language, counts.segment_id, counts.chunk_count)
    sizes: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for language, segment_id, size in await connection.execute(statement):
        sizes[language][segment_id] = size
    return sizes


async def _merge(
    connection: AsyncConnection, tables: LexicalTables, segment_ids: Sequence[int]
) -> None:
    spans, runs = tables.spans, tables.runs
    chosen = literal(list(segment_ids), ARRAY(Integer))
    old_spans = (
        await connection.execute(
            select(spans)
            .where(spans.c.segment_id == any_(chosen))
            .order_by(spans.c.segment_id, spans.c.first_chunk)
        )
    ).all()
    old_runs = (
        await connection.execute(
            select(runs.c.term, runs.c.segment_id, runs.c.postings)
            .where(runs.c.segment_id == any_(chosen))
            .order_by(runs.c.term, runs.c.segment_id)
        )
    ).all()
    postings = await asyncio.to_thread(_joined, old_spans, old_runs)
    segment = Segment(
        old_spans[0].language,
        sum(span.chunk_count for span in old_spans),
        sum(span.token_count for span in old_spans),
        in_pieces(postings.items()),
    )
    segment_id = await new_segment(connection, tables, segment, len(old_spans))
    new = _first_chunks(old_spans)
    moved = func.unnest(
        literal([span.data_source_id for span in old_spans], ARRAY(spans.c.data_source_id.type)),
        literal([span.first_position for span in old_spans], ARRAY(Integer)),
        literal(new.tolist(), ARRAY(Integer)),
    ).table_valued("data_source_id", "first_position", "first_chunk")
    moved = moved.render_derived("moved")
    await connection.execute(
        update(spans)
        .where(
            spans.c.data_source_id == moved.c.data_source_id,
            spans.c.first_position == moved.c.first_position,
        )
        .values(segment_id=segment_id, first_chunk=moved.c.first_chunk)
    )
    await delete_segments(connection, tables, segment_ids)


def _first_chunks(spans: Sequence[Row[Any]]) -> NDArray[np.int64]:
    """Return where each span begins when they stand one after the other."""
    counts = np.array([span.chunk_count for span in spans])
    first: NDArray[np.int64] = np.cumsum(counts) - counts
    return first


def _joined(spans: Sequence[Row[Any]], runs: Sequence[Row[Any]]) -> dict[str, bytes]:
    """Return the postings of the runs by term, chunks numbered in the order of the spans."""
    extents = {span.segment_id: span.first_chunk + span.chunk_count for span in spans}
    ends = np.cumsum(list(extents.values()))
    bases = dict(zip(extents, [0, *ends.tolist()], strict=False))
    numbers = np.zeros(ends[-1], np.int64)
    for span, first in zip(spans, _first_chunks(spans).tolist(), strict=True):
        start = bases[span.segment_id] + span.first_chunk
        numbers[start : start + span.chunk_count] = np.arange(first, first + span.chunk_count)
    moved = renumber(
        [run.postings for run in runs], np.array([bases[run.segment_id] for run in runs]), numbers
    )
    by_term: defaultdict[str, list[bytes]] = defaultdict(list)
    for run, postings in zip(runs, moved, strict=True):
        by_term[run.term].append(postings)
    return {term: b"".join(parts) for term, parts in by_term.items()}
