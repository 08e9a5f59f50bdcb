"""Moving the vectors of an engine from one store to the other, while it answers and takes uploads.

1. From the first transaction on, all that is stored goes to both places.
2. The vectors from before are copied, batch by batch; searches go on in the old place.
3. One transaction makes the new place the one that is searched.
4. What is in the old place is removed.

Each step may be repeated, and finds out how far it is: after a death at any point the same command
goes on. Chunks are locked while their vectors are copied, so a deletion comes before, and they are
not copied, or after, and finds that they may be in Milvus.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

import numpy as np
from psycopg import sql
from psycopg.rows import TupleRow
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config.settings import VectorStoreName
from indexing.chunk_ids import data_source_of
from indexing.driver_cursor import driver_cursor
from indexing.milvus import Milvus
from indexing.placement import (
    MoveEndedEarly,
    Placement,
    change_placement,
    delete_unclaimed_of_engine,
    insert_unclaimed_vectors,
    lock_placement,
    update_moved_up_to,
)
from indexing.vector_store import EngineVectorStore

BATCH = 200
"""Vectors that are copied at once: the engine cannot be deleted or renamed meanwhile."""

_CLEARED_AT_ONCE = 5_000


_logger = logging.getLogger(__name__)


class VectorMove:
    """The move of one engine to a store."""

    def __init__(
        self,
        database: AsyncEngine,
        store: EngineVectorStore,
        milvus: Milvus,
        target: VectorStoreName,
    ) -> None:
        self._database, self._store, self._milvus = database, store, milvus
        self._engine_id, self._target = store.table_name, target

    async def run(self, copied: Callable[[int], None]) -> None:
        """Move all vectors; `copied` is told how many, batch by batch.

        Raises:
            MoveEndedEarly: the engine is not there (any longer), or is moved elsewhere.
            MilvusAway: it does not answer; the same call goes on.
        """
        await self.begin()
        while count := await self.copy_batch():
            copied(count)
        await self.switch()
        await self.clear()

    async def begin(self) -> None:
        """Let all that is stored from here on go to both places; end a move the other way."""
        async with self._database.begin() as connection:
            placement = await self._lock(connection)
            if self._target in (placement.store, placement.moving_to):
                if placement.store is self._target and placement.moving_to is not None:
                    await self._let_live_in_target(connection)
                return
            # Nothing is begun without Milvus: what is stored would have to wait for it.
            await asyncio.to_thread(self._milvus.count, self._engine_id)
            await change_placement(connection, self._engine_id, placement.store, self._target)
            if self._target is VectorStoreName.MILVUS:
                if await delete_unclaimed_of_engine(connection, self._engine_id):
                    await asyncio.to_thread(self._milvus.delete, self._engine_id)
                await self._store.add_milvus_column(connection)

    async def copy_batch(self) -> int:
        """Copy the next vectors; return how many, 0 where all are copied."""
        async with self._database.begin() as connection:
            placement = await self._lock(connection)
            if placement.store is self._target:
                return 0
            if placement.moving_to is not self._target:
                raise MoveEndedEarly(f"{self._engine_id} is moved elsewhere.")
            if self._target is VectorStoreName.MILVUS:
                rows = await self._copy_to_milvus(connection, placement.moved_up_to)
            else:
                rows = await self._copy_from_milvus(connection, placement.moved_up_to)
            if rows:
                await update_moved_up_to(connection, self._engine_id, rows[-1][0])
            return len(rows)

    async def switch(self) -> None:
        """Search in the new place from here on."""
        async with self._database.begin() as connection:
            placement = await self._lock(connection)
            if placement.store is self._target:
                return
            if placement.moving_to is not self._target:
                raise MoveEndedEarly(f"{self._engine_id} is moved elsewhere.")
            await self._let_live_in_target(connection)

    async def clear(self) -> None:
        """Remove from PostgreSQL what lives in Milvus; the other way the note of it is enough."""
        after = 0
        while self._target is VectorStoreName.MILVUS:
            async with self._database.begin() as connection:
                placement = await self._lock(connection)
                if placement.store is not self._target or placement.moving_to is not None:
                    return
                await self._store.drop_graph(connection)
                rows = await self._execute(connection, _CLEAR, after, _CLEARED_AT_ONCE)
            if not rows:
                return
            after = max(number for (number,) in rows)

    async def _let_live_in_target(self, connection: AsyncConnection) -> None:
        if self._target is VectorStoreName.POSTGRES:
            await insert_unclaimed_vectors(connection, self._engine_id)
        await change_placement(connection, self._engine_id, self._target, None)

    async def _lock(self, connection: AsyncConnection) -> Placement:
        placement = await lock_placement(connection, self._engine_id)
        if placement is None:
            raise MoveEndedEarly(f"There is no knowledge engine {self._engine_id}.")
        return placement

    async def _execute(
        self, connection: AsyncConnection, statement: sql.SQL, after: int, limit: int = BATCH
    ) -> Sequence[TupleRow]:
        names = {
            "table": sql.Identifier(self._store.table.name),
            "vectors": sql.Identifier(self._store.table.c.embedding.name),
        }
        async with driver_cursor(connection) as cursor:
            values = {"after": after, "limit": limit}
            await cursor.execute(statement.format(**names), values)
            return await cursor.fetchall()

    async def _copy_to_milvus(self, connection: AsyncConnection, after: int) -> Sequence[TupleRow]:
        rows = await self._execute(connection, _SELECT_IN_POSTGRES, after)
        vectors = [(chunk, data_source_of(chunk), one.to_numpy()) for _, chunk, one in rows]
        await asyncio.to_thread(self._milvus.put, self._engine_id, vectors)
        return rows

    async def _copy_from_milvus(
        self, connection: AsyncConnection, after: int
    ) -> Sequence[TupleRow]:
        rows = await self._execute(connection, _SELECT_IN_MILVUS, after)
        chunk_ids = [chunk for _, chunk in rows]
        found = await asyncio.to_thread(self._milvus.fetch, self._engine_id, chunk_ids)
        if lost := len(chunk_ids) - len(found):
            _logger.warning("%d chunks of %s have no vector in Milvus", lost, self._engine_id)
        vectors = np.array(list(found.values()), np.float32)
        await self._store.update_vectors(connection, list(found), vectors)
        return rows


_SELECT_IN_POSTGRES = sql.SQL("""
    SELECT id, node_id, {vectors} FROM {table}
    WHERE id > %(after)s AND {vectors} IS NOT NULL ORDER BY id LIMIT %(limit)s FOR SHARE
""")

_SELECT_IN_MILVUS = sql.SQL("""
    SELECT id, node_id FROM {table}
    WHERE id > %(after)s AND is_in_milvus AND {vectors} IS NULL
    ORDER BY id LIMIT %(limit)s FOR UPDATE
""")

_CLEAR = sql.SQL("""
    UPDATE {table} SET {vectors} = NULL, is_in_milvus = true WHERE id IN (
        SELECT id FROM {table} WHERE id > %(after)s AND {vectors} IS NOT NULL
        ORDER BY id LIMIT %(limit)s
    ) RETURNING id
""")
