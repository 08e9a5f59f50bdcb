"""How much an engine's index holds, of one data source or of all: for receipts of deletions."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sqlalchemy import Boolean, ColumnElement, column, func, select, table, true
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from config.settings import VectorStoreName
from indexing.lexical_tables import lexical_tables
from indexing.placement import select_placement
from indexing.postings import POSTING


class Place(NamedTuple):
    """Where postings of a data source lie: a stretch of the chunks of one segment."""

    segment_id: int
    first_chunk: int
    chunk_count: int


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """What an index holds."""

    chunks: int = 0
    vectors: int = 0
    postings: int = 0


async def count_engine(connection: AsyncConnection, engine_id: str) -> IndexCounts:
    """Count what the index of an engine holds; nothing where its tables are gone."""
    if not await has_tables(connection, engine_id):
        return IndexCounts()
    chunks, vectors = await _count_chunks(connection, engine_id, true())
    return IndexCounts(chunks, vectors, await _count_all_postings(connection, engine_id))


async def count_data_source(
    connection: AsyncConnection, engine_id: str, data_source_id: str, places: Sequence[Place]
) -> IndexCounts:
    """Count what the index of an engine holds of a data source, its postings at these places."""
    if not await has_tables(connection, engine_id):
        return IndexCounts()
    owner = column("metadata_", JSONB)["ref_doc_id"].astext
    chunks, vectors = await _count_chunks(connection, engine_id, owner == data_source_id)
    postings = [await _count_postings(connection, engine_id, place) for place in places]
    return IndexCounts(chunks, vectors, sum(postings))


async def select_places(
    connection: AsyncConnection, engine_id: str, data_source_id: str
) -> list[Place]:
    """Return where the postings of a data source lie, until its segments are merged."""
    spans = lexical_tables(engine_id).spans.c
    statement = select(spans.segment_id, spans.first_chunk, spans.chunk_count).where(
        spans.data_source_id == data_source_id
    )
    return [Place(*row) for row in (await connection.execute(statement)).all()]


async def has_tables(connection: AsyncConnection, engine_id: str) -> bool:
    """Tell whether any table of the engine's index is there: all are made and dropped together."""
    tables = lexical_tables(engine_id)
    names = (_chunk_table_name(engine_id), tables.spans.name, tables.runs.name)
    found = func.coalesce(*(func.to_regclass(name) for name in names))
    return bool((await connection.execute(select(found.is_not(None)))).scalar())


async def _count_chunks(
    connection: AsyncConnection, engine_id: str, which: ColumnElement[bool]
) -> tuple[int, int]:
    """Return how many chunks there are, and how many of them have a vector, here or in Milvus."""
    has_vector: ColumnElement[bool] = column("embedding").is_not(None)
    placement = await select_placement(connection, engine_id)
    if placement is not None and placement.store is VectorStoreName.MILVUS:
        has_vector |= column("is_in_milvus", Boolean)
    statement = (
        select(func.count(), func.count().filter(has_vector))
        .select_from(table(_chunk_table_name(engine_id)))
        .where(which)
    )
    chunks, vectors = (await connection.execute(statement)).one()
    return chunks, vectors


async def _count_all_postings(connection: AsyncConnection, engine_id: str) -> int:
    postings = lexical_tables(engine_id).runs.c.postings
    size = func.coalesce(func.sum(func.octet_length(postings)), 0)
    return int((await connection.execute(select(size))).scalar_one()) // POSTING.itemsize


async def _count_postings(connection: AsyncConnection, engine_id: str, place: Place) -> int:
    runs = lexical_tables(engine_id).runs.c
    statement = select(runs.postings).where(runs.segment_id == place.segment_id)
    packed = (await connection.execute(statement)).scalars().all()
    return await asyncio.to_thread(_count_within, packed, place)


def _count_within(packed: Sequence[bytes], place: Place) -> int:
    chunks = np.frombuffer(b"".join(packed), POSTING)["chunk"].astype(np.int64) - place.first_chunk
    return int(np.count_nonzero((chunks >= 0) & (chunks < place.chunk_count)))


def _chunk_table_name(engine_id: str) -> str:
    # The name that PGVectorStore makes of the one it is given: indexing/vector_store.py.
    return f"data_{engine_id}"
