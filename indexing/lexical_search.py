"""Keyword search with exact BM25 scores, over postings packed into PostgreSQL.

A question reads the rows of its terms from one snapshot and is scored in numpy (`bm25.py`). Whose
the chunks are it reads only of segments that are new to this process.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import psycopg
from psycopg import sql
from psycopg.rows import class_row

from indexing.bm25 import PLACE, RUN, Found, distinct_terms, rank
from indexing.lexical_tables import lexical_tables
from indexing.postings import POSTING
from indexing.span_layout import CONTENTS, COUNTS, SPAN, EngineContents, SpanLayouts
from indexing.terms import query_terms


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk that has at least one term of the query."""

    data_source_id: str
    position: int
    score: float


@dataclass(frozen=True, slots=True)
class LexicalResult:
    """What keyword search found."""

    hits: Sequence[LexicalHit] = ()  # best first
    fits: Mapping[str, float] = field(default_factory=dict)  # to 1, of data sources that fit at all
    contents: EngineContents = field(default_factory=EngineContents)  # of the engine


class LexicalSearch:
    """Searches the engines of one database; any thread may, on a connection of its own."""

    def __init__(self) -> None:
        self._layouts = SpanLayouts()

    def score(
        self,
        connection: psycopg.Connection,
        engine_id: str,
        query: str,
        limit: int,
        data_source_ids: Sequence[str] | None = None,
    ) -> LexicalResult:
        """Return the best chunks, of these data sources if given, by BM25 of the whole engine.

        Chunks of equal score come by data source and position. How well data sources fit is judged
        where none are given.
        """
        tables = lexical_tables(engine_id)
        known = self._layouts.spans(engine_id)
        values: dict[str, object] = {
            "data_source_ids": list(data_source_ids or ()),
            "known": list(known),
        }
        in_some = data_source_ids is not None
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
        counts = np.frombuffer(row.counts or b"", COUNTS)
        contents = EngineContents.of(counts)
        if not row.postings:
            return LexicalResult(contents=contents)
        new = np.frombuffer(row.new_spans, SPAN)
        found = Found(
            layout=self._layouts.layout(engine_id, counts, known, new, row.data_source_ids),
            counts=counts,
            runs=np.frombuffer(row.runs, RUN),
            postings=np.frombuffer(row.postings, POSTING),
            wanted=np.frombuffer(row.wanted, PLACE) if in_some else None,
        )
        ranked = rank(words, found, limit)
        hits = [LexicalHit(*chunk) for chunk in ranked.chunks]
        return LexicalResult(hits, ranked.fits, contents)


def select_contents(connection: psycopg.Connection, engine_id: str) -> EngineContents:
    """Return which chunks an engine has, as a search tells it."""
    statement = sql.SQL("SELECT {columns} FROM {counts} ORDER BY segment_id").format(
        columns=sql.SQL(", ").join(map(sql.Identifier, CONTENTS)),
        counts=sql.Identifier(lexical_tables(engine_id).counts.name),
    )
    rows = connection.execute(statement).fetchall()
    return EngineContents.of(np.array(rows, [(name, COUNTS[name]) for name in CONTENTS]))


class _Row(NamedTuple):
    """What one search reads; packed, but for two lists."""

    runs: bytes
    postings: bytes
    counts: bytes | None  # None of an engine without chunks
    present: list[str] | None  # the languages of the engine
    new_spans: bytes
    data_source_ids: list[str]  # of the new spans
    wanted: bytes


# To plan it each time takes a seventh of a search by words. PostgreSQL keeps the plan if it is as
# good as one for the very terms, so it must not see how many they are: hence ARRAY(SELECT …).
_FOUND = sql.SQL("""
    SELECT runs, postings, counts, present, new_spans, data_source_ids, {wanted} AS wanted
    FROM (
        SELECT string_agg(
                   int4send(array_position(%(terms)s::text[], term)) || int4send(segment_id)
                   || int4send(octet_length(postings)), ''::bytea ORDER BY term, segment_id
               ) AS runs,
               string_agg(postings, ''::bytea ORDER BY term, segment_id) {is_sent} AS postings
        FROM {runs} WHERE term = ANY(ARRAY(SELECT unnest(%(terms)s::text[])))
    ) AS of_terms
    CROSS JOIN (
        SELECT string_agg(
                   int4send(segment_id) || int8send(stamp)
                   || int4send(coalesce(array_position(%(languages)s::text[], language), 0))
                   || int4send(extent) || int4send(span_count) || int4send(chunk_count)
                   || int8send(token_count), ''::bytea ORDER BY segment_id
               ) AS counts,
               array_agg(DISTINCT language) AS present
        FROM {counts}
    ) AS of_segments
    CROSS JOIN (
        SELECT coalesce(string_agg(
                   int4send(segment_id) || int4send(first_chunk) || int4send(chunk_count)
                   || int4send(first_position), ''::bytea ORDER BY segment_id, first_chunk
               ), '') AS new_spans,
               coalesce(
                   array_agg(data_source_id ORDER BY segment_id, first_chunk), '{{}}'
               ) AS data_source_ids
        FROM (
            SELECT segment_id AS id FROM {counts}
            WHERE stamp NOT IN (SELECT unnest(%(known)s::int8[]))
        ) AS new_segment
        CROSS JOIN LATERAL (
            SELECT * FROM {spans} WHERE segment_id = new_segment.id OFFSET 0
        ) AS span
    ) AS of_new_segments
""")
_WANTED = sql.SQL("""(
    SELECT coalesce(string_agg(
               int4send(segment_id) || int4send(first_chunk) || int4send(chunk_count), ''::bytea
           ), '')
    FROM {spans} WHERE data_source_id = ANY(%(data_source_ids)s)
)""")
_IS_SENT = sql.SQL("""FILTER (
    WHERE segment_id IN (
        SELECT segment_id FROM {spans} WHERE data_source_id = ANY(%(data_source_ids)s)
    )
)""")


@lru_cache(maxsize=512)
def _select_found(engine_id: str, *, in_some: bool) -> bytes:
    """Select, as one row of one snapshot, the runs of `terms` and what they are to be read with.

    The postings are left out for segments without a span of the data sources asked for. Written
    once for each engine, for that takes as long as a search.
    """
    tables = lexical_tables(engine_id)
    spans = sql.Identifier(tables.spans.name)
    statement = _FOUND.format(
        spans=spans,
        runs=sql.Identifier(tables.runs.name),
        counts=sql.Identifier(tables.counts.name),
        wanted=_WANTED.format(spans=spans) if in_some else sql.SQL("''::bytea"),
        is_sent=_IS_SENT.format(spans=spans) if in_some else sql.SQL(""),
    )
    return statement.as_bytes(None)
