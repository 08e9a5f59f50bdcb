"""The index of each engine: a LlamaIndex vector index and a keyword index, searched as one.

Chunks and postings are written in the caller's transaction, together with the row they belong to.
"""

import asyncio
import importlib
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from psycopg.errors import UndefinedColumn
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config.errors import RetrievalFailed
from config.settings import VectorStoreName
from indexing import lexical
from indexing.chunk_ids import chunk_id, data_source_of
from indexing.embedding import Embedder, EmbedderAway, QueryEmbedding, Vectors
from indexing.headers import joined
from indexing.hybrid_search import HybridSearch, Question
from indexing.language import language_of, sampled
from indexing.lexical_merge import merge_segments
from indexing.milvus import Milvus
from indexing.neighbours import join_neighbours, neighbour_ids
from indexing.placement import (
    Placement,
    hold_placement,
    insert_unclaimed_vectors,
    select_placement,
)
from indexing.postings import Segment
from indexing.search_connections import SearchConnections
from indexing.types import Chunk, Passage
from indexing.vector_cache import VectorCache

if TYPE_CHECKING:
    from llama_index.core import VectorStoreIndex

    from indexing.vector_store import EngineVectorStore

_logger = logging.getLogger(__name__)

_OPEN_INDEXES = 512


@dataclass(frozen=True, slots=True)
class Source:
    """What the chunks of a data source know about it."""

    data_source_id: str
    file_name: str
    name: str  # the words that it is searched by


@dataclass(frozen=True, slots=True)
class Packed:
    """The passages of a data source, ready to be stored."""

    source: Source
    passages: Sequence[tuple[Passage, Vectors | None]]  # with the vectors that are known already
    segments: Sequence[Segment]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a process gives its searches."""

    at_once: int = 4
    replica_url: str = ""
    vector_cache_bytes: int = 128 * 2**20


class VectorsMissing(Exception):
    """An engine has no vectors of the embedder of this process, but of another one."""


class EngineIndexes:
    """The indexes of all engines of one database.

    Queries are embedded by `embedder`; `column` is where the vectors stand that can be compared
    with its own, in the table of each engine. None stands for that of the built-in model. Those
    of engines that live in Milvus are in `milvus`.
    """

    def __init__(
        self,
        database: AsyncEngine,
        embedder: Embedder,
        options: SearchOptions = SearchOptions(),  # it cannot be changed
        column: str | None = None,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._column = column
        self.milvus = Milvus()
        self._connections = SearchConnections(
            libpq_url(database), options.at_once, options.replica_url
        )
        vectors = VectorCache(options.vector_cache_bytes, embedder.dimensions)
        self._search = HybridSearch(self._connections, vectors)
        # Statements that stand for themselves, and one that cannot be in a transaction.
        self._autocommit = database.execution_options(isolation_level="AUTOCOMMIT")
        self._queries = QueryEmbedding(embedder)
        self._opened: OrderedDict[str, VectorStoreIndex] = OrderedDict()

    def embed_ahead(self, query: str) -> None:
        """Begin to embed a query that will be asked; a failure shows when it is."""
        self._queries.submit(query)

    async def warm_up(self) -> None:
        """Load what the first search would have to wait for."""
        await asyncio.to_thread(importlib.import_module, "indexing.vector_store")
        with suppress(EmbedderAway):
            await asyncio.wrap_future(self._queries.submit("warm"))

    async def close(self) -> None:
        """Let the searches end, and give their connections back."""
        self._queries.close()
        await self._connections.close()

    async def create(
        self,
        connection: AsyncConnection,
        engine_id: str,
        vector_store: str = VectorStoreName.POSTGRES,
    ) -> None:
        """Make the empty index of a new engine, as the engine's row says where its vectors live."""
        store = await self._store(engine_id)
        await store.create(connection)
        if vector_store == VectorStoreName.MILVUS:
            await store.add_milvus_column(connection)
        await lexical.create_tables(connection, engine_id)

    async def drop(self, connection: AsyncConnection, engine_id: str) -> None:
        """Drop the index of an engine with all that is in it.

        What is in Milvus must be noted before, while the engine's row is there
        (`insert_unclaimed_vectors`).
        """
        store = await self._store(engine_id)
        await store.drop(connection)
        await lexical.drop_tables(connection, engine_id)
        self._opened.pop(engine_id, None)

    async def pack(
        self, source: Source, passages: Sequence[tuple[Passage, Vectors | None]]
    ) -> Packed:
        """Find out by which words the passages of a data source are found.

        Of many it takes minutes, so there is no transaction yet, for which others would wait.
        """
        samples = [searched_text(source.name, passage) for passage, _ in sampled(passages)]
        language = await asyncio.to_thread(language_of, samples)
        # One after the other as they are counted: all of them take as much room as the document.
        texts = (searched_text(source.name, passage) for passage, _ in passages)
        return Packed(source, passages, await lexical.packed(texts, language))

    async def insert(self, connection: AsyncConnection, engine_id: str, packed: Packed) -> None:
        """Store the passages of a data source, with those vectors that are known already.

        Those without are found by their words until `update_vectors` gives them theirs.

        Raises:
            VectorsMissing: there is no place for these vectors yet; `add_vectors` makes it.
            MilvusAway: they belong there, and it does not answer.
        """
        from indexing.vector_store import to_node

        source, passages = packed.source, packed.passages
        placement = await hold_placement(connection, engine_id)
        nodes = (
            to_node(
                passage,
                vector if placement.in_postgres else None,
                data_source_id=source.data_source_id,
                file_name=source.file_name,
            )
            for passage, vector in passages
        )
        store = await self._store(engine_id)
        async with _missing_vectors_told():
            await store.insert(connection, nodes)
        known = {
            chunk_id(source.data_source_id, passage.position): vector
            for passage, vector in passages
            if vector is not None
        }
        if placement.in_milvus:
            await self._put_in_milvus(connection, store, placement, known)
        await lexical.insert_segments(connection, engine_id, source.data_source_id, packed.segments)

    async def select_unembedded(
        self, connection: AsyncConnection, engine_id: str, data_source_id: str, limit: int
    ) -> dict[str, tuple[str, str]]:
        """Return place and content of chunks that have no vector yet, by their ids.

        Raises:
            VectorsMissing: there is no place for their vectors yet; `add_vectors` makes it.
        """
        placement = await select_placement(connection, engine_id) or Placement()
        in_milvus = placement.store is VectorStoreName.MILVUS
        store = await self._store(engine_id)
        async with _missing_vectors_told():
            return await store.select_unembedded(
                connection, data_source_id, limit, in_milvus=in_milvus
            )

    async def update_vectors(
        self,
        connection: AsyncConnection,
        engine_id: str,
        chunk_ids: Sequence[str],
        vectors: Vectors,
    ) -> None:
        """Give stored chunks their vectors, one row for each id.

        Raises:
            VectorsMissing: another process has just dropped them, for those of its own embedder.
            MilvusAway: they belong there, and it does not answer.
        """
        placement = await hold_placement(connection, engine_id)
        store = await self._store(engine_id)
        if placement.in_postgres:
            async with _missing_vectors_told():
                await store.update_vectors(connection, chunk_ids, vectors)
        if placement.in_milvus:
            known = dict(zip(chunk_ids, vectors, strict=True))
            await self._put_in_milvus(connection, store, placement, known)

    async def add_vectors(self, connection: AsyncConnection, engine_id: str) -> None:
        """Make a place for the vectors of this embedder beside those of another one."""
        store = await self._store(engine_id)
        await store.add_vectors(connection)

    async def replace_vectors(self, connection: AsyncConnection, engine_id: str) -> None:
        """Make a place for the vectors of this embedder, and drop those of all others.

        The chunks are found by their words until `update_vectors` gives them theirs.
        """
        store = await self._store(engine_id)
        await store.add_vectors(connection)
        await store.drop_other_vectors(connection)

    async def move(
        self, engine_id: str, target: VectorStoreName, copied: Callable[[int], None]
    ) -> None:
        """Let the vectors of an engine live elsewhere, while it answers.

        `copied` is told how many were copied, batch by batch.

        Raises:
            MoveEndedEarly: the engine is not there (any longer), or is moved elsewhere.
            MilvusAway: it does not answer; the same call goes on.
        """
        store = await self._store(engine_id)
        from indexing.vector_move import VectorMove  # It is loaded with the store.

        await VectorMove(self._database, store, self.milvus, target).run(copied)

    async def merge_segments(self, engine_id: str) -> None:
        """Make the keyword index of an engine as fast as it gets, in short transactions."""
        more = True
        while more:
            async with self._database.begin() as connection:
                more = await merge_segments(connection, engine_id)

    async def build_graph(self, engine_id: str) -> bool:
        """Make searches of a large engine fast, unless they are; return whether there was a need.

        It takes a minute or so for each 100,000 chunks; searching and storing go on meanwhile.
        """
        store = await self._store(engine_id)
        async with self._autocommit.connect() as connection:
            placement = await select_placement(connection, engine_id) or Placement()
            if placement.store is VectorStoreName.MILVUS:
                return False
            return await store.build_graph(connection)

    async def delete(
        self, connection: AsyncConnection, engine_id: str, data_source_id: str
    ) -> None:
        """Delete all that is known of a data source; what is in Milvus is noted, to be deleted."""
        store = await self._store(engine_id)
        await store.delete_of(connection, data_source_id)
        await insert_unclaimed_vectors(connection, engine_id, data_source_id)
        await lexical.delete_segment(connection, engine_id, data_source_id)

    async def retrieve(
        self,
        engine_id: str,
        query: str,
        top_k: int,
        data_source_ids: Sequence[str] | None = None,
    ) -> list[Chunk]:
        """Return the chunks that fit a query best, best first; of these data sources if given.

        By their words alone where the query cannot be embedded, or where the engine's vectors are
        those of another embedder.

        Raises:
            RetrievalFailed: the database cannot be searched.
        """
        if data_source_ids is not None and not data_source_ids:
            return []
        asked = Question(query, self._queries.submit(query), top_k, data_source_ids)
        table = (await self._store(engine_id)).chunks

        def search(connection: psycopg.Connection) -> list[Chunk]:
            return self._search.search(connection, table, self.milvus, asked)

        return await self._run(search)

    async def join_neighbours(self, engine_id: str, ranked: Sequence[Chunk]) -> list[Chunk]:
        """Return the passages for an answer: chunks joined with those around them on their page.

        There may be fewer of them, for neighbours become one.

        Raises:
            RetrievalFailed: the database cannot be searched.
        """
        store = await self._store(engine_id)

        def search(connection: psycopg.Connection) -> list[Chunk]:
            neighbours = store.chunks.select(connection, dict.fromkeys(neighbour_ids(ranked), 0.0))
            return join_neighbours(ranked, neighbours)

        return await self._run(search)

    async def _put_in_milvus(
        self,
        connection: AsyncConnection,
        store: "EngineVectorStore",
        placement: Placement,
        vectors: Mapping[str, Vectors],
    ) -> None:
        """Store vectors of chunks, by their ids; should the transaction fail, they do no harm."""
        rows = [(one, data_source_of(one), vector) for one, vector in vectors.items()]
        if not rows:
            return
        await asyncio.to_thread(self.milvus.put, store.table_name, rows)
        if placement.store is VectorStoreName.MILVUS:
            await store.update_in_milvus(connection, list(vectors))

    async def _run(self, search: Callable[[psycopg.Connection], list[Chunk]]) -> list[Chunk]:
        try:
            return await self._connections.run(search)
        except psycopg.Error as error:
            raise RetrievalFailed(type(error).__name__) from error

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
        from indexing.vector_store import BUILT_IN_COLUMN, EngineVectorStore

        embedding = EngineEmbedding(self._embedder)
        return VectorStoreIndex.from_vector_store(
            EngineVectorStore.of_engine(
                engine_id,
                self._database,
                self._embedder.dimensions,
                self._column or BUILT_IN_COLUMN,
            ),
            embed_model=embedding,
            # What it is given are passages. By default it would split texts, and load the tokens of
            # a model of OpenAI for that, 38 MB in each process.
            transformations=[embedding],
        )


@asynccontextmanager
async def _missing_vectors_told() -> AsyncIterator[None]:
    """Tell that an engine has no vectors of this embedder from other errors."""
    try:
        yield
    except ProgrammingError as error:
        if isinstance(error.orig, UndefinedColumn):
            raise VectorsMissing from error
        raise


def searched_text(name: str, passage: Passage) -> str:
    """Return what keyword search finds a passage by: the name of its document as well."""
    header = joined((name, passage.place), passage.content)
    return f"{header}\n{passage.content}" if header else passage.content


def libpq_url(database: AsyncEngine) -> str:
    """Return the address of a database for psycopg itself."""
    return database.url.set(drivername="postgresql").render_as_string(hide_password=False)
