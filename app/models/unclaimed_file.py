"""Stored files that no data source claims: on their way in, or on their way out.

A file and its row live in different systems, so one is always written first. Its key stands here
for as long as a death in between would leave the file behind; the upkeep deletes what stays.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field


class UnclaimedFile(SQLModel, table=True):
    """The key of a stored file that belongs to nothing at this moment."""

    __tablename__ = "unclaimed_file"

    key: str = Field(primary_key=True)
    created_at: datetime = created_at_field()


async def insert_unclaimed(session: AsyncSession, keys: Sequence[str]) -> None:
    """Note files that must go unless somebody claims them."""
    if keys:
        rows = [UnclaimedFile(key=key).model_dump() for key in keys]
        await session.exec(insert(UnclaimedFile).values(rows).on_conflict_do_nothing())


async def select_unclaimed(session: AsyncSession, before: datetime) -> list[str]:
    """Return the files noted before this moment."""
    statement = select(UnclaimedFile.key).where(col(UnclaimedFile.created_at) < before)
    return list((await session.exec(statement)).all())


async def delete_unclaimed(session: AsyncSession, keys: Sequence[str]) -> None:
    """Strike files out: they are claimed, or gone."""
    await session.exec(delete(UnclaimedFile).where(col(UnclaimedFile.key).in_(keys)))
