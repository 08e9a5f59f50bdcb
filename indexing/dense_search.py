"""The nearest chunks of an engine, wherever its vectors live.

Milvus knows ids and vectors only, and may know too many: what was deleted a moment ago, or was left
by a death. The chunks come from PostgreSQL, so such ids find nothing, and never count.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import psycopg

from indexing.chunk_search import ChunkSearch
from indexing.embedding import Vectors
from indexing.milvus import MOST_AT_ONCE, Milvus, MilvusAway
from indexing.types import Chunk

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: the `limit` nearest chunks."""

    vector: Vectors
    limit: int
    data_source_ids: Sequence[str] | None  # None for those of the whole engine


def nearest_chunks(
    connection: psycopg.Connection, table: ChunkSearch, milvus: Milvus, wanted: Wanted
) -> list[Chunk]:
    """Return the nearest chunks, scored by cosine, in any order; fewer where there are no more.

    Chunks without a vector have a cosine of 0, and count as farthest. While Milvus is away, all of
    its engines are such chunks, so that words alone decide.
    """
    chunks = _search_postgres(connection, table, wanted)
    if chunks:
        return chunks
    if table.is_in_milvus(connection):
        chunks = _search_milvus(connection, table, milvus, wanted)
        if table.is_in_milvus(connection):
            return chunks
    # There are none, or they were moved to PostgreSQL just now.
    return _search_postgres(connection, table, wanted)


def scored_chunks(
    connection: psycopg.Connection,
    table: ChunkSearch,
    milvus: Milvus,
    vector: Vectors,
    chunk_ids: Sequence[str],
) -> list[Chunk]:
    """Return the chunks with these ids, as far as there are such; scored as the nearest are."""
    chunks = table.select_scored(connection, vector, chunk_ids)
    if chunks is not None:
        return chunks
    cosines = dict.fromkeys(chunk_ids, 0.0)
    with suppress(MilvusAway):  # who looks for the nearest says so
        cosines |= milvus.nearest(table.engine_id, vector, len(chunk_ids), chunk_ids=chunk_ids)
    return table.select(connection, cosines)


def _search_postgres(
    connection: psycopg.Connection, table: ChunkSearch, wanted: Wanted
) -> list[Chunk]:
    return table.nearest(connection, wanted.vector, wanted.limit, wanted.data_source_ids)


def _search_milvus(
    connection: psycopg.Connection, table: ChunkSearch, milvus: Milvus, wanted: Wanted
) -> list[Chunk]:
    try:
        chunks = _with_vectors(connection, table, milvus, wanted)
    except MilvusAway:
        _logger.warning("%s is searched by words alone", table.engine_id)
        chunks = []
    missing = wanted.limit - len(chunks)
    if missing > 0:
        found = [chunk.chunk_id for chunk in chunks]
        chunks += table.select_others(connection, found, missing, wanted.data_source_ids)
    return chunks


def _with_vectors(
    connection: psycopg.Connection, table: ChunkSearch, milvus: Milvus, wanted: Wanted
) -> list[Chunk]:
    """Return the nearest of the chunks that have a vector."""
    engine_id, of_some, limit = table.engine_id, wanted.data_source_ids or (), wanted.limit
    while True:
        cosines = milvus.nearest(engine_id, wanted.vector, limit, data_source_ids=of_some)
        chunks = table.select(connection, cosines)
        if len(chunks) >= wanted.limit or len(cosines) < limit or limit == MOST_AT_ONCE:
            break
        # Chunks that are gone took places of others.
        limit = min(2 * limit, MOST_AT_ONCE)
    return sorted(chunks, key=lambda chunk: -chunk.score)[: wanted.limit]
