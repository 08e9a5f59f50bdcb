"""The nearest chunks of an engine, wherever its vectors live.

Milvus knows ids and vectors only, and may know too many: what was deleted a moment ago, or was left
by a death. The chunks come from PostgreSQL, so such ids find nothing, and never count.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import psycopg

from indexing.embedding import Vectors
from indexing.milvus import MOST_AT_ONCE, Milvus, MilvusAway
from indexing.types import Chunk
from indexing.vector_store import EngineVectorStore

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for: the `limit` nearest chunks, and those with these ids."""

    vector: Vectors
    limit: int
    chunk_ids: Sequence[str]
    data_source_ids: Sequence[str] | None  # None for those of the whole engine


def search_vectors(
    connection: psycopg.Connection, store: EngineVectorStore, milvus: Milvus, wanted: Wanted
) -> list[Chunk]:
    """Return the nearest chunks and those with the given ids, scored by cosine, in any order.

    Chunks without a vector have a cosine of 0, and count as farthest. While Milvus is away, all of
    its engines are such chunks, so that words alone decide.
    """
    chunks = _search_postgres(connection, store, wanted)
    if chunks:
        return chunks
    if store.is_in_milvus(connection):
        chunks = _search_milvus(connection, store, milvus, wanted)
        if store.is_in_milvus(connection):
            return chunks
    # There are none, or they were moved to PostgreSQL just now.
    return _search_postgres(connection, store, wanted)


def _search_postgres(
    connection: psycopg.Connection, store: EngineVectorStore, wanted: Wanted
) -> list[Chunk]:
    return store.search(
        connection, wanted.vector, wanted.limit, wanted.chunk_ids, wanted.data_source_ids
    )


def _search_milvus(
    connection: psycopg.Connection, store: EngineVectorStore, milvus: Milvus, wanted: Wanted
) -> list[Chunk]:
    try:
        chunks = _with_vectors(connection, store, milvus, wanted)
    except MilvusAway:
        _logger.warning("%s is searched by words alone", store.table_name)
        chunks = store.select_chunks(connection, wanted.chunk_ids)
    missing = wanted.limit - len(chunks)
    if missing > 0:
        found = [chunk.chunk_id for chunk in chunks]
        chunks += store.select_others(connection, found, missing, wanted.data_source_ids)
    return chunks


def _with_vectors(
    connection: psycopg.Connection, store: EngineVectorStore, milvus: Milvus, wanted: Wanted
) -> list[Chunk]:
    """Return the nearest of the chunks that have a vector, and those with the given ids."""
    engine_id, of_some, limit = store.table_name, wanted.data_source_ids or (), wanted.limit
    while True:
        cosines = milvus.nearest(engine_id, wanted.vector, limit, data_source_ids=of_some)
        chunks = _scored(store.select_chunks(connection, list(cosines)), cosines)
        if len(chunks) >= wanted.limit or len(cosines) < limit or limit == MOST_AT_ONCE:
            break
        # Chunks that are gone took places of others.
        limit = min(2 * limit, MOST_AT_ONCE)
    chunks = sorted(chunks, key=lambda chunk: -chunk.score)[: wanted.limit]
    found = {chunk.chunk_id for chunk in chunks}
    others = [one for one in wanted.chunk_ids if one not in found]
    if others:
        cosines = milvus.nearest(engine_id, wanted.vector, len(others), chunk_ids=others)
        chunks += _scored(store.select_chunks(connection, others), cosines)
    return chunks


def _scored(chunks: Sequence[Chunk], cosines: Mapping[str, float]) -> list[Chunk]:
    return [replace(chunk, score=cosines.get(chunk.chunk_id, 0.0)) for chunk in chunks]
