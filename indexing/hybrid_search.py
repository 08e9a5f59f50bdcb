"""One search of an engine: by meaning and by words, in one order.

The vectors are compared in memory where they are held there (`vector_cache.py`), else by
PostgreSQL or Milvus, beside the search by words.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

import psycopg
from psycopg.errors import UndefinedColumn, UndefinedTable

from indexing.chunk_ids import chunk_id
from indexing.chunk_search import ChunkSearch
from indexing.dense_search import Wanted, nearest_chunks, scored_chunks
from indexing.embedding import EmbedderAway, Vectors
from indexing.fusion import fuse
from indexing.lexical_search import LexicalResult, LexicalSearch
from indexing.milvus import Milvus
from indexing.search_connections import SearchConnections
from indexing.span_layout import EngineContents
from indexing.types import Chunk
from indexing.vector_cache import HeldVectors, VectorCache

LARGE_ENGINE_CHUNKS = 20_000
"""From here on the nearest chunks are found by a graph. Up to here all are compared, which is
exact, and takes some milliseconds."""

CANDIDATES = 50
"""How many chunks each leg brings into the fusion."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for."""

    text: str
    embedding: Future[Vectors]
    top_k: int
    data_source_ids: Sequence[str] | None  # None for those of the whole engine


class HybridSearch:
    """Searches the engines of one database; any thread may, on a connection of its own."""

    def __init__(self, connections: SearchConnections, vectors: VectorCache) -> None:
        self._connections = connections
        self._vectors = vectors
        self._lexical_search = LexicalSearch()
        self._searched_by_words: set[str] = set()

    def search(
        self, connection: psycopg.Connection, table: ChunkSearch, milvus: Milvus, asked: Question
    ) -> list[Chunk]:
        """Return the chunks that fit best, best first.

        By their words alone where the question cannot be embedded, or where the engine's vectors
        are those of another embedder.
        """
        held = self._vectors.get(table.engine_id)
        if held is not None:
            chunks = self._search_held(connection, table, held, asked)
            if chunks is not None:
                return chunks
        return self._search_stores(connection, table, milvus, asked)

    def _search_held(
        self, connection: psycopg.Connection, table: ChunkSearch, held: HeldVectors, asked: Question
    ) -> list[Chunk] | None:
        """Compare the vectors in memory; None where they are not those of the engine any more."""
        found = self._find_words(connection, table, asked)
        if held.contents != found.contents or asked.embedding.exception() is not None:
            return None
        cosines = held.cosines(
            asked.embedding.result(), CANDIDATES, _ids(found), asked.data_source_ids
        )
        chunks = table.select(connection, cosines)
        if len(chunks) < len(cosines):
            return None  # Some were deleted just now, and took the places of others.
        return fuse(asked.text, chunks, found, asked.top_k)

    def _search_stores(
        self, connection: psycopg.Connection, table: ChunkSearch, milvus: Milvus, asked: Question
    ) -> list[Chunk]:
        def nearest(connection: psycopg.Connection) -> list[Chunk]:
            wanted = Wanted(asked.embedding.result(), CANDIDATES, asked.data_source_ids)
            return nearest_chunks(connection, table, milvus, wanted)

        # Both at once, for either may take the longer. Each sees all that was committed when the
        # search began.
        by_meaning = self._connections.begin_beside(nearest)
        found = self._find_words(connection, table, asked)
        self._begin_reading(table, found.contents)
        ids = _ids(found)
        try:
            vector = asked.embedding.result()
            by_words = scored_chunks(connection, table, milvus, vector, ids)
            chunks = {chunk.chunk_id: chunk for chunk in (*by_words, *by_meaning.result())}
        except (EmbedderAway, UndefinedColumn) as error:
            self._note_search_by_words(table.engine_id, error)
            by_words = table.select(connection, dict.fromkeys(ids, 0.0))
            chunks = {chunk.chunk_id: chunk for chunk in by_words}
        return fuse(asked.text, list(chunks.values()), found, asked.top_k)

    def _find_words(
        self, connection: psycopg.Connection, table: ChunkSearch, asked: Question
    ) -> LexicalResult:
        return self._lexical_search.score(
            connection, table.engine_id, asked.text, CANDIDATES, asked.data_source_ids
        )

    def _begin_reading(self, table: ChunkSearch, contents: EngineContents) -> None:
        """Read the vectors of the engine into memory, beside the searches, if it is time to."""
        if contents.chunk_count >= LARGE_ENGINE_CHUNKS:
            return
        if self._vectors.begin_reading(table.engine_id, contents):
            reading = self._connections.begin_beside(partial(self._vectors.read, table=table))
            reading.add_done_callback(partial(self._end_reading, table.engine_id))

    def _end_reading(self, engine_id: str, reading: Future[None]) -> None:
        self._vectors.end_reading()
        error = reading.exception()
        # Where the engine is gone, or has vectors of another embedder, the searches say so.
        if error is not None and not isinstance(error, UndefinedColumn | UndefinedTable):
            _logger.warning("The vectors of %s stay on disk", engine_id, exc_info=error)

    def _note_search_by_words(self, engine_id: str, error: Exception) -> None:
        """Log, once for each engine, that it lacks vectors; of failures its embedder logs."""
        if isinstance(error, UndefinedColumn) and engine_id not in self._searched_by_words:
            self._searched_by_words.add(engine_id)
            _logger.warning(
                "%s has vectors of another embedder only, and is searched by words alone: run "
                "`ke engines reembed %s`",
                engine_id,
                engine_id,
            )


def _ids(found: LexicalResult) -> list[str]:
    return [chunk_id(hit.data_source_id, hit.position) for hit in found.hits]
