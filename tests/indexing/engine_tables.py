"""The table of an engine, filled and searched as the service does; vectors have three numbers."""

from collections.abc import Sequence
from typing import LiteralString

import numpy as np
import psycopg
from llama_index.core.schema import TextNode
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from indexing.types import Chunk, Passage
from indexing.vector_store import EngineVectorStore, to_node
from tests.indexing.searching import searching

ENGINE = "kng_0123456789abcd"


def node(data_source_id: str, position: int, weight: int) -> TextNode:
    vector = np.array([1, weight, 1], np.float32)
    passage = Passage(position, 1, "Rent", f"Clause {weight}")
    return to_node(passage, vector, data_source_id=data_source_id, file_name="lease.pdf")


async def nearest(
    store: EngineVectorStore,
    limit: int = 5,
    data_source_ids: Sequence[str] | None = None,
    planner: LiteralString = "SELECT 1",
) -> list[Chunk]:
    """Return what is nearest to (1, 2, 1)."""

    def search(connection: psycopg.Connection) -> list[Chunk]:
        connection.execute(planner)
        vector = np.array([1, 2, 1], np.float32)
        return store.chunks.nearest(connection, vector, limit, data_source_ids)

    return await searching(store._async_engine, search)


def autocommit(store: EngineVectorStore) -> AsyncConnection:
    engine: AsyncEngine = store._async_engine.execution_options(isolation_level="AUTOCOMMIT")
    return engine.connect()
