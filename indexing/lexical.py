"""Keyword search with exact BM25 scores, over postings packed into PostgreSQL.

A segment holds the chunks of one data source: their lengths, and for each term the chunks that
have it and how often. A question reads a row per term and segment and is scored in numpy.
"""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    Select,
    Table,
    Text,
    any_,
    case,
    cast,
    delete,
    func,
    insert,
    literal,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from indexing.terms import terms

K1 = 1.2
B = 0.75

ENGINE_ID = re.compile(r"[a-z0-9_]{1,40}")

# One chunk that has the term, and how often. Little-endian and unpadded: it lies on disk so.
POSTING = np.dtype([("position", "<u4"), ("frequency", "<u2")])
LENGTH = np.dtype("<u4")
# The postings of one term in one segment, as PostgreSQL describes them: the term's number in the
# query, from 1, and the bytes they take.
RUN = np.dtype([("term", ">i4"), ("size", ">i4")])


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk that has at least one term of the query."""

    data_source_id: str
    position: int
    score: float


@dataclass(frozen=True, slots=True)
class _Segment:
    """The chunks of a data source as they are stored."""

    chunk_count: int
    token_count: int
    lengths: bytes
    postings: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class _Tables:
    metadata: MetaData
    segments: Table
    postings: Table


async def create_tables(connection: AsyncConnection, engine_id: str) -> None:
    """Create the engine's tables where they do not exist."""
    await connection.run_sync(_tables(engine_id).metadata.create_all)


async def drop_tables(connection: AsyncConnection, engine_id: str) -> None:
    """Drop the engine's tables where they exist."""
    await connection.run_sync(_tables(engine_id).metadata.drop_all)


async def insert_segment(
    connection: AsyncConnection, engine_id: str, data_source_id: str, texts: Sequence[str]
) -> None:
    """Store what the chunks of a data source are found by, in the order of their positions."""
    tables = _tables(engine_id)
    segment = await asyncio.to_thread(_segment, texts)
    await connection.execute(
        insert(tables.segments).values(
            data_source_id=data_source_id,
            chunk_count=segment.chunk_count,
            token_count=segment.token_count,
            lengths=segment.lengths,
        )
    )
    if segment.postings:
        await connection.execute(
            insert(tables.postings),
            [
                {"term": term, "data_source_id": data_source_id, "postings": postings}
                for term, postings in segment.postings.items()
            ],
        )


async def delete_segment(connection: AsyncConnection, engine_id: str, data_source_id: str) -> None:
    """Forget the chunks of a data source."""
    tables = _tables(engine_id)
    for table in (tables.postings, tables.segments):
        await connection.execute(delete(table).where(table.c.data_source_id == data_source_id))


async def score(
    connection: AsyncConnection,
    engine_id: str,
    query: str,
    limit: int,
    data_source_id: str | None = None,
) -> list[LexicalHit]:
    """Return the best chunks, of one data source if it is given, by BM25 over the whole engine.

    Chunks of equal score come by data source and position.
    """
    wanted = Counter(terms(query))
    statement = _select_postings(_tables(engine_id), list(wanted), data_source_id)
    rows = (await connection.execute(statement)).all()
    return await asyncio.to_thread(_best, rows, wanted, limit)


@lru_cache(maxsize=256)
def _tables(engine_id: str) -> _Tables:
    """Describe the engine's tables; the same objects each time, or SQLAlchemy compiles anew."""
    if not ENGINE_ID.fullmatch(engine_id):
        raise ValueError(f"engine id {engine_id!r} cannot be part of a table's name")
    metadata = MetaData()
    segments = Table(
        f"lexical_segments_{engine_id}",
        metadata,
        Column("data_source_id", Text, primary_key=True),
        Column("chunk_count", Integer, nullable=False),
        Column("token_count", BigInteger, nullable=False),
        Column("lengths", LargeBinary, nullable=False),
    )
    postings = Table(
        f"lexical_postings_{engine_id}",
        metadata,
        Column("term", Text(collation="C"), primary_key=True),
        Column("data_source_id", Text, primary_key=True),
        Column("postings", LargeBinary, nullable=False),
        Index(f"lexical_sources_{engine_id}", "data_source_id"),
    )
    return _Tables(metadata, segments, postings)


def _segment(texts: Sequence[str]) -> _Segment:
    """Count the terms of the chunks and pack the counts by term."""
    lengths = np.zeros(len(texts), dtype=LENGTH)
    occurrences: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    highest = np.iinfo(POSTING["frequency"]).max
    for position, text in enumerate(texts):
        found = terms(text)
        lengths[position] = len(found)
        for term, frequency in Counter(found).items():
            occurrences[term].append((position, min(frequency, highest)))
    postings = {
        # In the order of the index, which then grows at one place after the other.
        term: np.array(occurrences[term], dtype=POSTING).tobytes()
        for term in sorted(occurrences)
    }
    return _Segment(len(texts), int(lengths.sum()), lengths.tobytes(), postings)


def _select_postings(
    tables: _Tables, wanted: list[str], data_source_id: str | None
) -> Select[tuple[Any, ...]]:
    """Select a row per segment that has a wanted term, all from one snapshot.

    Where one data source is asked for, the others give the sizes of their postings only.
    """
    postings, segments = tables.postings.c, tables.segments.c
    in_found: ColumnElement[bool] = true()
    in_segments: ColumnElement[bool] = true()
    if data_source_id is not None:
        in_found = postings.data_source_id == data_source_id
        in_segments = segments.data_source_id == data_source_id
    terms_wanted = literal(wanted, ARRAY(Text))
    number = func.array_position(terms_wanted, postings.term)
    size = func.octet_length(postings.postings)
    by_term = aggregate_order_by(literal(b""), postings.term)
    found = (
        select(
            postings.data_source_id,
            func.string_agg(func.int4send(number).concat(func.int4send(size)), by_term).label(
                "runs"
            ),
            func.string_agg(postings.postings, by_term).filter(in_found).label("postings"),
        )
        .where(postings.term == any_(terms_wanted))
        .group_by(postings.data_source_id)
        .subquery()
    )
    totals = select(
        func.sum(segments.chunk_count).label("chunk_count"),
        cast(func.sum(segments.token_count), BigInteger).label("token_count"),
    ).subquery()
    return (
        select(found, totals, case((in_segments, segments.lengths)).label("lengths"))
        .join_from(found, tables.segments, found.c.data_source_id == segments.data_source_id)
        .join(totals, true())
    )


def _best(rows: Sequence[Row[Any]], wanted: Counter[str], limit: int) -> list[LexicalHit]:
    """Score the chunks of the rows and return the best."""
    weights = _term_weights(rows, wanted)
    rows = sorted((row for row in rows if row.postings), key=lambda row: str(row.data_source_id))
    if not rows:
        return []
    postings = _joined((row.postings for row in rows), POSTING)
    lengths = _joined((row.lengths for row in rows), LENGTH)
    runs = _joined((row.runs for row in rows), RUN)
    run_sizes = runs["size"] // POSTING.itemsize
    starts = np.cumsum([0, *(len(row.lengths) // LENGTH.itemsize for row in rows)])
    run_starts = np.repeat(starts[:-1], [len(row.runs) // RUN.itemsize for row in rows])

    chunks = np.repeat(run_starts, run_sizes) + postings["position"]
    average_length = rows[0].token_count / rows[0].chunk_count
    slowness = K1 * (1 - B + B * lengths[chunks] / average_length)
    gains = np.repeat(weights[runs["term"]], run_sizes) / (1 + slowness / postings["frequency"])
    scores = np.bincount(chunks, gains).astype(np.float64)
    best = _highest(scores, limit)
    owners = np.searchsorted(starts, best, side="right") - 1
    return [
        LexicalHit(rows[owner].data_source_id, int(chunk - starts[owner]), float(scores[chunk]))
        for chunk, owner in zip(best, owners, strict=True)
    ]


def _term_weights(rows: Sequence[Row[Any]], wanted: Counter[str]) -> NDArray[np.float64]:
    """Weigh each term by its rarity in the engine and its count in the query, the first at 1."""
    runs = _joined((row.runs for row in rows), RUN)
    with_term = np.bincount(runs["term"], runs["size"], len(wanted) + 1) / POSTING.itemsize
    chunk_count = rows[0].chunk_count if rows else 0
    rarity = np.log(1 + (chunk_count - with_term + 0.5) / (with_term + 0.5))
    weights: NDArray[np.float64] = rarity * np.array([0, *wanted.values()])
    return weights


def _joined(packed: Iterable[bytes], dtype: np.dtype[Any]) -> NDArray[Any]:
    return np.frombuffer(b"".join(packed), dtype)


def _highest(scores: NDArray[np.float64], limit: int) -> NDArray[np.intp]:
    """Return the places of the highest scores above 0, the first of equals first."""
    lowest = 0.0
    if limit < len(scores):
        lowest = max(lowest, np.partition(scores, -limit)[-limit])
    candidates = np.flatnonzero((scores >= lowest) & (scores > 0))
    return candidates[np.argsort(-scores[candidates], kind="stable")][:limit]
