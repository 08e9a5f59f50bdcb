"""Vectors in Milvus that no chunk claims any longer: on their way out.

Milvus takes no part in our transactions. What a transaction deletes is noted here, by the same
transaction; the note goes when Milvus has deleted it.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import tuple_
from sqlmodel import Field, SQLModel, col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field


class UnclaimedVectors(SQLModel, table=True):
    """What must go from Milvus: the vectors of a data source, or all of an engine's."""

    __tablename__ = "unclaimed_vectors"

    # No foreign keys: it outlives both.
    knowledge_engine_id: str = Field(primary_key=True)
    data_source_id: str = Field(default="", primary_key=True)  # "" for all of the engine's
    created_at: datetime = created_at_field()


async def select_unclaimed_vectors(
    session: AsyncSession, engine_id: str | None = None
) -> list[UnclaimedVectors]:
    """Return and lock the notes, of one engine if it is given; not those that others work on."""
    statement = select(UnclaimedVectors).with_for_update(skip_locked=True)
    if engine_id is not None:
        statement = statement.where(UnclaimedVectors.knowledge_engine_id == engine_id)
    return list((await session.exec(statement)).all())


async def has_unclaimed_vectors(session: AsyncSession, engine_id: str) -> bool:
    """Tell whether vectors of an engine are noted that Milvus has not deleted yet."""
    statement = select(UnclaimedVectors).where(UnclaimedVectors.knowledge_engine_id == engine_id)
    return (await session.exec(statement.limit(1))).first() is not None


async def delete_unclaimed_vectors(
    session: AsyncSession, notes: Sequence[UnclaimedVectors]
) -> None:
    """Strike notes out: Milvus has deleted what they are about."""
    keys = [(one.knowledge_engine_id, one.data_source_id) for one in notes]
    columns = tuple_(
        col(UnclaimedVectors.knowledge_engine_id), col(UnclaimedVectors.data_source_id)
    )
    await session.exec(delete(UnclaimedVectors).where(columns.in_(keys)))


async def delete_all_unclaimed_vectors(session: AsyncSession) -> None:
    """Strike all notes out."""
    await session.exec(delete(UnclaimedVectors))
