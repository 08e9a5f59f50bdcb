"""Keyword search with exact BM25 scores, over postings packed into PostgreSQL.

Each data source comes as a segment of its own (`lexical_merge` joins small ones later): a row per
term, with all the chunks that have it. A question reads the rows of its terms from one snapshot and
is scored in numpy.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import psycopg
from psycopg import sql
from psycopg.rows import class_row
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
)
from sqlalchemy.ext.asyncio import AsyncConnection

from indexing.bm25 import RUN, SPAN, Found, distinct_terms, rank
from indexing.language import language_of
from indexing.lexical_tables import LexicalTables, lexical_tables, lock_segments
from indexing.postings import LARGEST_SEGMENT, POSTING, pack, remove
from indexing.terms import query_terms


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk that has at least one term of the query."""

    data_source_id: str
    position: int
    score: float


async def create_tables(connection: AsyncConnection, engine_id: str) -> None:
    """Create the engine's tables where they do not exist."""
    await connection.run_sync(lexical_tables(engine_id).metadata.create_all)


async def drop_tables(connection: AsyncConnection, engine_id: str) -> None:
    """Drop the engine's tables where they exist."""
    await lock_segments(connection, engine_id)
    await connection.run_sync(lexical_tables(engine_id).metadata.drop_all)


async def insert_segment(
    connection: AsyncConnection, engine_id: str, data_source_id: str, texts: Sequence[str]
) -> None:
    """Store what the chunks of a data source are found by, in the order of their positions."""
    tables = lexical_tables(engine_id)
    language = await asyncio.to_thread(language_of, texts)
    for first in range(0, len(texts), LARGEST_SEGMENT):
        segment = await asyncio.to_thread(pack, texts[first : first + LARGEST_SEGMENT], language)
        segment_id = await new_segment(connection, tables, segment.postings)
        await connection.execute(
            insert(tables.spans).values(
                data_source_id=data_source_id,
                first_position=first,
                segment_id=segment_id,
                language=language,
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
        shared = select(spans.c.segment_id).where(spans.c.segment_id == span.segment_id).limit(1)
        if (await connection.execute(shared)).first() is None:
            await delete_runs(connection, tables, [span.segment_id])
        else:
            await _erase(connection, tables, span)


@dataclass(frozen=True, slots=True)
class LexicalResult:
    """What keyword search found."""

    hits: Sequence[LexicalHit] = ()  # best first
    fits: Mapping[str, float] = field(default_factory=dict)  # 0 to 1, how well a data source fits


def score(
    connection: psycopg.Connection,
    engine_id: str,
    query: str,
    limit: int,
    data_source_ids: Sequence[str] | None = None,
) -> LexicalResult:
    """Return the best chunks, of these data sources if they are given, by BM25 of the whole engine.

    Chunks of equal score come by data source and position. How well data sources fit is judged
    where none are given.
    """
    tables = lexical_tables(engine_id)
    in_some = data_source_ids is not None
    values: dict[str, object] = {"data_source_ids": list(data_source_ids or ())}
    while True:
        languages = sorted(tables.languages)
        words = query_terms(query, languages)
        values |= {"terms": distinct_terms(words), "languages": languages}
        statement = _select_found(engine_id, in_some=in_some)
        with connection.cursor(row_factory=class_row(_Row), binary=True) as cursor:
            row = cursor.execute(statement, values).fetchone()
        assert row is not None
        present = set(row.present or ())
        if present <= set(languages):
            break
        # The first search of this process in a language that came into the engine.
        tables.languages.update(present)
    if not row.postings:
        return LexicalResult()
    found = Found(
        data_source_ids=row.data_source_ids,
        spans=np.frombuffer(row.spans, SPAN),
        token_count=row.token_count,
        runs=np.frombuffer(row.runs, RUN),
        postings=np.frombuffer(row.postings, POSTING),
    )
    ranked = rank(words, found, limit)
    return LexicalResult([LexicalHit(*chunk) for chunk in ranked.chunks], ranked.fits)


async def new_segment(
    connection: AsyncConnection, tables: LexicalTables, postings: Mapping[str, bytes]
) -> int:
    """Store the postings of a new segment, by term, and return its id."""
    segment_id = (await connection.execute(select(tables.segment_ids.next_value()))).scalar_one()
    await _insert_runs(connection, tables, segment_id, postings)
    return int(segment_id)


async def delete_runs(
    connection: AsyncConnection, tables: LexicalTables, segment_ids: Sequence[int]
) -> None:
    """Delete the postings of segments."""
    runs = tables.runs
    await connection.execute(delete(runs).where(runs.c.segment_id == any_(_integers(segment_ids))))


async def _insert_runs(
    connection: AsyncConnection,
    tables: LexicalTables,
    segment_id: int,
    postings: Mapping[str, bytes],
) -> None:
    """Insert a row per term; the postings travel in one piece and are cut apart by the server.

    That takes a third of the time of as many rows.
    """
    sizes = np.fromiter(map(len, postings.values()), np.int64, len(postings))
    cut = (
        func.unnest(
            literal(list(postings), ARRAY(Text)),
            _integers((np.cumsum(sizes) - sizes + 1).tolist()),
            _integers(sizes.tolist()),
        )
        .table_valued("term", "start", "size")
        .render_derived("cut")
    )
    piece = func.substring(
        literal(b"".join(postings.values()), LargeBinary), cut.c.start, cut.c.size
    )
    await connection.execute(
        insert(tables.runs).from_select(
            ["term", "segment_id", "postings"], select(cut.c.term, literal(segment_id), piece)
        )
    )


async def _erase(connection: AsyncConnection, tables: LexicalTables, span: Row[Any]) -> None:
    """Take the chunks of a span out of a segment that holds others too."""
    runs = tables.runs
    of_segment = runs.c.segment_id == span.segment_id
    rows = (await connection.execute(select(runs.c.term, runs.c.postings).where(of_segment))).all()
    stop = span.first_chunk + span.chunk_count
    left = await asyncio.to_thread(remove, [row.postings for row in rows], span.first_chunk, stop)
    terms = literal([rows[at].term for at in left], ARRAY(Text))
    await connection.execute(delete(runs).where(of_segment, runs.c.term == any_(terms)))
    kept = {rows[at].term: postings for at, postings in left.items() if postings}
    await _insert_runs(connection, tables, span.segment_id, kept)


class _Row(NamedTuple):
    """What one search reads; all but the list of languages is packed."""

    data_source_ids: list[str]
    spans: bytes
    token_count: int
    runs: bytes
    postings: bytes
    present: list[str] | None  # the languages of the engine


_FOUND = sql.SQL("""
    SELECT data_source_ids, spans, token_count, runs, postings, present
    FROM (
        SELECT string_agg(
                   int4send(array_position(%(terms)s::text[], term)) || int4send(segment_id)
                   || int4send(octet_length(postings)), ''::bytea ORDER BY term, segment_id
               ) AS runs,
               string_agg(postings, ''::bytea ORDER BY term, segment_id) {is_sent} AS postings
        FROM {runs} WHERE term = ANY(%(terms)s)
    ) AS of_terms
    CROSS JOIN (
        SELECT string_agg(
                   int4send(segment_id)
                   || int4send(coalesce(array_position(%(languages)s::text[], language), 0))
                   || int4send(first_chunk) || int4send(chunk_count) || int4send(first_position)
                   || int4send(({is_wanted})::int), ''::bytea
               ) AS spans,
               array_agg(data_source_id) AS data_source_ids,
               array_agg(DISTINCT language) AS present,
               sum(token_count)::bigint AS token_count
        FROM {spans}
    ) AS of_engine
""")
_IS_WANTED = sql.SQL("data_source_id = ANY(%(data_source_ids)s)")
_IS_SENT = sql.SQL("FILTER (WHERE segment_id IN (SELECT segment_id FROM {spans} WHERE {wanted}))")


@lru_cache(maxsize=512)
def _select_found(engine_id: str, *, in_some: bool) -> bytes:
    """Select, as one row of one snapshot, all spans and the runs of `terms`.

    The postings are left out for segments without a span of the data sources asked for. Written
    once for each engine, for that takes as long as a search.
    """
    tables = lexical_tables(engine_id)
    spans, runs = sql.Identifier(tables.spans.name), sql.Identifier(tables.runs.name)
    statement = _FOUND.format(
        spans=spans,
        runs=runs,
        is_wanted=_IS_WANTED if in_some else sql.SQL("true"),
        is_sent=_IS_SENT.format(spans=spans, wanted=_IS_WANTED) if in_some else sql.SQL(""),
    )
    return statement.as_bytes(None)


def _integers(values: Sequence[int]) -> ColumnElement[Any]:
    return literal(list(values), ARRAY(Integer))
