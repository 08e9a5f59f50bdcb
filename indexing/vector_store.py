"""The vectors of one engine: LlamaIndex's PGVectorStore, writing in the caller's transaction.

What PGVectorStore does on its own is not used where it would harm: its filters build SQL from
text, its inserts commit by themselves, and its set-up swallows errors.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.vector_stores.postgres import PGVectorStore
from sqlalchemy import Select, Table, select, union
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from indexing.embedding import Vectors
from indexing.types import Chunk, Passage


class EngineVectorStore(PGVectorStore):
    """The table of one engine; a search is one statement with bound values only."""

    @classmethod
    def of_engine(
        cls, engine_id: str, database: AsyncEngine, dimensions: int
    ) -> "EngineVectorStore":
        """Describe the table of an engine; nothing is sent to the database."""
        return cls(
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

    @property
    def table(self) -> Table:
        """The table as SQLAlchemy knows it."""
        table: Table = self._table_class.__table__
        return table

    async def create(self, connection: AsyncConnection) -> None:
        """Make the table; a chunk id can stand in it only once."""
        await connection.run_sync(self.table.create)
        # Vectors fill most of a page, so PostgreSQL would put each in a place of its own, which
        # makes an exact scan twice as slow.
        storage = sqlalchemy.DDL("ALTER TABLE %(fullname)s ALTER embedding SET STORAGE PLAIN")  # type: ignore[no-untyped-call]  # untyped in SQLAlchemy
        await connection.execute(storage.against(self.table))
        index = sqlalchemy.Index(f"{self.table.name}_node_id", self.table.c.node_id, unique=True)
        await connection.run_sync(index.create)

    async def drop(self, connection: AsyncConnection) -> None:
        """Drop the table with all that is in it."""
        await connection.run_sync(self.table.drop, checkfirst=True)

    async def insert(self, connection: AsyncConnection, nodes: Sequence[TextNode]) -> None:
        """Store nodes that carry their vectors."""
        rows = [
            {name: getattr(row, name) for name in ("node_id", "text", "metadata_", "embedding")}
            for row in map(self._node_to_table_row, nodes)
        ]
        if rows:
            await connection.execute(sqlalchemy.insert(self.table), rows)

    async def delete_of(self, connection: AsyncConnection, data_source_id: str) -> None:
        """Delete all nodes of a data source."""
        table = self.table
        owner = table.c.metadata_["ref_doc_id"].astext
        await connection.execute(sqlalchemy.delete(table).where(owner == data_source_id))

    def _build_query(
        self,
        embedding: list[float] | None,
        limit: int = 10,
        metadata_filters: object = None,
        **kwargs: Any,
    ) -> Any:
        """Return the statement of a search.

        It finds the `limit` nearest nodes, of `data_source_id` if that is given, and with them
        those whose ids are in `node_ids`, so that both legs of a hybrid search cost one round
        trip. Overrides the place where PGVectorStore would write filters as text.
        """
        assert metadata_filters is None, "filters are bound values here"
        table = self._table_class
        distance = table.embedding.cosine_distance(embedding).label("distance")
        columns = (table.id, table.node_id, table.text, table.metadata_, distance)
        nearest: Select[Any] = select(*columns).order_by(distance).limit(limit)
        if data_source_id := kwargs.get("data_source_id"):
            nearest = nearest.where(table.metadata_["ref_doc_id"].astext == data_source_id)
        node_ids = kwargs.get("node_ids")
        if not node_ids:
            return nearest
        named = select(*columns).where(table.node_id.in_(node_ids))
        return union(nearest, named)


def to_node(passage: Passage, vector: Vectors, *, data_source_id: str, file_name: str) -> TextNode:
    """Return a passage as LlamaIndex stores it."""
    return TextNode(
        id_=chunk_id(data_source_id, passage.position),
        text=passage.content,
        embedding=vector.tolist(),
        metadata={
            "file_name": file_name,
            "page_number": passage.page_number,
            "section": passage.section,
        },
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=data_source_id)},
    )


def to_chunk(node: Any, score: float) -> Chunk:
    """Return a node that was found as a chunk."""
    return Chunk(
        chunk_id=node.node_id,
        data_source_id=node.ref_doc_id or "",
        filename=node.metadata["file_name"],
        page_number=node.metadata["page_number"],
        content=node.text,
        section=node.metadata["section"],
        score=score,
    )


def chunk_id(data_source_id: str, position: int) -> str:
    """Return the id of the chunk at this place of a data source."""
    return f"{data_source_id}_{position}"
