"""The vectors of one engine: LlamaIndex's PGVectorStore, writing in the caller's transaction.

What PGVectorStore does on its own is not used where it would harm: its filters build SQL from
text, its inserts commit by themselves, and its set-up swallows errors.

A node may stand in the table before its vector is known; it is found by its words then. Where the
vectors of the engine live in Milvus it stays so, and a column of ours tells which are there.

Each embedder has a column of its own, so vectors of two can never be compared, whatever a process
believes: PostgreSQL says that the column is not there. `embedding` is that of the built-in one.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import sqlalchemy
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.utils import node_to_metadata_dict
from llama_index.vector_stores.postgres import PGVectorStore
from psycopg import sql
from psycopg.types.json import Jsonb
from sqlalchemy import Table, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from indexing.chunk_ids import chunk_id
from indexing.chunk_search import ChunkSearch
from indexing.driver_cursor import driver_cursor
from indexing.embedding import Vectors
from indexing.types import Passage

BUILD_MEMORY = "512MB"
"""For building a graph, which is many times slower when it does not fit; PostgreSQL takes what it
needs of it."""

BUILT_IN_COLUMN = "embedding"


class EngineVectorStore(PGVectorStore):
    """The table of one engine, as it is made and filled; `chunks` searches it."""

    @classmethod
    def of_engine(
        cls,
        engine_id: str,
        database: AsyncEngine,
        dimensions: int,
        column: str = BUILT_IN_COLUMN,
    ) -> "EngineVectorStore":
        """Describe the table of an engine; nothing is sent to the database."""
        store = cls(
            # Both are asked for even where engines are given; neither is read then.
            connection_string="",
            async_connection_string="",
            engine=database.sync_engine,
            async_engine=database,
            table_name=engine_id,
            embed_dim=dimensions,
            use_jsonb=True,
            perform_setup=False,
        )
        store.table.c.embedding.name = column
        return store

    @property
    def table(self) -> Table:
        """The table as SQLAlchemy knows it."""
        table: Table = self._table_class.__table__
        return table

    @cached_property
    def chunks(self) -> ChunkSearch:
        """What searches read from the table."""
        return ChunkSearch(self.table_name, self.table.name, self.table.c.embedding.name)

    async def create(self, connection: AsyncConnection) -> None:
        """Make the table; a chunk id can stand in it only once."""
        await connection.run_sync(self.table.create)
        await self._keep_vectors_in_place(connection)
        index = sqlalchemy.Index(f"{self.table.name}_node_id", self.table.c.node_id, unique=True)
        await connection.run_sync(index.create)

    async def drop(self, connection: AsyncConnection) -> None:
        """Drop the table with all that is in it."""
        await connection.run_sync(self.table.drop, checkfirst=True)

    async def insert(self, connection: AsyncConnection, nodes: Iterable[TextNode]) -> None:
        """Store nodes, with their vectors where they carry any."""
        statement = sql.SQL(
            "COPY {} (node_id, text, metadata_, {}) FROM STDIN (FORMAT BINARY)"
        ).format(sql.Identifier(self.table.name), self._vectors)
        async with driver_cursor(connection) as cursor, cursor.copy(statement) as copy:
            copy.set_types(["varchar", "varchar", "jsonb", "vector"])
            for node in nodes:
                metadata = Jsonb(node_to_metadata_dict(node, remove_text=True))
                await copy.write_row((node.node_id, node.text, metadata, node.embedding))

    async def add_milvus_column(self, connection: AsyncConnection) -> None:
        """Let the table tell which vectors are in Milvus: none yet."""
        statement = sql.SQL(
            "ALTER TABLE {} DROP COLUMN IF EXISTS is_in_milvus, "
            "ADD COLUMN is_in_milvus boolean NOT NULL DEFAULT false"
        )
        async with driver_cursor(connection) as cursor:
            await cursor.execute(statement.format(sql.Identifier(self.table.name)))

    async def update_in_milvus(self, connection: AsyncConnection, chunk_ids: Sequence[str]) -> None:
        """Note that the vectors of stored chunks are in Milvus."""
        statement = sql.SQL("UPDATE {} SET is_in_milvus = true WHERE node_id = ANY(%s)")
        async with driver_cursor(connection) as cursor:
            table = sql.Identifier(self.table.name)
            await cursor.execute(statement.format(table), (list(chunk_ids),))

    async def select_unembedded(
        self,
        connection: AsyncConnection,
        data_source_id: str,
        limit: int,
        *,
        in_milvus: bool = False,
    ) -> dict[str, tuple[str, str]]:
        """Return place and content of the first chunks of a data source that have no vector.

        With `in_milvus` those that have one there are left out as well.
        """
        table = self.table.c
        statement = (
            select(table.node_id, table.metadata_["place"].astext.label("place"), table.text)
            .where(table.metadata_["ref_doc_id"].astext == data_source_id)
            .where(table.embedding.is_(None))
            .order_by(table.id)
            .limit(limit)
        )
        if in_milvus:
            statement = statement.where(~_IS_IN_MILVUS)
        rows = (await connection.execute(statement)).all()
        return {row.node_id: (row.place, row.text) for row in rows}

    async def update_vectors(
        self, connection: AsyncConnection, chunk_ids: Sequence[str], vectors: Vectors
    ) -> None:
        """Give stored chunks their vectors, a row for each id; ids that are gone are left out."""
        statement = sql.SQL("UPDATE {} SET {} = %b WHERE node_id = %s").format(
            sql.Identifier(self.table.name), self._vectors
        )
        async with driver_cursor(connection) as cursor:
            await cursor.executemany(statement, list(zip(vectors, chunk_ids, strict=True)))

    async def add_vectors(self, connection: AsyncConnection) -> None:
        """Make the column of the embedder, unless it is there; no chunk has a vector in it yet.

        Searching and storing wait for the end of the transaction.
        """
        statement = sql.SQL("ALTER TABLE {} ADD COLUMN IF NOT EXISTS {} vector({})").format(
            sql.Identifier(self.table.name), self._vectors, sql.Literal(self.embed_dim)
        )
        async with driver_cursor(connection) as cursor:
            await cursor.execute(statement)
        await self._keep_vectors_in_place(connection)

    async def drop_other_vectors(self, connection: AsyncConnection) -> None:
        """Drop the columns of other embedders, with their graphs.

        Searching and storing wait for the end of the transaction.
        """
        table = sql.Identifier(self.table.name)
        async with driver_cursor(connection) as cursor:
            name = (table.as_string(None), self.table.c.embedding.name)
            rows = await (await cursor.execute(_OTHER_COLUMNS, name)).fetchall()
            for (column,) in rows:
                drop = sql.SQL("ALTER TABLE {} DROP COLUMN {}")
                await cursor.execute(drop.format(table, sql.Identifier(column)))

    async def delete_of(self, connection: AsyncConnection, data_source_id: str) -> None:
        """Delete all nodes of a data source."""
        table = self.table
        owner = table.c.metadata_["ref_doc_id"].astext
        await connection.execute(sqlalchemy.delete(table).where(owner == data_source_id))

    async def build_graph(self, connection: AsyncConnection) -> bool:
        """Build the HNSW graph unless it is there; return whether it was built.

        Searching and storing go on meanwhile. The connection must commit by itself. What a process
        left that died while it built is removed first; two do not build at once.
        """
        name = self._graph
        async with driver_cursor(connection) as cursor:
            lock = (self.table.name,)
            await cursor.execute("SELECT pg_try_advisory_lock(hashtext(%s))", lock)
            if not (await cursor.fetchone() or [False])[0]:
                return False
            try:
                await cursor.execute(_GRAPH_STATE, (name.as_string(None),))
                state = await cursor.fetchone()
                if state == (True,):
                    return False
                if state is not None:
                    await cursor.execute(sql.SQL("DROP INDEX CONCURRENTLY {}").format(name))
                await cursor.execute(f"SET maintenance_work_mem = '{BUILD_MEMORY}'")
                # Several at it would share memory through /dev/shm, which containers keep small.
                await cursor.execute("SET max_parallel_maintenance_workers = 0")
                await cursor.execute(
                    _BUILD_GRAPH.format(
                        name=name, table=sql.Identifier(self.table.name), vectors=self._vectors
                    )
                )
            finally:
                await cursor.execute("RESET maintenance_work_mem")
                await cursor.execute("RESET max_parallel_maintenance_workers")
                await cursor.execute("SELECT pg_advisory_unlock(hashtext(%s))", lock)
        return True

    async def drop_graph(self, connection: AsyncConnection) -> None:
        """Drop the HNSW graph, if it is there."""
        async with driver_cursor(connection) as cursor:
            await cursor.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(self._graph))

    @cached_property
    def _graph(self) -> sql.Identifier:
        column = self.table.c.embedding.name.removeprefix(BUILT_IN_COLUMN)
        return sql.Identifier(f"{self.table.name}_nearest{column}")

    @cached_property
    def _vectors(self) -> sql.Identifier:
        return sql.Identifier(self.table.c.embedding.name)

    async def _keep_vectors_in_place(self, connection: AsyncConnection) -> None:
        # Vectors fill most of a page, so PostgreSQL would put each in a place of its own, which
        # makes an exact scan twice as slow.
        statement = sql.SQL("ALTER TABLE {} ALTER {} SET STORAGE PLAIN").format(
            sql.Identifier(self.table.name), self._vectors
        )
        async with driver_cursor(connection) as cursor:
            await cursor.execute(statement)

    def _build_query(
        self,
        embedding: list[float] | None,
        limit: int = 10,
        metadata_filters: object = None,
        **kwargs: Any,
    ) -> Any:
        """Return the statement by which LlamaIndex searches.

        Overrides the place where PGVectorStore would write filters as text.
        """
        assert metadata_filters is None, "filters are bound values here"
        table = self._table_class
        distance = table.embedding.cosine_distance(embedding).label("distance")
        columns = (table.id, table.node_id, table.text, table.metadata_, distance)
        return select(*columns).order_by(distance).limit(limit)


_GRAPH_STATE = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
_BUILD_GRAPH = sql.SQL("""
    CREATE INDEX CONCURRENTLY {name} ON {table} USING hnsw ({vectors} vector_cosine_ops)
    WITH (m = 16, ef_construction = 128)
""")

_OTHER_COLUMNS = """
    SELECT attname FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
    WHERE attrelid = to_regclass(%s) AND typname = 'vector' AND attname <> %s AND NOT attisdropped
"""

_IS_IN_MILVUS: sqlalchemy.ColumnClause[bool] = sqlalchemy.column("is_in_milvus", sqlalchemy.Boolean)


def to_node(
    passage: Passage, vector: Vectors | None, *, data_source_id: str, file_name: str
) -> TextNode:
    """Return a passage as LlamaIndex stores it, with its vector if that is known."""
    return TextNode(
        id_=chunk_id(data_source_id, passage.position),
        text=passage.content,
        embedding=None if vector is None else vector.tolist(),
        metadata={
            "file_name": file_name,
            "page_number": passage.page_number,
            "section": passage.section,
            "place": passage.place,
            "box": passage.box,
        },
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=data_source_id)},
    )
