"""Stored files that no data source claims: on their way in, or on their way out.

A file and its row live in different systems, so one is always written first. Its key stands here
for as long as a death in between would leave the file behind; the upkeep deletes what stays.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Text, any_, delete, literal, text
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field


class UnclaimedFile(SQLModel, table=True):
    """The key of a stored file that belongs to nothing at this moment."""

    __tablename__ = "unclaimed_file"

    key: str = Field(primary_key=True)
    created_at: datetime = created_at_field()


# As text, because SQLAlchemy would compile it anew for each file.
_NOTE = text(
    "INSERT INTO unclaimed_file (key, created_at)"
    " SELECT unnest(CAST(:keys AS text[])), now() ON CONFLICT DO NOTHING"
)


async def insert_unclaimed(session: AsyncSession, keys: Sequence[str]) -> None:
    """Note files that must go unless somebody claims them."""
    await (await session.connection()).execute(_NOTE, {"keys": list(keys)})


async def select_unclaimed(session: AsyncSession, before: datetime) -> list[str]:
    """Return the files noted before this moment."""
    statement = select(UnclaimedFile.key).where(col(UnclaimedFile.created_at) < before)
    return list((await session.exec(statement)).all())


async def delete_unclaimed(session: AsyncSession, keys: Sequence[str]) -> None:
    """Strike files out: they are claimed, or gone."""
    statement = delete(UnclaimedFile).where(col(UnclaimedFile.key) == any_(_all(keys)))
    # Nobody holds rows of it, so nobody needs to be told which are gone.
    await session.exec(statement, execution_options={"synchronize_session": False})


def _all(keys: Sequence[str]) -> ColumnElement[Any]:
    """Write keys as one value: an engine may have more files than a statement takes values."""
    return literal(list(keys), ARRAY(Text))
