"""API keys: only their hashes are stored, and a revoked one opens nothing from that moment on."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from sqlalchemy import DateTime, or_, update
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import Account
from app.models.columns import created_at_field
from app.models.references import missing_engine_told
from app.scopes import Scope

NOTED_EVERY = timedelta(minutes=1)
"""How exactly it is known when a key was used."""


class ApiKey(SQLModel, table=True):
    """A key of an account."""

    __tablename__ = "api_key"

    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    name: str
    scope: str = Field(default=Scope.ADMIN, sa_column_kwargs={"server_default": Scope.ADMIN.value})
    # The one engine the key is for; None for all. It goes with that engine, and never becomes one
    # for all.
    knowledge_engine_id: str | None = Field(
        default=None, foreign_key="knowledge_engine.id", ondelete="CASCADE", index=True
    )
    hint: str = Field(index=True)  # the key's first characters: to find its row, and to list it
    digest: bytes = Field(unique=True)  # SHA-256 of the whole key
    created_at: datetime = created_at_field()
    revoked_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))
    last_used_at: datetime | None = Field(default=None, sa_type=DateTime(timezone=True))

    def is_due(self, now: datetime) -> bool:
        """Tell whether it is to be noted that the key was used now."""
        return self.last_used_at is None or now - self.last_used_at >= NOTED_EVERY


async def select_live_keys(session: AsyncSession, hint: str) -> list[tuple[ApiKey, Account]]:
    """Return the keys that begin like this and are not revoked, with their accounts."""
    statement = (
        select(ApiKey, Account)
        .join(Account, col(Account.id) == ApiKey.account_id)
        .where(ApiKey.hint == hint, col(ApiKey.revoked_at).is_(None))
    )
    return list((await session.exec(statement)).all())


async def select_revoked_key(session: AsyncSession, digest: bytes) -> ApiKey | None:
    """Return the revoked key of this digest, or None."""
    statement = select(ApiKey).where(ApiKey.digest == digest, col(ApiKey.revoked_at).is_not(None))
    return (await session.exec(statement)).first()


async def is_live_key(session: AsyncSession, key_id: int) -> bool:
    """Tell whether there is a key of this number that is not revoked."""
    statement = select(ApiKey.id).where(ApiKey.id == key_id, col(ApiKey.revoked_at).is_(None))
    return (await session.exec(statement)).first() is not None


async def select_live_key_ids(session: AsyncSession, key_ids: Collection[int]) -> set[int]:
    """Return those of these keys that are there and not revoked."""
    statement = select(ApiKey.id).where(
        col(ApiKey.id).in_(key_ids), col(ApiKey.revoked_at).is_(None)
    )
    return {key_id for key_id in await session.exec(statement) if key_id is not None}


async def select_api_keys(session: AsyncSession, account_id: int | None = None) -> list[ApiKey]:
    """Return every key, or those of one account, oldest first."""
    statement = select(ApiKey).order_by(col(ApiKey.id))
    if account_id is not None:
        statement = statement.where(ApiKey.account_id == account_id)
    return list((await session.exec(statement)).all())


async def insert_api_key(session: AsyncSession, api_key: ApiKey) -> None:
    """Store a new key.

    Raises:
        ReferenceNotFound: its engine was deleted a moment ago.
    """
    session.add(api_key)
    with missing_engine_told():
        await session.flush()


async def update_last_used(session: AsyncSession, key_id: int, now: datetime) -> None:
    """Note that a key was used, unless another process has done so within the last minute."""
    used_at = col(ApiKey.last_used_at)
    statement = (
        update(ApiKey)
        .where(col(ApiKey.id) == key_id, or_(used_at.is_(None), used_at <= now - NOTED_EVERY))
        .values(last_used_at=now)
    )
    await session.exec(statement)


async def update_revoked(
    session: AsyncSession, key_id: int, account_id: int | None = None
) -> ApiKey | None:
    """Revoke a key and return it; None where no live key has that number (in this account)."""
    api_key = await session.get(ApiKey, key_id, with_for_update=True)
    if api_key is None or api_key.revoked_at is not None:
        return None
    if account_id is not None and api_key.account_id != account_id:
        return None
    api_key.revoked_at = datetime.now(UTC)
    await session.flush()
    return api_key
