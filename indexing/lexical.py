"""The keyword index of an engine, as it is written: postings packed into PostgreSQL.

Each data source comes as a segment of its own, a very large one as several (`lexical_merge` joins
small ones later): a row per term, with all the chunks that have it. `lexical_search` reads them.
"""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Integer,
    LargeBinary,
    Row,
    Text,
    any_,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from indexing.lexical_tables import LexicalTables, lexical_tables, lock_segments
from indexing.postings import Segment, TermPostings, in_pieces, pack, remove


async def create_tables(connection: AsyncConnection, engine_id: str) -> None:
    """Create the engine's tables where they do not exist."""
    await connection.run_sync(lexical_tables(engine_id).metadata.create_all)


async def drop_tables(connection: AsyncConnection, engine_id: str) -> None:
    """Drop the engine's tables where they exist, when no search is at them any more."""
    await lock_segments(connection, engine_id)
    tables = lexical_tables(engine_id)
    # What a search takes first: once no other can begin, none waits for what this one holds.
    await connection.run_sync(tables.runs.drop, checkfirst=True)
    await connection.run_sync(tables.metadata.drop_all)


async def packed(texts: Iterable[str], language: str) -> list[Segment]:
    """Return what the chunks of a data source are found by, in the order of their positions.

    That takes up to a millisecond for each: it is not done in a transaction, which others wait for.
    """
    left = iter(texts)
    segments = []
    while (segment := await asyncio.to_thread(pack, left, language)).chunk_count:
        segments.append(segment)
    return segments


async def insert_segments(
    connection: AsyncConnection, engine_id: str, data_source_id: str, segments: Iterable[Segment]
) -> None:
    """Store what the chunks of a data source are found by."""
    tables = lexical_tables(engine_id)
    first = 0
    for segment in segments:
        await insert_own(connection, tables, data_source_id, first, segment)
        first += segment.chunk_count


async def insert_own(
    connection: AsyncConnection,
    tables: LexicalTables,
    data_source_id: str,
    first_position: int,
    segment: Segment,
) -> None:
    """Store a segment that holds one span, of the chunks from a position on."""
    segment_id = await new_segment(connection, tables, segment)
    await connection.execute(
        insert(tables.spans).values(
            data_source_id=data_source_id,
            first_position=first_position,
            segment_id=segment_id,
            language=segment.language,
            first_chunk=0,
            chunk_count=segment.chunk_count,
            token_count=segment.token_count,
        )
    )


async def delete_segment(connection: AsyncConnection, engine_id: str, data_source_id: str) -> None:
    """Forget the chunks of a data source, and every term that only they had."""
    tables = lexical_tables(engine_id)
    await lock_segments(connection, engine_id)
    spans = tables.spans
    statement = delete(spans).where(spans.c.data_source_id == data_source_id).returning(spans)
    for span in (await connection.execute(statement)).all():
        if await _count_less(connection, tables, span):
            await _erase(connection, tables, span)
        else:
            await delete_segments(connection, tables, [span.segment_id])


async def new_segment(
    connection: AsyncConnection, tables: LexicalTables, segment: Segment, span_count: int = 1
) -> int:
    """Store a segment with its postings and return its id; its spans come after."""
    segment_id = (await connection.execute(select(tables.segment_ids.next_value()))).scalar_one()
    await connection.execute(
        insert(tables.counts).values(
            segment_id=segment_id,
            language=segment.language,
            extent=segment.chunk_count,
            span_count=span_count,
            chunk_count=segment.chunk_count,
            token_count=segment.token_count,
        )
    )
    await _insert_runs(connection, tables, segment_id, segment.postings)
    return int(segment_id)


async def delete_segments(
    connection: AsyncConnection, tables: LexicalTables, segment_ids: Sequence[int]
) -> None:
    """Delete segments with their postings, when their spans are gone or elsewhere."""
    for table in (tables.counts, tables.runs):
        await connection.execute(
            delete(table).where(table.c.segment_id == any_(_integers(segment_ids)))
        )


async def _insert_runs(
    connection: AsyncConnection,
    tables: LexicalTables,
    segment_id: int,
    pieces: Iterable[TermPostings],
) -> None:
    """Insert a row per term; the postings travel in pieces that the server cuts apart.

    That takes a third of the time of as many rows.
    """
    for piece in pieces:
        sizes = np.asarray(piece.sizes)
        cut = (
            func.unnest(
                func.string_to_array(piece.terms, "\n"),
                _integers((np.cumsum(sizes) - sizes + 1).tolist()),
                _integers(sizes.tolist()),
            )
            .table_valued("term", "start", "size")
            .render_derived("cut")
        )
        postings = func.substring(literal(piece.postings, LargeBinary), cut.c.start, cut.c.size)
        await connection.execute(
            insert(tables.runs).from_select(
                ["term", "segment_id", "postings"],
                select(cut.c.term, literal(segment_id), postings),
            )
        )


async def _count_less(connection: AsyncConnection, tables: LexicalTables, span: Row[Any]) -> int:
    """Take a deleted span out of the counts of its segment; return how many spans are left."""
    counts = tables.counts
    left = await connection.execute(
        update(counts)
        .where(counts.c.segment_id == span.segment_id)
        .values(
            span_count=counts.c.span_count - 1,
            chunk_count=counts.c.chunk_count - span.chunk_count,
            token_count=counts.c.token_count - span.token_count,
        )
        .returning(counts.c.span_count)
    )
    return int(left.scalar_one())


async def _erase(connection: AsyncConnection, tables: LexicalTables, span: Row[Any]) -> None:
    """Take the chunks of a span out of a segment that holds others too."""
    runs = tables.runs
    of_segment = runs.c.segment_id == span.segment_id
    rows = (await connection.execute(select(runs.c.term, runs.c.postings).where(of_segment))).all()
    stop = span.first_chunk + span.chunk_count
    left = await asyncio.to_thread(remove, [row.postings for row in rows], span.first_chunk, stop)
    terms = literal([rows[at].term for at in left], ARRAY(Text))
    await connection.execute(delete(runs).where(of_segment, runs.c.term == any_(terms)))
    kept = ((rows[at].term, postings) for at, postings in left.items() if postings)
    await _insert_runs(connection, tables, span.segment_id, in_pieces(kept))


def _integers(values: Sequence[int]) -> ColumnElement[Any]:
    return literal(list(values), ARRAY(Integer))
