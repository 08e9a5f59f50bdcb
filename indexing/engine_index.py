"""The index of each engine: a LlamaIndex vector index and a keyword index, searched as one.

Chunks and postings are written in the caller's transaction, together with the row they belong to.
"""

import asyncio
import importlib
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config.errors import RetrievalFailed
from indexing import lexical
from indexing.embedding import Embedder, Vectors, query_embedding
from indexing.lexical import LexicalHit
from indexing.types import Chunk, Passage

if TYPE_CHECKING:
    from llama_index.core import VectorStoreIndex

    from indexing.vector_store import EngineVectorStore

DENSE_WEIGHT = 0.7
"""Share of the cosine in the fused score; the rest is BM25 over the query's best."""

CANDIDATES = 50
"""How many chunks each leg brings into the fusion."""

_OPEN_INDEXES = 512

# Fewer words stand together by chance; more are no quotation but a text.
_FEWEST_QUOTED_WORDS = 3
_MOST_QUOTED_WORDS = 60
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Source:
    """What the chunks of a data source know about it."""

    data_source_id: str
    file_name: str
    title: str


class EngineIndexes:
    """The indexes of all engines of one database."""

    def __init__(self, database: AsyncEngine, embedder: Embedder) -> None:
        self._database = database
        self._embedder = embedder
        self._embed_query = query_embedding(embedder)
        self._opened: OrderedDict[str, VectorStoreIndex] = OrderedDict()

    async def warm_up(self) -> None:
        """Load what the first search would have to wait for."""
        await asyncio.to_thread(importlib.import_module, "indexing.vector_store")
        await self._embed_query("warm")

    async def create(self, connection: AsyncConnection, engine_id: str) -> None:
        """Make the empty index of a new engine."""
        store = await self._store(engine_id)
        await store.create(connection)
        await lexical.create_tables(connection, engine_id)

    async def drop(self, connection: AsyncConnection, engine_id: str) -> None:
        """Drop the index of an engine with all that is in it."""
        store = await self._store(engine_id)
        await store.drop(connection)
        await lexical.drop_tables(connection, engine_id)
        self._opened.pop(engine_id, None)

    async def insert(
        self,
        connection: AsyncConnection,
        engine_id: str,
        source: Source,
        passages: Sequence[tuple[Passage, Vectors]],
    ) -> None:
        """Store the passages of a data source, each with its vector."""
        from indexing.vector_store import to_node

        nodes = [
            to_node(
                passage, vector, data_source_id=source.data_source_id, file_name=source.file_name
            )
            for passage, vector in passages
        ]
        store = await self._store(engine_id)
        await store.insert(connection, nodes)
        texts = [searched_text(source.title, passage) for passage, _ in passages]
        await lexical.insert_segment(connection, engine_id, source.data_source_id, texts)

    async def delete(
        self, connection: AsyncConnection, engine_id: str, data_source_id: str
    ) -> None:
        """Delete all that is known of a data source."""
        store = await self._store(engine_id)
        await store.delete_of(connection, data_source_id)
        await lexical.delete_segment(connection, engine_id, data_source_id)

    async def retrieve(
        self, engine_id: str, query: str, top_k: int, data_source_id: str | None = None
    ) -> list[Chunk]:
        """Return the chunks that fit a query best, best first.

        Raises:
            RetrievalFailed: the database cannot be searched.
        """
        try:
            vector, hits = await asyncio.gather(
                self._embed_query(query), self._lexical_hits(engine_id, query, data_source_id)
            )
            chunks = await self._candidates(engine_id, query, vector, hits, data_source_id)
        except (SQLAlchemyError, OSError) as error:
            raise RetrievalFailed(type(error).__name__) from error
        return fuse(query, chunks, hits)[:top_k]

    async def _lexical_hits(
        self, engine_id: str, query: str, data_source_id: str | None
    ) -> dict[str, float]:
        async with self._database.connect() as connection:
            hits = await lexical.score(connection, engine_id, query, CANDIDATES, data_source_id)
        return {_chunk_id(hit): hit.score for hit in hits}

    async def _candidates(
        self,
        engine_id: str,
        query: str,
        vector: Vectors,
        hits: Mapping[str, float],
        data_source_id: str | None,
    ) -> list[Chunk]:
        """Return the nearest chunks and those the keyword search found, scored by cosine."""
        index = await self._index(engine_id)
        from llama_index.core import QueryBundle

        from indexing.vector_store import to_chunk

        retriever = index.as_retriever(
            similarity_top_k=CANDIDATES,
            vector_store_kwargs={"data_source_id": data_source_id, "node_ids": list(hits)},
        )
        found = await retriever.aretrieve(QueryBundle(query, embedding=vector.tolist()))
        return [to_chunk(one.node, one.score or 0.0) for one in found]

    async def _store(self, engine_id: str) -> "EngineVectorStore":
        from indexing.vector_store import EngineVectorStore

        store = (await self._index(engine_id)).vector_store
        assert isinstance(store, EngineVectorStore)
        return store

    async def _index(self, engine_id: str) -> "VectorStoreIndex":
        """Return the engine's LlamaIndex index; the latest used stay open."""
        index = self._opened.get(engine_id)
        if index is None:
            # The first one waits for LlamaIndex's import, which takes a second or two.
            index = await asyncio.to_thread(self._open, engine_id)
            self._opened[engine_id] = index
        self._opened.move_to_end(engine_id)
        while len(self._opened) > _OPEN_INDEXES:
            self._opened.popitem(last=False)
        return index

    def _open(self, engine_id: str) -> "VectorStoreIndex":
        from llama_index.core import VectorStoreIndex

        from indexing.llama_embedding import EngineEmbedding
        from indexing.vector_store import EngineVectorStore

        return VectorStoreIndex.from_vector_store(
            EngineVectorStore.of_engine(engine_id, self._database, self._embedder.dimensions),
            embed_model=EngineEmbedding(self._embedder),
        )


def searched_text(title: str, passage: Passage) -> str:
    """Return what a passage is found by: its text below its document's title and its heading."""
    header = " > ".join(part for part in (title, passage.section) if part)
    return f"{header}\n{passage.content}" if header else passage.content


def fuse(query: str, chunks: Sequence[Chunk], lexical_scores: Mapping[str, float]) -> list[Chunk]:
    """Order chunks by a convex combination of their cosine and their BM25 score.

    BM25 is divided by the query's best, so that both lie between 0 and 1 (Bruch et al. 2023, "An
    Analysis of Fusion Functions for Hybrid Retrieval"). A chunk that has the query word for word
    stands before all others: whoever copies a passage wants that passage.
    """
    best = max(lexical_scores.values(), default=0.0) or 1.0
    verbatim = _verbatim(query)

    def score(chunk: Chunk) -> float:
        lexical_share = lexical_scores.get(chunk.chunk_id, 0.0) / best
        fused = DENSE_WEIGHT * chunk.score + (1 - DENSE_WEIGHT) * lexical_share
        return fused + 1 if verbatim and verbatim.search(chunk.content) else fused

    scored = [replace(chunk, score=score(chunk)) for chunk in chunks]
    return sorted(scored, key=lambda chunk: (-chunk.score, chunk.chunk_id))


def _verbatim(query: str) -> re.Pattern[str] | None:
    """Return what finds the words of a query in their order, whatever stands between them."""
    words = _WORD.findall(query)
    if not _FEWEST_QUOTED_WORDS <= len(words) <= _MOST_QUOTED_WORDS:
        return None
    return re.compile(r"[\W_]*".join(map(re.escape, words)), re.IGNORECASE)


def _chunk_id(hit: LexicalHit) -> str:
    from indexing.vector_store import chunk_id

    return chunk_id(hit.data_source_id, hit.position)
