"""Where the vectors of each engine live: in PostgreSQL or in Milvus, or on their way.

Three columns of the engine's row say it, and only this file reads and writes them. Every search
looks there, in the statement that finds or after it, so none goes by what was true a moment ago.

Whoever stores vectors holds the placement until his transaction ends (`hold_placement`), and who
changes it waits for them (`change_placement`). So when a move has begun, every vector that is
stored goes to both places, and those from before are there to be copied.
"""

from dataclasses import dataclass

from sqlalchemy import (
    ColumnElement,
    Row,
    TableClause,
    column,
    delete,
    func,
    select,
    table,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from config.settings import VectorStoreName

_engines: TableClause = table(
    "knowledge_engine",
    column("id"),
    column("vector_store"),
    column("moving_to"),
    column("moved_up_to"),
)
_unclaimed: TableClause = table(
    "unclaimed_vectors",
    column("knowledge_engine_id"),
    column("data_source_id"),
    column("created_at"),
)


class MoveEndedEarly(Exception):
    """The engine was deleted, or another command moves it elsewhere; the message says which."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the vectors of an engine are searched, and where they are being copied to."""

    store: VectorStoreName = VectorStoreName.POSTGRES
    moving_to: VectorStoreName | None = None
    moved_up_to: int = 0

    @property
    def in_milvus(self) -> bool:
        """Tell whether new vectors go to Milvus."""
        return VectorStoreName.MILVUS in (self.store, self.moving_to)

    @property
    def in_postgres(self) -> bool:
        """Tell whether new vectors go to PostgreSQL."""
        return VectorStoreName.POSTGRES in (self.store, self.moving_to)


async def select_placement(connection: AsyncConnection, engine_id: str) -> Placement | None:
    """Return where the vectors of an engine live; None where there is no such engine."""
    return _to_placement((await connection.execute(_select(engine_id))).first())


async def hold_placement(connection: AsyncConnection, engine_id: str) -> Placement:
    """Return where to store vectors; it stays so until the transaction ends."""
    await connection.execute(select(func.pg_advisory_xact_lock_shared(_lock_key(engine_id))))
    # A statement of its own, for one shows what was there when it began to wait.
    return await select_placement(connection, engine_id) or Placement()


async def lock_placement(connection: AsyncConnection, engine_id: str) -> Placement | None:
    """Keep others from moving or deleting the engine until the transaction ends.

    Return where its vectors live; None where there is no such engine.
    """
    locked = _select(engine_id).with_for_update(key_share=True)
    return _to_placement((await connection.execute(locked)).first())


async def change_placement(
    connection: AsyncConnection,
    engine_id: str,
    store: VectorStoreName,
    moving_to: VectorStoreName | None,
) -> None:
    """Let the vectors live elsewhere, once nobody is storing any.

    The engine must be locked already: who deletes it waits for those who store, and so the other
    order could wait in a circle.
    """
    await connection.execute(select(func.pg_advisory_xact_lock(_lock_key(engine_id))))
    await connection.execute(
        update(_engines)
        .where(_engines.c.id == engine_id)
        .values(vector_store=store, moving_to=moving_to, moved_up_to=0)
    )


async def update_moved_up_to(connection: AsyncConnection, engine_id: str, number: int) -> None:
    """Note up to which of its chunks the vectors of an engine are copied to Milvus."""
    await connection.execute(
        update(_engines).where(_engines.c.id == engine_id).values(moved_up_to=number)
    )


# As text, because SQLAlchemy would compile it anew for each data source.
_NOTE = text(
    "INSERT INTO unclaimed_vectors (knowledge_engine_id, data_source_id, created_at)"
    " SELECT id, :data_source_id, now() FROM knowledge_engine"
    " WHERE id = :engine_id AND :milvus IN (vector_store, moving_to) ON CONFLICT DO NOTHING"
)


async def insert_unclaimed_vectors(
    connection: AsyncConnection, engine_id: str, data_source_id: str = ""
) -> None:
    """Note that vectors must go from Milvus, if any may be there; "" stands for all.

    For a data source its chunks must be deleted before: a move that was copying them has then
    ended with them, and one that comes later does not find them.
    """
    named = {"engine_id": engine_id, "data_source_id": data_source_id}
    await connection.execute(_NOTE, named | {"milvus": VectorStoreName.MILVUS.value})


async def delete_unclaimed_of_engine(connection: AsyncConnection, engine_id: str) -> bool:
    """Strike out all notes of an engine; return whether there were any."""
    statement = delete(_unclaimed).where(_unclaimed.c.knowledge_engine_id == engine_id)
    return (await connection.execute(statement)).rowcount > 0


def _select(engine_id: str):  # type: ignore[no-untyped-def]  # of lightweight columns
    columns = (_engines.c.vector_store, _engines.c.moving_to, _engines.c.moved_up_to)
    return select(*columns).where(_engines.c.id == engine_id)


def _to_placement(row: Row[tuple[str, str | None, int]] | None) -> Placement | None:
    if row is None:
        return None
    store, moving_to, moved_up_to = row
    return Placement(
        VectorStoreName(store), VectorStoreName(moving_to) if moving_to else None, moved_up_to
    )


def _lock_key(engine_id: str) -> ColumnElement[int]:
    return func.hashtextextended(f"vectors {engine_id}", 0)
